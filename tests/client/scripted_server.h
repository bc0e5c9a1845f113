#pragma once

#include "protocol/messages.h"
#include "protocol/quantize.h"
#include "protocol/snapshot_codec.h"
#include "shared/state/world_def.h"
#include "tests/client/fake_link.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jostle::client {

/// A server without a physics engine. A function computes the poses of bodies. The server sends
/// them with the same codecs as a real server, so a client plays with it as with a real one.
class ScriptedServer {
 public:
  /// A function that returns the pose of a body at a tick.
  using Motion = std::function<math::Pose(const state::BodyInfo& body, state::Tick tick)>;

  struct Script {
    int tick_rate_hz = 60;
    std::uint16_t snapshot_interval_ticks = 1;
    state::Tick first_tick{1'000};
    std::int64_t clock_offset_us = 987'654'321;
    std::size_t max_payload_bytes = protocol::max_part_payload_bytes();
    int chunks_per_tick = 8;
    std::optional<protocol::Reject> reject = std::nullopt;
    bool is_mute = false;  // never answers a Hello
  };

  ScriptedServer(FakeIo& io, FakeLink& link, const Script& script, state::WorldDef world,
                 Motion motion);

  /// Processes the messages that have arrived, and runs all ticks that are due.
  void update();

  /// Removes and adds bodies in the next tick.
  void change(std::vector<state::BodyId> despawns, std::vector<state::BodyInfo> spawns);
  /// Does the same as change(), but sends a complete new world instead of a change.
  void change_by_blob(std::vector<state::BodyId> despawns, std::vector<state::BodyInfo> spawns);
  /// Sends raw bytes to the client.
  void send_raw(net::Channel channel, std::vector<std::byte> bytes);
  /// Rejects the client, which already plays.
  void reject(const protocol::Reject& message) { send_control(message); }
  /// Stops the server for good. If `reason` has a value, the client is disconnected with this
  /// reason. Otherwise it gets no event.
  void shut_down(std::optional<net::DisconnectReason> reason);

  bool is_silent = false;  // sends no snapshots; everything else continues

  state::Tick tick() const { return tick_; }
  /// Returns the server's current tick with its fraction.
  double exact_tick() const;
  const state::WorldDef& world() const { return world_; }
  const protocol::QuantizedSnapshot* snapshot(state::Tick tick) const;
  bool has_client() const { return peer_.has_value(); }
  bool is_playing() const { return newest_ack_.number != 0; }

  struct Counters {
    std::uint64_t hellos = 0, inputs = 0, late_inputs = 0, missing_inputs = 0;
    std::uint64_t undecodable = 0, shapes_sent = 0, keyframes_sent = 0, with_baseline = 0;
  };
  const Counters& counters() const { return counters_; }
  /// Returns the inputs by tick. If an input was received several times, the first one counts.
  const std::map<std::uint32_t, state::PlayerInput>& inputs() const { return inputs_; }
  const std::vector<state::ControlCommand>& requests() const { return requests_; }
  /// Returns the names of requested scenes.
  const std::vector<std::string>& scene_requests() const { return scene_requests_; }
  // Returns the number of requests for the scene list.
  int list_requests() const { return list_requests_; }
  const std::optional<protocol::Hello>& hello() const { return hello_; }
  /// Returns a world with a ground plane (id 1) and boxes in a row (ids from 2).
  static state::WorldDef make_world(std::uint32_t moving_bodies, std::uint32_t distinct_shapes);

 private:
  struct OutgoingBlob {
    protocol::BlobKind kind = protocol::BlobKind::WorldDef;
    std::uint64_t content_hash = 0;
    std::vector<std::byte> bytes;
    std::size_t offset = 0;
  };

  std::int64_t server_us() const { return io_.time_us + script_.clock_offset_us; }
  std::int64_t due_us(state::Tick tick) const;
  void receive();
  void handle_control(const std::vector<std::byte>& bytes);
  void handle_input(const std::vector<std::byte>& bytes);
  void welcome();
  void send_control(const protocol::ControlMessage& message);
  void send_world();
  void queue_blob(protocol::BlobKind kind, std::uint64_t hash, std::vector<std::byte> bytes);
  void send_chunks();
  void step();
  void apply(const std::vector<state::BodyId>& despawns, std::vector<state::BodyInfo> spawns);
  void send_snapshot();
  protocol::QuantizedSnapshot capture() const;

  FakeIo& io_;
  FakeLink& link_;
  Script script_;
  state::WorldDef world_;
  Motion motion_;
  std::int64_t start_us_ = 0;
  state::Tick tick_;
  std::map<state::BodyId, protocol::QuantizedBody> spawn_poses_;
  std::map<std::uint32_t, protocol::QuantizedSnapshot> history_;

  /// Connections with ids up to this one belong to an earlier server. Their messages are ignored.
  net::PeerId last_foreign_peer_;
  std::optional<net::PeerId> peer_;
  bool is_stopped_ = false;
  bool wants_keyframe_ = false;
  std::optional<state::Tick> keyframe_;
  std::set<std::uint64_t> shapes_sent_;
  std::deque<OutgoingBlob> blobs_;
  state::Tick newest_ack_;
  state::Tick newest_input_;
  int margin_ticks_ = 0;
  struct Pending {
    std::vector<state::BodyId> despawns;
    std::vector<state::BodyInfo> spawns;
    bool by_blob = false;
  };
  std::deque<Pending> pending_;
  std::map<std::uint32_t, state::PlayerInput> inputs_;
  std::vector<state::ControlCommand> requests_;
  std::vector<std::string> scene_requests_;
  int list_requests_ = 0;
  std::optional<protocol::Hello> hello_;
  Counters counters_;
};

}  // namespace jostle::client
