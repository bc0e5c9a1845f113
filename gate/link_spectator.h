#pragma once

#include "shared/gate_link/frames.h"
#include "shared/net/transport.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::gate {

/// The gate's own connection to a server as a spectator, over the Unix socket of its viewers.
class LinkSpectator {
 public:
  using Put = std::function<void(const gate_link::GateFrame&)>;
  /// `put` sends a frame to the server, `new_id` returns an unused number. Both may be called as
  /// long as this object lives.
  LinkSpectator(Put put, std::function<gate_link::ViewerId()> new_id)
      : put_(std::move(put)), new_id_(std::move(new_id)) {}
  LinkSpectator(const LinkSpectator&) = delete;
  LinkSpectator& operator=(const LinkSpectator&) = delete;

  /// Returns a transport over this connection, which must not outlive this object.
  std::unique_ptr<net::Transport> transport();

  /// Handles a frame if it is for the spectator. Returns false if it is for a viewer.
  bool handle(const gate_link::ServerFrame& frame);
  /// The connection to the server has ended.
  void lose();

 private:
  class Transport;
  bool is_own(gate_link::ViewerId viewer) const { return id_ && *id_ == viewer; }
  void end(net::DisconnectReason reason);

  Put put_;
  std::function<gate_link::ViewerId()> new_id_;
  std::optional<gate_link::ViewerId> id_;  // while connecting or connected
  bool is_admitted_ = false;
  std::uint32_t last_peer_ = 0;
  std::uint64_t received_ = 0;  // bytes of reliable messages
  std::vector<net::PeerEvent> events_;
  net::TransportCounters counters_;
};

}  // namespace jostle::gate
