#include "tools/simulate/run.h"

#include "shared/base/bytes.h"
#include "shared/base/planted.h"
#include "shared/record/replay.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/players.h"
#include "tools/simulate/progress.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace jostle::simulate {
namespace {

/// 28 bodies, and one for each player.
constexpr std::string_view simulated_scene = R"({
  "name": "simulated",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "lift", "motion_type": "kinematic", "position": [8, 1, 0],
      "shape": { "box": { "size": [2, 0.4, 2] } },
      "kinematic_motion": { "amplitude": [0, 0.8, 0], "period": 4 } }
  ],
  "templates": [ { "name": "crate", "shape": { "box": { "size": [0.8, 0.8, 0.8] } }, "density": 200 } ],
  "generators": [
    { "kind": "stack", "count": 6, "body": { "template": "crate" } },
    { "kind": "grid", "name": "loose", "counts": [5, 1, 4], "spacing": [1.2, 1.2, 1.2],
      "position": [0, 6, 0], "body": { "template": "crate" } }
  ],
  "player": { "linear_damping": 0.5, "angular_damping": 2 },
  "spawns": [ { "position": [14, 0.6, 14] }, { "position": [-14, 0.6, 14] },
              { "position": [14, 0.6, -14] }, { "position": [-14, 0.6, -14] } ]
})";

}  // namespace

match::MatchOptions Run::match_options() {
  match::MatchOptions options;
  options.seed = random_.next();
  options.scene = match::scene_of(simulated_scene);
  options.is_recorded = false;
  options.is_remembered = false;
  options.server.tick_rate_hz = 60;
  options.server.reconnect_window_seconds = window_s;
  constexpr int intervals[] = {1, 2, 3, 6};
  options.server.snapshot_interval_ticks = intervals[random_.next() % 4];
  return options;
}

void Run::fail(const std::string& rule) {
  if (!result_.failure.empty()) return;
  result_.failure = rule;
  result_.failed_at_s = now_s();
}

void Run::add_client() {
  // Clients run at 30 frames per second, which begin at different times.
  constexpr std::int64_t frame_us = 33'333;
  match::Seat& seat = match_.add_client("client " + std::to_string(match_.seats().size()),
                                        protocol::Role::Player, {.interval_us = frame_us});
  seat.next_update_us += static_cast<std::int64_t>(random_.next() % frame_us);
  seat.on_update = [this, &seat] { drive(seat); };
}

/// Walks to and fro, and acts.
void Run::drive(match::Seat& seat) {
  state::PlayerInput input;
  const auto phase = static_cast<std::int64_t>(now_s() * 2) + static_cast<std::int64_t>(seat.ip);
  input.move_x = phase % 2 == 0 ? 1.0f : -1.0f;
  input.move_z = phase % 3 == 0 ? 1.0f : 0.0f;
  // Actions that differ, so that one that is applied twice is seen.
  if (chance(15)) {
    const auto number = static_cast<float>(++actions_);
    input.actions.push_back({state::ActionKind::Blast, {}, {number, 1'000, 0}, {0.1f, 0, 0}});
  }
  seat.client->set_input(input);
}

/// Gives the server its journal, which begins a segment at the current state.
void Run::attach(bool is_restart) {
  journal::SegmentOptions segments;
  segments.folder = folder;
  segments.durability = journal::Durability::Group;
  segments.most_segment_ticks = 900;
  segments.quota_bytes = 300'000;
  const auto earlier = journal::segments_of(disk_, folder);
  for (const journal::SegmentFile& segment : *earlier) {
    segments.earlier.push_back(segment.path);
    segments.first_number = segment.number + 1;
  }
  const auto tokens = journal::PlayerLog::read(disk_, "state/players");
  players_ = std::make_unique<journal::PlayerLog>(disk_, writer_, "state/players", true);
  journal_ = std::make_unique<journal::Journal>(
      disk_, writer_, segments, record::rule_names(sim::default_rules()), &builder_);
  // The disk may be full at a start; then the server would not start, and its supervisor would try
  // again.
  (void)players_->begin(*tokens);
  (void)journal_->begin(match_.simulation(), "match.scene.json");
  match_.server().add_journal(journal_.get());
  const bool is_token_lost = options_.plant == Plant::LostTokens;
  match_.server().restore_players(is_restart ? *tokens : journal::PlayerLog::Tokens{},
                                  is_token_lost ? nullptr : players_.get());
  last_tick_ = match_.simulation().tick().number;
  history_[last_tick_] = match_.simulation().hash().total;
  healthy_since_ = last_tick_;
  match_.set_tick_hook([this] { after_tick(); });
}

void Run::after_tick() {
  sim::Simulation& simulation = match_.simulation();
  const std::uint32_t tick = simulation.tick().number;
  if (tick != last_tick_ + 1) fail("ticks rise by one");
  last_tick_ = tick;
  ++result_.ticks;
  history_[tick] = journal_->newest_hash();
  if (tick % hash_interval == 0 && simulation.hash().total != history_[tick])
    fail("the journal has the hash of the state");
  events_.add(history_[tick]);
  writer_.run();
  check_durable();
  if (options_.plant == Plant::ChangedState && chance(500) &&
      !simulation.world_def().bodies.empty())
    (void)simulation.flip_lowest_bit(simulation.world_def().bodies.back().id, "position.x");
  if (tick % 30 == 0) check_owners();
  if (tick % 60 != 0) return;
  for (const state::BodyState& body : simulation.capture().bodies) {
    const math::Position& at = body.pose.position;
    const bool is_finite = std::isfinite(static_cast<double>(at.x)) &&
                           std::isfinite(static_cast<double>(at.y)) &&
                           std::isfinite(static_cast<double>(at.z));
    if (!is_finite) fail("bodies have finite positions");
  }
}

/// A client that sends random messages, and connects again when it was dropped.
void Run::harass() {
  if (!has(HostileClients)) return;
  constexpr std::uint32_t ip = 0x0a000a0a;
  if (hostile_ == nullptr) {
    net::EnetOptions options;
    options.bind = net::Address{ip, 0};
    options.is_insecure_bind_allowed = true;
    options.is_accepting = false;
    options.max_peers = 1;
    hostile_ = *net::EnetTransport::create(match_.network().node(ip), options);
  }
  std::vector<net::PeerEvent> events;
  hostile_->service(events);
  for (const net::PeerEvent& event : events) {
    if (event.kind == net::PeerEvent::Kind::Connected) hostile_peer_ = event.peer;
    if (event.kind == net::PeerEvent::Kind::Disconnected) is_hostile_connecting_ = false;
  }
  if (!std::exchange(is_hostile_connecting_, true))
    (void)hostile_->connect(match_.server_transport().local_address());
  if (hostile_peer_.value == 0) return;
  std::vector<std::byte> message(1 + random_.next() % 200);
  for (std::byte& byte : message)
    byte = static_cast<std::byte>(random_.next());
  (void)hostile_->send(hostile_peer_, static_cast<net::Channel>(random_.next() % 4), message);
}

void Run::fault_links() {
  net::LinkFaults faults;
  faults.loss = static_cast<float>(random_.next() % 30) * 0.01f;
  faults.latency_us = static_cast<std::int64_t>(random_.next() % 150'000);
  faults.jitter_us = static_cast<std::int64_t>(random_.next() % 60'000);
  faults.duplication = static_cast<float>(random_.next() % 10) * 0.01f;
  faults.reordering = static_cast<float>(random_.next() % 10) * 0.01f;
  faults.corruption = static_cast<float>(random_.next() % 3) * 0.01f;
  match_.network().set_default_faults(faults);
}

void Run::fault_disk() {
  if (has(DiskErrors) && chance(2)) {
    constexpr int errors[] = {0, 0, ENOSPC, EIO};
    disk_.set_write_error(errors[random_.next() % 4]);
    disk_.set_sync_error(errors[random_.next() % 4]);
    disk_.set_leaves_parts(chance(2));
  }
  if (has(DiskStalls) && chance(2)) writer_.set_stalled(chance(2));
  was_ever_stalled_ = was_ever_stalled_ || writer_.is_stalled();
}

void Run::fault_clients() {
  const std::size_t which = random_.next() % match_.seats().size();
  match::Seat& seat = *match_.seats()[which];
  const bool is_gone = gone_.contains(which);
  if (has(Partitions) && chance(2)) {
    const net::Ip server = match_.server_transport().local_address().ip;
    const bool is_up = chance(2);
    match_.network().set_cut(is_up ? net::Ip(seat.ip) : server, is_up ? server : net::Ip(seat.ip),
                             chance(2));
  }
  if (has(Clocks) && chance(3)) {
    match_.network().node(seat.ip).set_clock_skew(
        static_cast<std::int64_t>(random_.next() % 2'000) - 1'000);
    match_.network().node(seat.ip).set_unix_clock(
        static_cast<std::int64_t>(random_.next() % 7'200) - 3'600);
  }
  if (has(Stalls) && chance(3) && !is_gone)
    match_.stop_client(seat, 0.2 + static_cast<double>(random_.next() % 20) * 0.1);
  if (has(Stalls) && chance(4))
    match_.stop_server(0.1 + static_cast<double>(random_.next() % 10) * 0.1);
  if (has(ClientCrashes) && chance(4) && !is_gone && match_.seats().size() < 12) {
    match_.kill_client(which);
    gone_.insert(which);
    add_client();
  }
}

void Run::inject_faults() {
  if (has(LossyLinks) && chance(2)) fault_links();
  fault_disk();
  fault_clients();
  const bool is_crash = has(ServerCrashes) && chance(4),
             is_power_loss = has(PowerLosses) && chance(5);
  // Half of the power losses happen within an operation of the disk.
  if (is_power_loss && chance(2)) {
    disk_.lose_power_after(1 + static_cast<std::uint32_t>(random_.next() % 12));
  } else if (is_crash || is_power_loss) {
    crash(is_power_loss);
  }
}

void Run::crash(bool is_power_loss) {
  is_power_loss = is_power_loss || disk_.is_losing_power();
  const journal::WriterStatus status = journal_->status();
  crashed_tick_ = match_.simulation().tick().number;
  durable_tick_ = status.durable_tick;
  // After a stall, jobs wait until the next tick.
  was_writing_ = !journal_->is_degraded() && !writer_.is_stalled() && !writer_.has_jobs() &&
                 journal_->ticks_lost() == 0;
  is_power_loss_ = is_power_loss;
  ++(is_power_loss ? result_.power_losses : result_.crashes);
  // Players that were away for longer than the window may have left already.
  std::erase_if(owners_,
                [&](const auto& entry) { return now_s() - seen_s_[entry.first] > window_s - 2; });
  match_.kill_server();
  writer_.kill();
  journal_.reset();
  players_.reset();
  if (is_power_loss) disk_.crash();
  is_rotten_ = has(BitRot) && chance(6) && disk_.rot();
  if (options_.plant == Plant::UnsafeRestart) {
    const auto segments = journal::segments_of(disk_, folder);
    if (!segments->empty()) (void)disk_.remove(segments->back().path);
  }
  is_down_ = true;
  back_at_s_ = now_s() + 0.2 + static_cast<double>(random_.next() % 20) * 0.1;
}

void Run::restart() {
  is_down_ = false;
  // A supervisor starts the server again until the disk works.
  disk_.heal();
  writer_.set_stalled(false);
  match_.start_server();
  auto restored = journal::restore(disk_, folder, true);
  const bool has_world = restored && *restored != nullptr;
  if (has_world) {
    check_restored(**restored);
    restored_players_.clear();
    for (const sim::Player& player : (*restored)->simulation->players().all())
      restored_players_.insert(player.id.value);
    base::ByteWriter saved;
    (*restored)->simulation->save(saved);
    base::ByteReader reader(saved.bytes());
    if (!match_.simulation().restore(reader)) fail("a restored state can be restored again");
  } else {
    if (!is_rotten_)
      fail("a journal without damage is restored: " + (restored ? "no world" : restored.error()));
    ++result_.refused_restores;
    disk_.clear();
    history_.clear();
    owners_.clear();
    seen_s_.clear();
    restored_players_.clear();
  }
  absent_since_.clear();
  attach(has_world);
}

void Run::heal() {
  if (!is_down_ && disk_.is_losing_power()) crash(true);
  match_.network().heal();
  disk_.heal();
  writer_.set_stalled(false);
  if (is_down_) restart();
}

RunResult Run::run() {
  const std::size_t clients = options_.clients != 0 ? options_.clients : 1 + random_.next() % 6;
  result_.clients = clients;
  attach(false);
  for (std::size_t i = 0; i < clients; ++i)
    add_client();
  const double heal_at_s = options_.seconds * healed_part;
  while (now_s() < heal_at_s && result_.failure.empty()) {
    match_.run_seconds(step_s);
    if (!is_down_) harass();
    if (!is_down_ && disk_.has_lost_power()) crash(true);
    if (is_down_) {
      if (now_s() >= back_at_s_) restart();
    } else if (chance(seconds_per_fault * static_cast<std::uint64_t>(1 / step_s))) {
      inject_faults();
    }
  }
  if (result_.failure.empty()) {
    heal();
    match_.run_seconds(std::max(options_.seconds - heal_at_s, recovery_s));
    check_clients();
    check_journal();
  }
  result_.seconds = now_s();
  result_.disk_errors = static_cast<std::uint32_t>(disk_.errors());
  events_.add(match_.network().event_hash());
  result_.event_hash = events_.finish();
  return std::move(result_);
}

RunResult simulate(const RunOptions& options) {
  base::plant(options.code_plant);
  return Run(options).run();
}

}  // namespace jostle::simulate
