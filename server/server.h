#pragma once

#include "protocol/control_codec.h"
#include "server/event_log.h"
#include "server/foreseer.h"
#include "server/lockstep_host.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/phases.h"
#include "server/place_keeper.h"
#include "server/scene_catalogue.h"
#include "server/session.h"
#include "server/simulation_feed.h"
#include "server/snapshot_history.h"
#include "server/snapshot_sender.h"
#include "server/tick_profile.h"
#include "shared/base/rest.h"
#include "shared/lockstep/sync_test.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/record/recent_run.h"
#include "shared/record/recording_writer.h"
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

/// The authoritative server: receives messages of sessions, passes commands to the simulation and
/// sends snapshots. It owns no clock and no socket: `TickLoop`, or a test, calls tick() when a tick
/// is due.
class Server {
 public:
  /// Contract: the simulation is at its start. Io, transport and simulation must outlive the
  /// server.
  Server(net::Io& io, net::Transport& transport, sim::Simulation& simulation, Options options);

  /// Records every tick from now on. The writer must outlive the server.
  void set_recording(record::RecordingWriter* recording) { recording_ = recording; }
  /// Keeps the newest ticks in `recent` from now on. `recent` must outlive the server.
  void set_recent(record::RecentRun* recent, const std::string& scene_file);
  /// Sets the scenes that clients may select; none by default.
  void set_scenes(SceneCatalogue scenes) { scenes_ = std::move(scenes); }
  /// Called with every quantised snapshot before it is sent.
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
  const lockstep::SyncTest& sync_test() const { return sync_test_; }
  /// Sets faults to inject into the simulation, for tests.
  void set_faults(record::FaultsByTick faults) { faults_ = std::move(faults); }

  /// Simulates the tick that was due at `due_us` (clock of the Io).
  void tick(std::int64_t due_us);

  /// Processes received messages between ticks, so that time requests are answered at once.
  void receive();

  /// Queues a command from the operator for the next tick.
  void command(const state::ControlCommand& command);

  /// Disconnects all clients because the server stops. Afterwards call `receive()` until
  /// `session_count()` is 0.
  void say_goodbye();

  std::size_t session_count() const { return sessions_.size(); }
  const Metrics& metrics() const { return metrics_; }
  /// The sessions by peer, for tests and statistics.
  const std::map<net::PeerId, Session>& sessions() const { return sessions_; }

 private:
  // Connections and messages of clients.
  void handle(const net::PeerEvent& event);
  void handle_message(Session& session, const net::PeerEvent& event);
  void handle_control(Session& session, std::span<const std::byte> bytes);
  void take_control(Session& session, const state::ControlCommand& command);
  void tell_scenes(Session& session);
  bool may_control(const Session& session) const;
  void take_simulation_request(Session& session);
  void take_foresight_offer(Session& session, const protocol::ForesightOffer& offer);
  void foresee(const state::TickCommands& commands);
  void take_scene_request(Session& session, const std::string& name);
  /// Returns why the scene cannot be loaded; null if loading may be tried.
  std::optional<std::string> why_no_scene(const Session& session, const std::string& name) const;
  /// Loads the scene that a client requested, once the last load is long enough ago.
  void grant_scene_wish();
  /// Resets the scene if a client requested it, once the last reset is long enough ago. Several
  /// requests are merged into one.
  void grant_reset_wish();
  /// Loads a scene. Returns the error, or null on success.
  std::optional<std::string> load_scene(const std::string& name);
  void handle_lockstep(Session& session, std::span<const std::byte> bytes);
  void take_lockstep_request(Session& session, const protocol::LockstepRequest& request);
  void take_report(Session& session, const protocol::InputPacket& packet);
  void take_inputs(Session& session, const protocol::InputPacket& packet);
  void take_answer(Session& session, const protocol::DesyncAnswer& answer);
  void handle_state(Session& session, std::span<const std::byte> bytes);
  void handle_time(Session& session, std::span<const std::byte> bytes);
  void welcome(Session& session, const protocol::Hello& hello);
  void reject(Session& session, protocol::RejectCode code, std::string words,
              net::DisconnectReason reason);
  void refuse(Session& session);
  void end_session(net::PeerId peer, net::DisconnectReason reason);
  struct Attendance {
    std::size_t players = 0, members = 0;
  };
  Attendance attendance() const;
  /// Returns the player with this reconnect token; its old connection may still be open. Null if
  /// there is none.
  std::optional<state::PlayerId> take_over(std::uint64_t place_key);
  /// Returns the id of a new player; null if the server is full.
  std::optional<state::PlayerId> seat_newcomer(const Attendance& there);
  std::uint64_t new_place_key();
  void give_up_overdue_places();
  void drop_overdue_sessions();
  void pay_allowances();
  void send_pongs();
  state::PlayerId next_player_id();

  // Steps of a tick.
  void enter(Phase phase) {
    profile_.enter(phase, io_.now_us());
    if (phase_hook_) phase_hook_(phase);
  }
  void take_in();
  state::TickCommands gather_commands();
  void publish_world_change();
  void publish_snapshot();
  void publish_news(const state::TickCommands& commands);
  void publish_simulation();
  void publish_frames();
  void begin_lockstep_anew();
  void do_harm();
  void test_rollback(const state::TickCommands& commands);
  PreciseFrames::Wanted wanted_profiles() const;
  void publish_status();
  void deny_control(Session& session);
  void publish_show();
  void publish_cords();
  void profile_tick();
  void publish_statistics();
  void publish_overlays();
  void make_overlay();
  void publish_report();
  void send_overlay(Session& session);
  /// Returns true in ticks at which something that happens `per_second` times a second is due.
  bool is_due(double per_second) const;
  void send_beside(Session& session, const std::vector<std::byte>& message);
  void send_to_players(const std::vector<std::byte>& message);
  void start_keyframe(Session& session);
  void resync_if_stalled(Session& session);
  void send_world(Session& session);
  void pay_bulk(Session& session) const;
  void send_blobs(Session& session);
  void send_control(const Session& session, const protocol::ControlMessage& message);
  void record(const state::TickCommands& commands);
  void log_recording_failure();
  void log_quarantine();

  net::Io& io_;
  net::Transport& transport_;
  sim::Simulation& simulation_;
  Options options_;
  record::RecordingWriter* recording_ = nullptr;
  record::RecentRun* recent_ = nullptr;
  std::optional<std::string> begun_scene_file_;  // set in the tick that starts a new scene
  SnapshotHook snapshot_hook_;
  PhaseHook phase_hook_;
  SceneCatalogue scenes_;
  EventLog log_;
  struct SceneWish {
    net::PeerId peer{};
    std::string name;
  };
  std::optional<SceneWish> scene_wish_;  // the newest request
  base::Rest scene_rest_{0, scene_interval_us};
  std::optional<state::ControlCommand> reset_wish_;
  base::Rest reset_rest_{0, reset_interval_us};

  std::map<net::PeerId, Session> sessions_;
  PlaceKeeper places_;
  // Joins, leaves and controls for the next tick, in order of arrival.
  std::vector<state::Command> pending_;
  std::vector<net::PeerEvent> events_;
  std::vector<std::pair<net::PeerId, protocol::TimePong>> pongs_;  // waiting to be sent
  std::uint16_t last_player_id_ = 0;

  SnapshotHistory history_;
  PreciseFrames precise_frames_{io_};
  SnapshotSender snapshot_sender_{io_};
  SharedSnapshot newest_snapshot_;
  std::vector<SharedBlob> world_blobs_;  // for `world_blobs_revision_`, encoded on first use
  std::uint32_t world_blobs_revision_ = 0;
  struct Keyframe {
    std::optional<state::Tick> tick;
    SharedBlob blob;
  };
  // The last keyframe of each profile, shared by clients that join at once.
  std::array<Keyframe, protocol::profile_count> keyframes_;
  std::optional<LockstepHost> lockstep_;
  std::deque<Desync> desyncs_;  // not taken by take_desync() yet
  lockstep::SyncTest sync_test_;
  record::FaultsByTick faults_;
  std::vector<record::RecordedFault> harm_;  // faults injected in this tick
  SimulationFeed simulation_feed_;
  base::Rest simulation_rest_{simulation_rest, simulation_interval_us};
  base::Rest overlay_rest_{overlay_rest};
  std::optional<Foreseer> foreseer_;  // for the scene with hash `scene_hash_`
  std::uint64_t scene_hash_ = 0;
  std::int64_t tick_due_us_ = 0;  // due time of the last tick
  std::int64_t paid_us_ = 0;      // time up to which the allowances of sessions are refilled
  bool is_closing_ = false;
  bool has_logged_recording_failure_ = false;
  std::vector<state::BodyId> quarantined_;  // bodies whose quarantine was logged
  bool has_cords_ = false;                  // since the last reset
  std::size_t next_cord_ = 0;               // the first cord of the next message
  TickProfile profile_;
  std::uint64_t told_bytes_ = 0;  // value of metrics_.snapshot_bytes at the last statistics message
  Metrics metrics_;
};

}  // namespace jostle::server
