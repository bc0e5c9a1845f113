#pragma once

#include "shared/base/token_bucket.h"
#include "shared/gate_link/entry.h"
#include "shared/gate_link/frames.h"
#include "shared/http/send_queue.h"
#include "shared/http/server.h"
#include "shared/net/address.h"
#include "shared/net/peer_identity.h"
#include "shared/net/transport.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::gate {

/// Limits on a viewer.
struct ViewerLimits {
  /// Time for which one message may be in the course of being sent, s.
  double stall_seconds = 20;
  /// Time within which the viewer must send its entry, s.
  double entry_seconds = 5;
  /// Time without an answer to a ping after which the viewer is dropped, s.
  double ping_seconds = 30;
  /// Maximum number of messages per second; the burst is two seconds' worth.
  double messages_per_second = 600;
  /// Maximum size of the reliable messages that wait, bytes. A server sends less.
  std::size_t max_reliable_bytes = 1U << 20;
};

class Viewer;

/// The other side of a viewer: a server, or a relay.
class ViewerOwner {
 public:
  virtual ~ViewerOwner() = default;
  /// The viewer has sent its entry.
  virtual void entered(Viewer& viewer, const gate_link::EntryRequest& request) = 0;
  /// The viewer has sent a message after its entry was accepted.
  virtual void received(Viewer& viewer, const gate_link::ViewerMessage& message) = 0;
  /// The viewer has received `total` bytes of reliable messages since its entry.
  virtual void acknowledged(Viewer& viewer, std::uint64_t total, std::uint32_t round_trip_us) = 0;
  /// The connection has ended. The viewer is destroyed afterwards.
  virtual void left(Viewer& viewer, net::DisconnectReason reason) = 0;
};

/// The WebSocket of a viewer: its entry, its queue and its limits. docs/WEB.md has the protocol.
///
/// One message is being sent at a time. Unreliable messages that wait meanwhile are replaced by
/// newer ones. Pings acknowledge the reliable messages.
class Viewer final : public http::WebSocketHandler {
 public:
  /// `owner` must outlive the viewer, or call detach().
  Viewer(gate_link::ViewerId id, net::Address address, ViewerOwner& owner,
         const ViewerLimits& limits);

  gate_link::ViewerId id() const { return id_; }
  net::Address address() const { return address_; }
  bool is_admitted() const { return is_admitted_; }

  /// Admits the viewer: sends the answer to its entry.
  void admit(const net::PeerIdentity& identity);
  /// Queues a message. `group` is the number of the group of unreliable messages to which it
  /// belongs.
  void send(net::Channel channel, std::uint64_t group, std::span<const std::byte> message);
  /// Queues a part of a snapshot to which the next one refers. Newer ones do not replace it, and it
  /// does not overtake reliable messages.
  /// Contract: `number` increases with each call.
  void send_snapshot(std::uint32_t number, std::span<const std::byte> part);
  /// Passes the queue on to the socket. Call it after the messages of a tick.
  void flush();
  /// Closes the connection, immediately or after all reliable messages were sent.
  void close(std::uint16_t code, const std::string& reason, bool is_immediate);
  void close(net::DisconnectReason reason, bool is_immediate = true);
  /// Drops a viewer that exceeds a limit in time. Call it about once a second.
  void watch();
  /// Forgets the owner, which ends before the viewer.
  void detach() { owner_ = nullptr; }

  /// Raises the limit on the reliable messages that wait, bytes.
  void allow_reliable_bytes(std::size_t most) { limits_.max_reliable_bytes = most; }
  std::size_t waiting_bytes() const { return queue_.reliable_bytes(); }
  std::uint64_t replaced() const { return queue_.replaced(); }
  /// Number of groups of unreliable messages that wait.
  std::size_t waiting_groups() const { return queue_.waiting_groups(); }

  void opened(http::WebSocket& socket) override;
  void received(std::span<const std::byte> message) override;
  std::optional<std::vector<std::byte>> next_message() override;
  void pong(std::span<const std::byte> payload) override;
  void closed(std::uint16_t code, const std::string& reason) override;

 private:
  struct Closing {
    std::uint16_t code = 0;
    std::string reason;
  };
  void measure();

  gate_link::ViewerId id_;
  net::Address address_;
  ViewerOwner* owner_;
  ViewerLimits limits_;
  http::WebSocket* socket_ = nullptr;
  http::SendQueue queue_;
  std::vector<std::byte> answer_;  // the answer to the entry, until it is sent
  bool has_entered_ = false, is_admitted_ = false;
  std::optional<Closing> closing_;
  std::optional<net::DisconnectReason> misbehaviour_;
  std::int64_t opened_us_ = 0;
  base::TokenBucket messages_;
  std::uint64_t reliable_written_ = 0, reliable_measured_ = 0;
  std::optional<std::int64_t> ping_sent_us_;
  std::int64_t last_ping_us_ = 0;
};

/// Encodes messages of one channel as one message of a WebSocket.
std::vector<std::byte> encode_batch(const http::SendQueue::Batch& batch);

}  // namespace jostle::gate
