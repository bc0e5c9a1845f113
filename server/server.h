#pragma once

#include "server/admission.h"
#include "server/bulk_sender.h"
#include "server/clients.h"
#include "server/command_queue.h"
#include "server/debug_draw_publisher.h"
#include "server/fault_injector.h"
#include "server/lockstep_sessions.h"
#include "server/message_handler.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/overload_log.h"
#include "server/phases.h"
#include "server/quarantine_log.h"
#include "server/run_recording.h"
#include "server/scene_catalogue.h"
#include "server/scene_control.h"
#include "server/simulation_publisher.h"
#include "server/snapshot_publisher.h"
#include "server/statistics_publisher.h"
#include "server/time_responder.h"
#include "server/visuals_publisher.h"
#include "server/world_publisher.h"
#include "shared/base/hitch_detector.h"
#include "shared/desync_search/sync_test.h"
#include "shared/journal/journal.h"
#include "shared/journal/player_log.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/record/recording_writer.h"
#include "shared/record/ring_recorder.h"
#include "shared/record/timed_fault.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// The authoritative server: receives the messages of clients, passes commands to the simulation
/// and sends snapshots. It owns one object per job and calls them in the order of a tick. It has no
/// clock and no socket: `TickLoop`, or a test, calls tick() when a tick is due.
class Server {
 public:
  /// Creates a server. The simulation may be new or restored from a save. `io`, `transport` and
  /// `simulation` must outlive the server.
  Server(net::Io& io, net::Transport& transport, sim::Simulation& simulation, Options options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Records every tick in `journal` from now on, which must outlive the last tick.
  void add_journal(journal::Journal* journal) { recording_.add_journal(journal); }
  /// Tells clients the newest durable tick of `journal`, which must outlive the server.
  void set_durable_journal(const journal::Journal* journal) { time_.set_journal(journal); }
  /// Makes a tick wait until it is durable in `journal` before it is sent, for at most `seconds`.
  /// If the disk is full or slower, ticks are sent at once until the newest one is durable again.
  void set_strict(journal::Journal* journal, double seconds) {
    recording_.set_strict(journal, seconds);
  }
  /// Keeps the players of a restored simulation for their clients, whose reconnect tokens are
  /// `tokens`; players without a token leave. Stores tokens in `log` from now on, which must
  /// outlive the server.
  void restore_players(const journal::PlayerLog::Tokens& tokens, journal::PlayerLog* log) {
    admission_.restore_players(tokens, log);
  }
  /// Records every tick from now on. The writer must outlive the server.
  void set_recording(record::RecordingWriter* recording) { recording_.set_file(recording); }
  /// Records the newest ticks in `recent` from now on. `recent` must outlive the server.
  /// `scene_file` is the path of the loaded scene.
  void set_recent(record::RingRecorder* recent, const std::string& scene_file) {
    recording_.set_ring(recent, scene_file);
  }
  /// Sets the scenes that clients may select; none by default.
  void set_scenes(SceneCatalogue scenes) { scenes_.set_catalogue(std::move(scenes)); }
  /// Sets the executor that loads scenes beside the ticks; it must outlive the server. Null, the
  /// default: a scene is loaded within a tick.
  void set_loading_executor(journal::Executor* executor) { scenes_.set_loading_executor(executor); }
  /// Sets the executor that hashes large worlds for the journals between two ticks, which must
  /// outlive the server. Null, the default: they are hashed within ticks. With an executor, call
  /// complete_recording() after the last tick.
  void set_hashing_executor(journal::Executor* executor) {
    recording_.set_hashing_executor(executor);
  }
  /// Passes the newest tick on to the journals, before they are closed.
  void complete_recording() { recording_.complete_tick(); }
  /// Sets a function that is called with every quantised snapshot before it is sent.
  void set_snapshot_hook(SnapshotPublisher::Hook hook) { snapshots_.set_hook(std::move(hook)); }
  void set_phase_hook(PhaseHook hook) { phase_hook_ = std::move(hook); }
  /// Sets faults to inject into the simulation, for tests.
  void set_faults(record::FaultsByTick faults) { faults_.set_faults(std::move(faults)); }

  /// Sets the gate that stores the uses of single-use tokens, which must outlive the server.
  void set_token_gate(TokenGate* gate) { admission_.set_token_gate(gate); }
  /// Counts and logs due ticks that were left out, because ticks took too long or the process did
  /// not run.
  void note_skipped_ticks(std::uint64_t count);

  /// Simulates the tick that was due at `due_us`, in the clock of Io.
  void tick(std::int64_t due_us);

  /// Processes received messages between ticks, so that time requests are answered immediately.
  void receive();

  /// Queues a command from the operator for the next tick.
  void command(const state::ControlCommand& command) { commands_.add(command); }

  /// Disconnects all clients because the server stops. Afterwards call `receive()` until
  /// `session_count()` is 0 or the caller's own timeout is over.
  void disconnect_all() { admission_.disconnect_all(); }

  /// Returns the next new desync of a lockstep client; null if there is none.
  std::optional<Desync> take_desync() { return lockstep_.take_desync(); }
  const desync_search::SyncTest& sync_test() const { return sync_test_; }
  std::size_t session_count() const { return sessions().size(); }
  const Metrics& metrics() const { return metrics_; }
  /// Returns the sessions by peer, for tests and statistics.
  const ClientSessions& sessions() const { return clients_.sessions(); }

 private:
  void enter(Phase phase);
  void handle_packets();
  void handle(const net::PeerEvent& event);
  void load_requested_scene();
  void simulate(const state::TickCommands& commands, std::int64_t due_us);
  void run_sync_test(const state::TickCommands& commands);
  void publish(const state::TickCommands& commands);

  // Each member may refer to the members declared above it.
  net::Io& io_;
  net::Transport& transport_;
  sim::Simulation& simulation_;
  const Options options_;
  Metrics metrics_;
  PhaseHook phase_hook_;
  base::HitchDetector hitches_;
  std::vector<net::PeerEvent> events_;
  Clients clients_;
  CommandQueue commands_;
  RunRecording recording_;
  FaultInjector faults_;
  desync_search::SyncTest sync_test_;
  QuarantineLog quarantine_log_;
  OverloadLog overload_log_;
  WorldPublisher world_;
  SnapshotPublisher snapshots_;
  SimulationPublisher simulation_publisher_;
  LockstepSessions lockstep_;
  VisualsPublisher visuals_;
  DebugDrawPublisher debug_draw_;
  StatisticsPublisher statistics_;
  BulkSender bulk_;
  TimeResponder time_;
  Admission admission_;
  SceneControl scenes_;
  MessageHandler messages_;
};

}  // namespace jostle::server
