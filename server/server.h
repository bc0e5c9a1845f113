#pragma once

#include "protocol/control_codec.h"
#include "server/baseline_predictor.h"
#include "server/client_session.h"
#include "server/lockstep_server.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/phases.h"
#include "server/rate_limited_log.h"
#include "server/reconnect_slots.h"
#include "server/scene_catalogue.h"
#include "server/simulation_stream.h"
#include "server/snapshot_history.h"
#include "server/snapshot_sender.h"
#include "server/tick_profile.h"
#include "shared/base/duty_cycle_limiter.h"
#include "shared/desync_search/sync_test.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/record/recording_writer.h"
#include "shared/record/ring_recorder.h"
#include "shared/record/timed_fault.h"
#include "shared/sim/simulation.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// The authoritative server: receives the messages of sessions, passes commands to the simulation
/// and sends snapshots. It has no clock and no socket: `TickLoop`, or a test, calls tick() when a
/// tick is due.
class Server {
 public:
  /// Creates a server. Contract: the simulation is at its start. `io`, `transport` and `simulation`
  /// must outlive the server.
  Server(net::Io& io, net::Transport& transport, sim::Simulation& simulation, Options options);

  /// Records every tick from now on. The writer must outlive the server.
  void set_recording(record::RecordingWriter* recording) { recording_ = recording; }
  /// Records the newest ticks in `recent` from now on. `recent` must outlive the server.
  /// `scene_file` is the path of the loaded scene.
  void set_recent(record::RingRecorder* recent, const std::string& scene_file);
  /// Sets the scenes that clients may select; none by default.
  void set_scenes(SceneCatalogue scenes) { scenes_ = std::move(scenes); }
  /// Function that is called with every quantised snapshot before it is sent.
  using SnapshotHook = std::function<void(const protocol::QuantizedSnapshot&)>;
  void set_snapshot_hook(SnapshotHook hook) { snapshot_hook_ = std::move(hook); }
  void set_phase_hook(PhaseHook hook) { phase_hook_ = std::move(hook); }

  /// The tick and field at which a lockstep client's simulation first differs from the server's.
  /// Reported once per client.
  struct Desync {
    std::string peer;  // name of the client
    protocol::DesyncReport report;
  };
  std::optional<Desync> take_desync();
  const desync_search::SyncTest& sync_test() const { return sync_test_; }
  /// Sets faults to inject into the simulation, for tests.
  void set_faults(record::FaultsByTick faults) { faults_ = std::move(faults); }

  /// Simulates the tick that was due at `due_us`, in the clock of Io.
  void tick(std::int64_t due_us);

  /// Processes received messages between ticks, so that time requests are answered immediately.
  void receive();

  /// Queues a command from the operator for the next tick.
  void command(const state::ControlCommand& command);

  /// Disconnects all clients because the server stops. Afterwards call `receive()` until
  /// `session_count()` is 0 or the caller's own timeout is over.
  void disconnect_all();

  std::size_t session_count() const { return sessions_.size(); }
  const Metrics& metrics() const { return metrics_; }
  /// Returns the sessions by peer, for tests and statistics.
  const std::map<net::PeerId, ClientSession>& sessions() const { return sessions_; }

 private:
  // Connections and messages of clients.
  void handle(const net::PeerEvent& event);
  void handle_message(ClientSession& session, const net::PeerEvent& event);
  void handle_control(ClientSession& session, std::span<const std::byte> bytes);
  void handle_control(ClientSession& session, const state::ControlCommand& command);
  void send_scene_list(ClientSession& session);
  bool may_control(const ClientSession& session) const;
  void handle_simulation_request(ClientSession& session);
  void handle_prediction_baseline_offer(ClientSession& session,
                                        const protocol::PredictionBaselineOffer& offer);
  void predict_baseline(const state::TickCommands& commands);
  void handle_scene_request(ClientSession& session, const std::string& name);
  /// Returns why the scene cannot be loaded; null if loading may be tried.
  std::optional<std::string> why_no_scene(const ClientSession& session,
                                          const std::string& name) const;
  /// Loads the scene that a client requested. Waits if the last load was too recent.
  void apply_scene_request();
  /// Resets the scene if a client requested it. Waits if the last reset was too recent. Several
  /// requests are merged into one.
  void apply_reset_request();
  /// Loads a scene. Returns the error, or null on success.
  std::optional<std::string> load_scene(const std::string& name);
  void handle_lockstep(ClientSession& session, std::span<const std::byte> bytes);
  void handle_lockstep_request(ClientSession& session, const protocol::LockstepRequest& request);
  void handle_report(ClientSession& session, const protocol::InputPacket& packet);
  void handle_inputs(ClientSession& session, const protocol::InputPacket& packet);
  void handle_answer(ClientSession& session, const protocol::DesyncAnswer& answer);
  void handle_state(ClientSession& session, std::span<const std::byte> bytes);
  void handle_time(ClientSession& session, std::span<const std::byte> bytes);
  void welcome(ClientSession& session, const protocol::Hello& hello);
  void reject(ClientSession& session, protocol::RejectCode code, std::string words,
              net::DisconnectReason reason);
  void refuse(ClientSession& session);
  void end_session(net::PeerId peer, net::DisconnectReason reason);
  struct PlayerCounts {
    std::size_t players = 0, members = 0;
  };
  PlayerCounts player_counts() const;
  /// Returns the player with this reconnect token, whose old connection may still be open; null if
  /// there is none.
  std::optional<state::PlayerId> take_over(std::uint64_t reconnect_token);
  /// Returns the id of a new player; null if the server is full.
  std::optional<state::PlayerId> admit_player(const PlayerCounts& there);
  std::uint64_t new_reconnect_token();
  void expire_reconnect_slots();
  void drop_overdue_sessions();
  void refill_budgets();
  void send_pongs();
  state::PlayerId next_player_id();

  // Steps of a tick.
  void enter(Phase phase) {
    profile_.enter(phase, io_.now_us());
    if (phase_hook_) phase_hook_(phase);
  }
  void handle_packets();
  state::TickCommands gather_commands();
  void publish_world_change();
  void publish_snapshot();
  void publish_news(const state::TickCommands& commands);
  void publish_simulation();
  void publish_frames();
  void restart_lockstep();
  void inject_faults();
  void test_rollback(const state::TickCommands& commands);
  PreciseFrames::Wanted wanted_profiles() const;
  void publish_status();
  void send_control_denied(ClientSession& session);
  void publish_visuals();
  void publish_ropes();
  void profile_tick();
  void publish_statistics();
  void publish_debug_draws();
  void make_debug_draw();
  void publish_report();
  void send_debug_draw(ClientSession& session);
  /// Returns true in the ticks in which something with the rate `per_second` is due.
  bool is_due(double per_second) const;
  void send_auxiliary(ClientSession& session, const std::vector<std::byte>& message);
  void send_to_players(const std::vector<std::byte>& message);
  void start_keyframe(ClientSession& session);
  void resync_if_stalled(ClientSession& session);
  void send_world(ClientSession& session);
  void pay_bulk(ClientSession& session) const;
  void send_blobs(ClientSession& session);
  void send_control(const ClientSession& session, const protocol::ControlMessage& message);
  void record(const state::TickCommands& commands);
  void log_recording_failure();
  void log_quarantine();

  net::Io& io_;
  net::Transport& transport_;
  sim::Simulation& simulation_;
  Options options_;
  record::RecordingWriter* recording_ = nullptr;
  record::RingRecorder* recent_ = nullptr;
  std::optional<std::string> begun_scene_file_;  // set in the tick that starts a new scene
  SnapshotHook snapshot_hook_;
  PhaseHook phase_hook_;
  SceneCatalogue scenes_;
  RateLimitedLog log_;
  struct SceneRequest {
    net::PeerId peer{};
    std::string name;
  };
  std::optional<SceneRequest> scene_request_;  // the newest request
  base::DutyCycleLimiter scene_rest_{0, scene_interval_us};
  std::optional<state::ControlCommand> reset_request_;
  base::DutyCycleLimiter reset_rest_{0, reset_interval_us};

  std::map<net::PeerId, ClientSession> sessions_;
  ReconnectSlots places_;
  // Joins, leaves and controls for the next tick, in order of arrival.
  std::vector<state::Command> pending_;
  std::vector<net::PeerEvent> events_;
  std::vector<std::pair<net::PeerId, protocol::TimePong>> pongs_;  // answers that are not sent yet
  std::uint16_t last_player_id_ = 0;

  SnapshotHistory history_;
  PreciseFrames precise_frames_{io_};
  SnapshotSender snapshot_sender_{io_};
  SharedSnapshot newest_snapshot_;
  std::vector<SharedBlob> world_blobs_;  // blobs of `world_blobs_revision_`, encoded on first use
  std::uint32_t world_blobs_revision_ = 0;
  struct Keyframe {
    std::optional<state::Tick> tick;
    SharedBlob blob;
  };
  // The last keyframe of each profile, shared by clients that join at the same time.
  std::array<Keyframe, protocol::profile_count> keyframes_;
  std::optional<LockstepServer> lockstep_;
  std::deque<Desync> desyncs_;  // desyncs that take_desync() has not returned yet
  desync_search::SyncTest sync_test_;
  record::FaultsByTick faults_;
  std::vector<record::RecordedFault> injected_faults_;  // faults injected in this tick
  SimulationStream simulation_feed_;
  base::DutyCycleLimiter simulation_rest_{simulation_rest, simulation_interval_us};
  base::DutyCycleLimiter debug_draw_rest_{debug_draw_rest};
  // predictor for the scene with hash `scene_hash_`
  std::optional<BaselinePredictor> baseline_predictor_;
  std::uint64_t scene_hash_ = 0;
  std::int64_t tick_due_us_ = 0;  // due time of the last tick
  std::int64_t paid_us_ = 0;      // time up to which the sessions' token buckets are refilled
  bool is_closing_ = false;
  bool has_logged_recording_failure_ = false;
  std::vector<state::BodyId> quarantined_;  // bodies whose quarantine was logged
  bool has_ropes_ = false;     // true if there were ropes since the last restart of the scene
  std::size_t next_rope_ = 0;  // index of the first rope of the next message
  TickProfile profile_;
  std::uint64_t sent_bytes_ = 0;  // value of metrics_.snapshot_bytes at the last statistics message
  Metrics metrics_;
};

}  // namespace jostle::server
