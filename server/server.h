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

/// The authoritative server: sessions in, commands to the simulation, snapshots out. Owns no clock
/// and no socket; `TickLoop` (or a test) says when a tick is due.
class Server {
 public:
  /// The simulation stands at its start. Io and transport must outlive the server.
  Server(net::Io& io, net::Transport& transport, sim::Simulation& simulation, Options options);

  /// Writes every tick down from now on; the writer must outlive the server.
  void set_recording(record::RecordingWriter* recording) { recording_ = recording; }
  /// Keeps the newest ticks from now on; it must outlive the server.
  void set_recent(record::RecentRun* recent, const std::string& scene_file);
  /// The scenes that clients may ask for; none at first.
  void set_scenes(SceneCatalogue scenes) { scenes_ = std::move(scenes); }
  /// Called with the quantised world of every snapshot, before it is sent.
  using SnapshotHook = std::function<void(const protocol::QuantizedSnapshot&)>;
  void set_snapshot_hook(SnapshotHook hook) { snapshot_hook_ = std::move(hook); }
  void set_phase_hook(PhaseHook hook) { phase_hook_ = std::move(hook); }

  /// Where a peer's simulation parted from this one, once for each; in lockstep.
  struct Desync {
    std::string peer;  // its name
    protocol::DesyncReport report;
  };
  std::optional<Desync> take_desync();
  const lockstep::SyncTest& sync_test() const { return sync_test_; }
  /// Faults on purpose.
  void set_faults(record::FaultsByTick faults) { faults_ = std::move(faults); }

  /// Makes the tick that was due at `due_us` of the Io's clock.
  void tick(std::int64_t due_us);

  /// Takes in what has arrived, between ticks: clocks are answered at once.
  void receive();

  /// A command from the operator, applied in the next tick.
  void command(const state::ControlCommand& command);

  /// Tells every client that the server stops. `receive()` goes on until `session_count()` is 0.
  void say_goodbye();

  std::size_t session_count() const { return sessions_.size(); }
  const Metrics& metrics() const { return metrics_; }
  /// The sessions, by peer, for tests and statistics.
  const std::map<net::PeerId, Session>& sessions() const { return sessions_; }

 private:
  // Sessions come and go.
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
  /// Why there can be no such scene, or nothing where it may be tried.
  std::optional<std::string> why_no_scene(const Session& session, const std::string& name) const;
  /// The scene that a client wishes for, when the last is long enough ago.
  void grant_scene_wish();
  /// All wishes for the scene to begin anew are one, which waits as well.
  void grant_reset_wish();
  /// Why not, or nothing after it was loaded.
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
  /// The player that has this key, whether its connection is known to be broken or not.
  std::optional<state::PlayerId> take_over(std::uint64_t place_key);
  /// A new player's id; nothing where there is no room beside so many.
  std::optional<state::PlayerId> seat_newcomer(const Attendance& there);
  std::uint64_t new_place_key();
  void give_up_overdue_places();
  void drop_overdue_sessions();
  void pay_allowances();
  void send_pongs();
  state::PlayerId next_player_id();

  // What a tick does.
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
  /// Whether this tick is one of so many a second.
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
  std::optional<std::string> begun_scene_file_;  // of the scene that begins with this tick
  SnapshotHook snapshot_hook_;
  PhaseHook phase_hook_;
  SceneCatalogue scenes_;
  EventLog log_;
  struct SceneWish {
    net::PeerId peer{};
    std::string name;
  };
  std::optional<SceneWish> scene_wish_;  // the newest
  base::Rest scene_rest_{0, scene_interval_us};
  std::optional<state::ControlCommand> reset_wish_;
  base::Rest reset_rest_{0, reset_interval_us};

  std::map<net::PeerId, Session> sessions_;
  PlaceKeeper places_;
  std::vector<state::Command> pending_;  // joins, leaves, controls of the next tick, as they came
  std::vector<net::PeerEvent> events_;
  std::vector<std::pair<net::PeerId, protocol::TimePong>> pongs_;  // to be sent
  std::uint16_t last_player_id_ = 0;

  SnapshotHistory history_;
  PreciseFrames precise_frames_{io_};
  SnapshotSender snapshot_sender_{io_};
  SharedSnapshot newest_snapshot_;
  std::vector<SharedBlob> world_blobs_;  // of `world_blobs_revision_`, made when first asked for
  std::uint32_t world_blobs_revision_ = 0;
  struct Keyframe {
    std::optional<state::Tick> tick;
    SharedBlob blob;
  };
  std::array<Keyframe, protocol::profile_count> keyframes_;  // the last, for all that join at once
  std::optional<LockstepHost> lockstep_;
  std::deque<Desync> desyncs_;  // not taken yet
  lockstep::SyncTest sync_test_;
  record::FaultsByTick faults_;
  std::vector<record::RecordedFault> harm_;  // of this tick
  SimulationFeed simulation_feed_;
  base::Rest simulation_rest_{simulation_rest, simulation_interval_us};
  base::Rest overlay_rest_{overlay_rest};
  std::optional<Foreseer> foreseer_;  // of the scene with this hash
  std::uint64_t scene_hash_ = 0;
  std::int64_t tick_due_us_ = 0;  // of the last tick
  std::int64_t paid_us_ = 0;      // up to when sessions have their allowances
  bool is_closing_ = false;
  bool has_logged_recording_failure_ = false;
  std::vector<state::BodyId> quarantined_;  // told of
  bool has_cords_ = false;                  // since the last reset
  std::size_t next_cord_ = 0;               // to be told of
  TickProfile profile_;
  std::uint64_t told_bytes_ = 0;  // of metrics_.snapshot_bytes, at the last statistics
  Metrics metrics_;
};

}  // namespace jostle::server
