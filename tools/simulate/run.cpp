#include "tools/simulate/run.h"

#include "shared/base/bytes.h"
#include "shared/base/planted.h"
#include "shared/keyring/server_keys.h"
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
  if (uses_tokens_)
    options.make_security = [this](net::Io& machine) { return make_security(machine); };
  return options;
}

void Run::fail(const std::string& rule) {
  if (!result_.failure.empty()) return;
  result_.failure = rule;
  result_.failed_at_s = now_s();
}

/// Starts the access control of a new server from its files.
net::SecurityOptions Run::make_security(net::Io& machine) {
  access_.reset();
  key_io_ = std::make_unique<DiskIo>(machine, disk_);
  auto access = server::AccessControl::create(
      *key_io_, {.mode = secure::AccessMode::Token, .psk_path = {}, .keys_folder = keys_folder},
      &writer_);
  if (!access) {
    fail("a server starts with its keys and tokens: " + access.error());
    return {};
  }
  access_ = *std::move(access);
  return access_->security();
}

/// Issues a single-use token; an empty one if the server needs none.
std::vector<std::byte> Run::new_token(secure::Role role) {
  if (!uses_tokens_) return {};
  const auto keys = keyring::issuer_keys(*key_io_, keys_folder);
  if (!keys) {
    fail("the issuer's keys can be read: " + keys.error());
    return {};
  }
  secure::Token token{.client = users_.size() + 1, .role = role, .server = keys->server};
  for (std::byte& byte : token.id)
    byte = static_cast<std::byte>(credentials_.next());
  token.not_after_s = key_io_->unix_time_s() + 86'400;
  return secure::encode_token(token, keys->issuer);
}

void Run::add_user() {
  const auto fill_random = [this](std::span<std::byte> bytes) {
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(credentials_.next());
  };
  add_client({crypto::key_pair(fill_random), new_token(secure::Role::Player)}, 0);
}

void Run::add_client(const User& user, std::uint64_t reconnect_token) {
  // Clients run at 30 frames per second, which begin at different times.
  constexpr std::int64_t frame_us = 33'333;
  const std::size_t number = match_.seats().size();
  users_.emplace(number, user);
  match::Seat& seat = match_.add_client("client " + std::to_string(number), protocol::Role::Player,
                                        {.interval_us = frame_us},
                                        {.key = user.key, .token = user.token}, 0, reconnect_token);
  seat.next_update_us += static_cast<std::int64_t>(credentials_.next() % frame_us);
  seat.on_update = [this, &seat] { drive(seat); };
}

/// Ends a client without a word. It comes back with its reconnect token at once, so that the server
/// still has its session, or another user comes in its place.
void Run::crash_client(std::size_t which) {
  const std::uint64_t reconnect_token = match_.seats()[which]->client->reconnect_token();
  match_.kill_client(which);
  gone_.insert(which);
  if (reconnect_token == 0 || strikes(ClientCrashes, 2)) return add_user();
  const User user = users_.at(which);
  add_client(user, reconnect_token);
}

/// Walks to and fro, and acts.
void Run::drive(match::Seat& seat) {
  const client::Status status = seat.client->status();
  if (status.state == client::ClientState::Failed) {
    if (status.failure == client::Failure::TokenUsed)
      fail("a single-use token stays with its client");
    // A client that is refused because the use of its token could not be stored connects again,
    // twice per second on average: 10 s after the last fault, one in 1e9 has not.
    if (uses_tokens_ && inputs_.next() % 15 == 0) seat.client->try_again();
    return;
  }
  if (!has(Inputs)) return;
  state::PlayerInput input;
  const auto phase = static_cast<std::int64_t>(now_s() * 2) + static_cast<std::int64_t>(seat.ip);
  input.move_x = phase % 2 == 0 ? 1.0f : -1.0f;
  input.move_z = phase % 3 == 0 ? 1.0f : 0.0f;
  // Actions that differ, so that one that is applied twice is seen.
  if (inputs_.next() % 15 == 0) {
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
  // Half of the seeds delete segments older than about 30 s; the others keep all actions for
  // check_actions().
  segments.quota_bytes = options_.seed % 2 == 0 ? 40'000 : 300'000;
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
  match_.server().set_durable_journal(journal_.get());
  match_.server().set_token_gate(access_.get());
  const bool is_token_lost = options_.plant == Plant::LostTokens;
  match_.server().restore_players(is_restart ? *tokens : journal::PlayerLog::Tokens{},
                                  is_token_lost ? nullptr : players_.get());
  last_tick_ = match_.simulation().tick().number;
  history_[last_tick_] = match_.simulation().hash().total;
  healthy_since_ = last_tick_;
  last_durable_ = 0;
  match_.set_tick_hook([this] { after_tick(); });
}

void Run::after_tick() {
  sim::Simulation& simulation = match_.simulation();
  const std::uint32_t tick = simulation.tick().number;
  if (tick != last_tick_ + 1) fail("ticks rise by one");
  last_tick_ = tick;
  ++result_.ticks;
  history_[tick] = journal_->newest_hash();
  // A restart goes back by less than the ticks that the journal may hold.
  constexpr std::uint32_t kept_ticks = 100'000, prune_interval = 3'600;
  if (tick % prune_interval == 0 && tick > kept_ticks)
    history_.erase(history_.begin(), history_.lower_bound(tick - kept_ticks));
  if (tick % hash_interval == 0 && simulation.hash().total != history_[tick])
    fail("the journal has the hash of the state");
  events_.add(history_[tick]);
  if (access_ != nullptr) access_->advance();
  writer_.run();
  check_durable();
  if (options_.plant == Plant::ChangedState && schedule_.next() % 500 == 0 &&
      !simulation.world_def().bodies.empty())
    (void)simulation.flip_lowest_bit(simulation.world_def().bodies.back().id, "position.x");
  if (tick % 30 == 0) check_owners();
  if (tick % 30 == 0) check_replays();
  if (tick % 60 != 0) return;
  for (const state::BodyState& body : simulation.capture().bodies) {
    const math::Position& at = body.pose.position;
    const bool is_finite = std::isfinite(static_cast<double>(at.x)) &&
                           std::isfinite(static_cast<double>(at.y)) &&
                           std::isfinite(static_cast<double>(at.z));
    if (!is_finite) fail("bodies have finite positions");
  }
}

void Run::fault_links() {
  net::LinkFaults faults;
  base::Random& random = random_of(LossyLinks);
  faults.loss = static_cast<float>(random.next() % 30) * 0.01f;
  faults.latency_us = static_cast<std::int64_t>(random.next() % 150'000);
  faults.jitter_us = static_cast<std::int64_t>(random.next() % 60'000);
  faults.duplication = static_cast<float>(random.next() % 10) * 0.01f;
  faults.reordering = static_cast<float>(random.next() % 10) * 0.01f;
  faults.corruption = static_cast<float>(random.next() % 3) * 0.01f;
  match_.network().set_default_faults(faults);
}

void Run::fault_disk() {
  if (strikes(DiskErrors, 2)) {
    base::Random& random = random_of(DiskErrors);
    constexpr int errors[] = {0, 0, ENOSPC, EIO};
    disk_.set_write_error(errors[random.next() % 4]);
    disk_.set_sync_error(errors[random.next() % 4]);
    disk_.set_leaves_parts(random.next() % 2 == 0);
  }
  if (strikes(DiskStalls, 2)) writer_.set_stalled(strikes(DiskStalls, 2));
  was_ever_stalled_ = was_ever_stalled_ || writer_.is_stalled();
}

void Run::fault_clients() {
  const std::size_t which = schedule_.next() % match_.seats().size();
  match::Seat& seat = *match_.seats()[which];
  const bool is_gone = gone_.contains(which);
  if (strikes(Partitions, 2)) {
    const net::Ip server = match_.server_transport().local_address().ip;
    const bool is_up = strikes(Partitions, 2);
    match_.network().set_cut(is_up ? net::Ip(seat.ip) : server, is_up ? server : net::Ip(seat.ip),
                             strikes(Partitions, 2));
  }
  if (strikes(Clocks, 3)) {
    match_.network().node(seat.ip).set_clock_skew(
        static_cast<std::int64_t>(random_of(Clocks).next() % 2'000) - 1'000);
    match_.network().node(seat.ip).set_unix_clock(
        static_cast<std::int64_t>(random_of(Clocks).next() % 7'200) - 3'600);
  }
  if (strikes(Stalls, 3) && !is_gone)
    match_.stop_client(seat, 0.2 + static_cast<double>(random_of(Stalls).next() % 20) * 0.1);
  if (strikes(Stalls, 4))
    match_.stop_server(0.1 + static_cast<double>(random_of(Stalls).next() % 10) * 0.1);
  if (strikes(ClientCrashes, 4) && !is_gone && users_.size() < 12) crash_client(which);
}

void Run::inject_faults() {
  if (strikes(LossyLinks, 2)) fault_links();
  fault_disk();
  fault_clients();
  const bool is_crash = strikes(ServerCrashes, 4), is_power_loss = strikes(PowerLosses, 5);
  // Half of the power losses happen within an operation of the disk.
  if (is_power_loss && strikes(PowerLosses, 2)) {
    disk_.lose_power_after(1 + static_cast<std::uint32_t>(random_of(PowerLosses).next() % 12));
  } else if (is_crash || is_power_loss) {
    crash(is_power_loss);
  }
}

void Run::crash(bool is_power_loss) {
  is_power_loss = is_power_loss || disk_.is_losing_power();
  const journal::WriterStatus status = journal_->status();
  crashed_tick_ = match_.simulation().tick().number;
  durable_tick_ = status.durable_tick;
  has_segment_ = has_segment_ || status.segments > 0;
  // After a stall, jobs wait until the next tick.
  was_writing_ = !journal_->is_degraded() && !writer_.is_stalled() && !writer_.has_jobs() &&
                 journal_->ticks_lost() == 0;
  is_power_loss_ = is_power_loss;
  ++(is_power_loss ? result_.power_losses : result_.crashes);
  // Players that were away for longer than the window may have left already.
  std::erase_if(owners_,
                [&](const auto& entry) { return now_s() - seen_s_[entry.first] > window_s - 2; });
  for (const auto& seat : match_.seats()) {
    if (seat->client != nullptr)
      told_tick_ = std::max(told_tick_, seat->client->metrics().durable_tick.number);
  }
  match_.kill_server();
  writer_.kill();
  journal_.reset();
  players_.reset();
  if (is_power_loss) disk_.crash();
  rot_ = strikes(BitRot, 6) ? disk_.rot() : std::nullopt;
  is_rotten_ = rot_.has_value();
  if (options_.plant == Plant::UnsafeRestart) {
    const auto segments = journal::segments_of(disk_, folder);
    if (!segments->empty()) (void)disk_.remove(segments->back().path);
  }
  is_down_ = true;
  back_at_s_ = now_s() + 0.2 + static_cast<double>(schedule_.next() % 20) * 0.1;
}

void Run::restart() {
  is_down_ = false;
  // A supervisor starts the server again until the disk works.
  disk_.heal();
  writer_.set_stalled(false);
  sealed_sent_ = 0;
  match_.start_server();
  auto restored = journal::restore(disk_, folder, true);
  const bool has_world = restored && *restored != nullptr;
  if (has_world) {
    check_restored(**restored);
    restarted_s_ = now_s();
    restored_players_.clear();
    for (const sim::Player& player : (*restored)->simulation->players().all())
      restored_players_.insert(player.id.value);
    // Damage may have taken the ticks in which players joined.
    std::erase_if(owners_,
                  [this](const auto& entry) { return !restored_players_.contains(entry.second); });
    base::ByteWriter saved;
    (*restored)->simulation->save(saved);
    base::ByteReader reader(saved.bytes());
    if (!match_.simulation().restore(reader)) fail("a restored state can be restored again");
  } else {
    // The first segment may not be durable yet.
    const bool is_new_world = restored && !has_segment_;
    if (!is_rotten_ && !is_new_world)
      fail("a journal without damage is restored: " +
           (restored ? "no world" : restored.error().text));
    if (!is_new_world) ++result_.refused_restores;
    disk_.clear("state");
    has_segment_ = false;
    history_.clear();
    owners_.clear();
    seen_s_.clear();
    restored_players_.clear();
    has_gone_back_ = true;
  }
  absent_since_.clear();
  // Power may be lost again while the server starts, or soon after.
  if (strikes(PowerLosses, 3))
    disk_.lose_power_after(1 + static_cast<std::uint32_t>(random_of(PowerLosses).next() % 24));
  attach(has_world);
}

void Run::heal() {
  match_.network().heal();
  disk_.lose_power_at_unsynced_appends(false);
  do {
    // A server that loses its power while it starts is started once more.
    if (!is_down_ && disk_.is_losing_power()) crash(true);
    disk_.heal();
    writer_.set_stalled(false);
    if (is_down_) restart();
  } while (disk_.is_losing_power());
  return_visitor();
}

RunResult Run::run() {
  const std::size_t clients = options_.clients != 0 ? options_.clients : 1 + random_.next() % 6;
  result_.clients = clients;
  attach(false);
  for (std::size_t i = 0; i < clients; ++i)
    add_user();
  disk_.lose_power_at_unsynced_appends(strikes(PowerLosses, 2));
  match_.network().set_tap([this](const net::Datagram& datagram) { record(datagram); });
  const double heal_at_s = options_.seconds * healed_part;
  while (now_s() < heal_at_s && result_.failure.empty()) {
    match_.run_seconds(step_s);
    act_as_strangers();
    if (!is_down_ && disk_.has_lost_power()) crash(true);
    const bool is_due =
        schedule_.next() % (seconds_per_fault * static_cast<std::uint64_t>(1 / step_s)) == 0;
    if (is_down_) {
      if (now_s() >= back_at_s_) restart();
    } else if (is_due) {
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
