#pragma once

#include "client/blob_store.h"
#include "protocol/messages.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "tools/load/header_acks.h"
#include "tools/load/input_mix.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::load {

/// A client that costs its machine little: it speaks the whole protocol, but acknowledges snapshots
/// from their headers and decodes none but its keyframes.
class LightBot {
 public:
  struct Options {
    net::Address server;
    std::string name;
    protocol::Role role = protocol::Role::Spectator;
    protocol::Profile profile = protocol::Profile::Visual;
    InputMix mix = InputMix::Mix;
  };
  /// `transport` must outlive the bot, and may be that of several.
  LightBot(net::Io& io, net::Transport& transport, Options options, base::Random random);

  /// Takes in what happened to its peer, and answers it with the next flush of the transport.
  void take(const net::PeerEvent& event);
  /// What is due by itself: dialing, pings, what was said once more. Once per client tick.
  void advance();
  void close();

  /// As which the transport knows it; none while it does not.
  std::optional<net::PeerId> peer() const { return peer_; }
  bool is_playing() const { return snapshots_ > 0; }
  std::uint64_t snapshots() const { return snapshots_; }
  std::uint64_t times_lost() const { return times_lost_; }
  /// Why the server does not want it; empty where it does.
  const std::string& refusal() const { return refusal_; }
  /// Called for every snapshot that is complete with how long after its tick was due that is, µs.
  /// Only for a server whose clock is this machine's.
  void set_age_hook(std::function<void(std::int64_t)> hook) { age_hook_ = std::move(hook); }

 private:
  void take_control(std::span<const std::byte> bytes);
  void begin_at(state::Tick keyframe, std::vector<state::BodyId> bodies);
  void take_snapshot(std::span<const std::byte> bytes);
  void take_pong(std::span<const std::byte> bytes);
  void use(client::BlobStore::Taken taken);
  void make_input(state::Tick newest);
  void send_packet();
  void start_over();

  net::Io& io_;
  net::Transport& transport_;
  Options options_;
  Whims whims_;

  std::optional<net::PeerId> peer_;
  std::int64_t dialed_us_ = 0;
  std::string refusal_;
  std::uint64_t times_lost_ = 0, snapshots_ = 0;
  std::function<void(std::int64_t)> age_hook_;

  // Of a session.
  std::optional<protocol::Welcome> welcome_;
  client::BlobStore blobs_;
  std::optional<HeaderAcks> acks_;
  std::vector<state::BodyId> bodies_;  // of the newest keyframe
  state::PlayerInput held_;
  std::deque<state::PlayerInput> unacknowledged_;
  std::uint32_t pings_ = 0;
  std::int64_t next_ping_us_ = 0;
  std::int64_t packet_sent_us_ = 0;
  std::optional<protocol::TimePong> pong_;  // the newest
};

}  // namespace jostle::load
