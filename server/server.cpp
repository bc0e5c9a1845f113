#include "server/server.h"

#include "shared/base/log.h"

namespace jostle::server {

Server::Server(net::Io& io, net::Transport& transport, sim::Simulation& simulation, Options options)
    : io_(io),
      transport_(transport),
      simulation_(simulation),
      options_(std::move(options)),
      clients_(io, transport, metrics_),
      recording_(simulation),
      sync_test_(options_.sync_test_ticks),
      overload_log_(options_.tick_rate_hz),
      world_(simulation, clients_),
      snapshots_(io, transport, simulation, options_, clients_),
      simulation_publisher_(io, simulation, clients_),
      lockstep_(io, simulation, options_, clients_),
      visuals_(simulation, options_, clients_),
      debug_draw_(io, simulation, options_, clients_),
      statistics_(io, simulation, options_, clients_),
      bulk_(io, transport, options_, clients_),
      time_(io, transport, options_, clients_),
      admission_(io, transport, simulation, options_, clients_, commands_, world_),
      scenes_(io, simulation, options_, clients_, commands_, recording_),
      messages_(io, simulation, options_, clients_,
                {.admission = admission_,
                 .scenes = scenes_,
                 .snapshots = snapshots_,
                 .simulation = simulation_publisher_,
                 .lockstep = lockstep_,
                 .debug_draw = debug_draw_,
                 .time = time_}) {}

void Server::tick(std::int64_t due_us) {
  enter(Phase::Simulate);
  recording_.complete_tick();
  enter(Phase::Receive);
  handle_packets();
  enter(Phase::Simulate);
  load_requested_scene();
  scenes_.apply_reset_request();
  const state::TickCommands commands = commands_.take(simulation_.tick() + 1, clients_);
  simulate(commands, due_us);
  if (recording_.is_strict()) {
    enter(Phase::Journal);
    recording_.wait_durable();
  }
  enter(Phase::Encode);
  publish(commands);
  scenes_.end_tick();
  admission_.continue_waiting();
  admission_.drop_overdue_sessions();
  admission_.expire_reconnect_slots();
  recording_.log_failure();
  quarantine_log_.write_new(simulation_, clients_);
  enter(Phase::Send);
  transport_.flush();
  ++metrics_.ticks;
  enter(Phase::Other);
  overload_log_.end_tick(io_.now_us(), clients_);
  statistics_.end_tick();
}

void Server::note_skipped_ticks(std::uint64_t count) {
  metrics_.ticks_skipped += count;
  overload_log_.note_skipped(count, clients_);
}

void Server::enter(Phase phase) {
  statistics_.enter(phase);
  overload_log_.enter(phase, io_.now_us());
  if (phase_hook_) phase_hook_(phase);
}

void Server::receive() {
  enter(Phase::Receive);
  handle_packets();
  enter(Phase::Other);
}

void Server::handle_packets() {
  // This is the one place that excludes the time in which this process stood still.
  const bool has_stood_still = hitches_.advance(io_.now_us());
  time_.begin_receive(has_stood_still);
  if (has_stood_still) {
    for (auto& [peer, session] : clients_)
      session.budget.rate.note_hitch(io_.now_us());
  }
  messages_.refill_budgets();
  events_.clear();
  transport_.service(events_);
  for (const net::PeerEvent& event : events_)
    handle(event);
  time_.send();
}

void Server::handle(const net::PeerEvent& event) {
  if (event.kind == net::PeerEvent::Kind::Connected) return admission_.connect(event.peer);
  if (event.kind == net::PeerEvent::Kind::Disconnected)
    return admission_.end_session(event.peer, event.reason);
  // If the server has dropped the peer, its later messages have no session.
  if (ClientSession* const session = clients_.find(event.peer)) messages_.receive(*session, event);
}

void Server::load_requested_scene() {
  auto loaded = scenes_.apply_scene_request();
  if (!loaded) return;
  sync_test_.restart();
  lockstep_.restart();
  recording_.begin_scene(loaded->file, std::move(loaded->journals));
}

/// Simulates a tick, injects faults, runs the sync test and records the tick.
void Server::simulate(const state::TickCommands& commands, std::int64_t due_us) {
  simulation_.step(commands);
  const std::vector<record::RecordedFault> injected_faults = faults_.inject(simulation_);
  lockstep_.note(commands);
  run_sync_test(commands);
  time_.set_tick(simulation_.tick(), due_us);
  recording_.add_tick(commands, injected_faults);
}

void Server::run_sync_test(const state::TickCommands& commands) {
  const bool had_mismatch = sync_test_.mismatch().has_value();
  sync_test_.check(simulation_, commands);
  if (!had_mismatch && sync_test_.mismatch())
    base::error("sync test: hashes differ",
                {{"tick", simulation_.tick().number}, {"ticks_back", sync_test_.ticks_back()}});
}

/// Sends the messages of a tick. The commands are sent before the change of the world that they
/// cause. The reliable control channel keeps that order, unless the whole world is sent instead.
void Server::publish(const state::TickCommands& commands) {
  simulation_publisher_.publish_commands(commands);
  snapshots_.note_commands(commands);
  world_.publish_change();
  scenes_.publish_status();
  snapshots_.publish();
  lockstep_.publish_frames();
  simulation_publisher_.publish_state();
  visuals_.publish();
  debug_draw_.publish_frames();
  debug_draw_.publish_report();
  bulk_.send(simulation_.tick());
}

}  // namespace jostle::server
