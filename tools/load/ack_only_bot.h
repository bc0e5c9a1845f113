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

/// A client with low CPU cost. It connects, joins and sends inputs like other clients. It
/// acknowledges snapshots from their headers and decodes only keyframes.
class AckOnlyBot {
 public:
  struct Options {
    net::Address server;
    std::string name;
    protocol::Role role = protocol::Role::Spectator;
    protocol::Profile profile = protocol::Profile::Visual;
    InputMix mix = InputMix::Mix;
  };
  /// `transport` must outlive the bot and may be shared by several bots.
  AckOnlyBot(net::Io& io, net::Transport& transport, Options options, base::Random random);

  /// Handles an event of the bot's peer. Replies are sent with the next flush of the transport.
  void take(const net::PeerEvent& event);
  /// Does periodic work: connecting, pings and repeated acknowledgements. Call it once per client
  /// tick.
  void advance();
  void close();

  /// Returns the bot's peer in the transport; null while not connected.
  std::optional<net::PeerId> peer() const { return peer_; }
  bool is_playing() const { return snapshots_ > 0; }
  std::uint64_t snapshots() const { return snapshots_; }
  std::uint64_t times_lost() const { return times_lost_; }
  /// Returns the server's reason for refusing the bot, or an empty string if it was not refused.
  const std::string& refusal() const { return refusal_; }
  /// Sets a function that is called for every complete snapshot with its age in µs: the time since
  /// its tick was due. The age is valid only if the server runs on this machine and so uses the
  /// same clock.
  void set_age_hook(std::function<void(std::int64_t)> hook) { age_hook_ = std::move(hook); }

 private:
  void handle_control(std::span<const std::byte> bytes);
  void begin_at(state::Tick keyframe, std::vector<state::BodyId> bodies);
  void handle_snapshot(std::span<const std::byte> bytes);
  void handle_pong(std::span<const std::byte> bytes);
  void use(client::BlobStore::Taken taken);
  void make_input(state::Tick newest);
  void send_packet();
  void start_over();

  net::Io& io_;
  net::Transport& transport_;
  Options options_;
  InputGenerator inputs_;

  std::optional<net::PeerId> peer_;
  std::int64_t dialed_us_ = 0;
  std::string refusal_;
  std::uint64_t times_lost_ = 0, snapshots_ = 0;
  std::function<void(std::int64_t)> age_hook_;

  // State of the current session.
  std::optional<protocol::Welcome> welcome_;
  client::BlobStore blobs_;
  std::optional<HeaderAcks> acks_;
  std::vector<state::BodyId> bodies_;  // bodies of the newest keyframe
  state::PlayerInput held_;
  std::deque<state::PlayerInput> unacknowledged_;
  std::uint32_t pings_ = 0;
  std::int64_t next_ping_us_ = 0;
  std::int64_t packet_sent_us_ = 0;
  std::optional<protocol::TimePong> pong_;  // the newest reply to a ping
};

}  // namespace jostle::load
