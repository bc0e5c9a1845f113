#include "tools/simulate/run.h"

#include "shared/base/bytes.h"
#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/journal/journal.h"
#include "shared/journal/player_log.h"
#include "shared/journal/recovery.h"
#include "shared/net/enet_transport.h"
#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/players.h"
#include "tools/match/match.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace jostle::simulate {
namespace {

constexpr double healed_part = 0.8;       // part of a run after which all faults end
constexpr double recovery_s = 10;         // time in which every client must be current afterwards
constexpr std::uint32_t lossy_ticks = 6;  // ticks that a crash of the process may lose
constexpr double step_s = 0.05;
constexpr std::uint64_t seconds_per_fault = 4;

const char* const folder = "state/journal";

}  // namespace

/// A run in progress.
class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        random_(options.seed * 0x9e3779b97f4a7c15ULL + 1),
        disk_(random_.next(), options.plant),
        writer_(random_.next(), options.plant),
        match_(match_options()) {}

  RunResult run();

 private:
  bool has(Fault fault) const { return (options_.faults & fault) != 0; }
  /// Returns true once in `times` calls on average.
  bool chance(std::uint64_t times) { return random_.next() % times == 0; }
  match::MatchOptions match_options();
  void fail(const std::string& rule);
  double now_s() { return static_cast<double>(match_.network().now_us()) * 1e-6; }

  void add_client();
  void drive(match::Seat& seat);
  void attach(bool is_restart);
  void after_tick();
  void inject_faults();
  void harass();
  void fault_links();
  void fault_disk();
  void fault_clients();
  void crash(bool is_power_loss);
  void restart();
  void check_owners();
  void check_restored(const journal::Restored& restored);
  void heal();
  void check_clients();
  void check_journal();

  RunOptions options_;
  base::Random random_;
  VirtualDisk disk_;
  VirtualWriter writer_;
  match::Match match_;
  std::unique_ptr<journal::PlayerLog> players_;
  std::unique_ptr<journal::Journal> journal_;
  RunResult result_;
  base::Hasher events_;

  std::map<std::uint32_t, std::uint64_t> history_;  // hashes of the current timeline, by tick
  std::uint32_t last_tick_ = 0;
  std::uint32_t crashed_tick_ = 0, durable_tick_ = 0;
  bool was_writing_ = false;  // the journal was healthy and the disk answered before the crash
  bool is_power_loss_ = false, is_rotten_ = false, is_down_ = false;
  double back_at_s_ = 0;
  std::set<std::size_t> gone_;                   // indices of clients that have crashed
  std::map<std::string, std::uint16_t> owners_;  // players by name of their client
  std::set<std::uint16_t> restored_players_;
  bool was_ever_stalled_ = false;
  std::unique_ptr<net::EnetTransport> hostile_;
  net::PeerId hostile_peer_;
  bool is_hostile_connecting_ = false;
};

match::MatchOptions Run::match_options() {
  match::MatchOptions options;
  options.seed = random_.next();
  options.is_recorded = false;
  options.is_remembered = false;
  options.server.tick_rate_hz = 60;
  options.server.reconnect_window_seconds = 60;
  return options;
}

void Run::fail(const std::string& rule) {
  if (!result_.failure.empty()) return;
  result_.failure = rule;
  result_.failed_at_s = now_s();
}

void Run::add_client() {
  match::Seat& seat = match_.add_client("client " + std::to_string(match_.seats().size()));
  seat.on_update = [this, &seat] { drive(seat); };
}

/// Walks to and fro.
void Run::drive(match::Seat& seat) {
  state::PlayerInput input;
  const auto phase = static_cast<std::int64_t>(now_s() * 2) + static_cast<std::int64_t>(seat.ip);
  input.move_x = phase % 2 == 0 ? 1.0f : -1.0f;
  input.move_z = phase % 3 == 0 ? 1.0f : 0.0f;
  seat.client->set_input(input);
}

/// Gives the server its journal, which begins a segment at the current state.
void Run::attach(bool is_restart) {
  journal::SegmentOptions segments;
  segments.folder = folder;
  segments.durability = journal::Durability::Group;
  segments.most_segment_ticks = 900;
  const auto earlier = journal::segments_of(disk_, folder);
  for (const journal::SegmentFile& segment : *earlier) {
    segments.earlier.push_back(segment.path);
    segments.first_number = segment.number + 1;
  }
  const auto tokens = journal::PlayerLog::read(disk_, "state/players");
  players_ = std::make_unique<journal::PlayerLog>(disk_, writer_, "state/players", true);
  journal_ = std::make_unique<journal::Journal>(disk_, writer_, segments,
                                                record::rule_names(sim::default_rules()));
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
  match_.set_tick_hook([this] { after_tick(); });
}

void Run::after_tick() {
  sim::Simulation& simulation = match_.simulation();
  const std::uint32_t tick = simulation.tick().number;
  if (tick != last_tick_ + 1) fail("ticks rise by one");
  last_tick_ = tick;
  ++result_.ticks;
  history_[tick] = simulation.hash().total;
  events_.add(history_[tick]);
  writer_.run();
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

/// A client whose player was restored is the owner of that player again.
void Run::check_owners() {
  for (const auto& [peer, session] : match_.server().sessions()) {
    if (session.player.is_null() || session.state == server::ClientSessionState::AwaitHello)
      continue;
    std::uint16_t& known = owners_[session.name];
    // Tokens that could not be written are lost.
    const bool are_tokens_safe = disk_.errors() == 0 && !was_ever_stalled_;
    if (known != 0 && known != session.player.value && restored_players_.contains(known) &&
        are_tokens_safe)
      fail("a client returns to its own player after a restart");
    known = session.player.value;
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
  if (is_crash || is_power_loss) crash(is_power_loss);
}

void Run::crash(bool is_power_loss) {
  const journal::WriterStatus status = journal_->status();
  crashed_tick_ = match_.simulation().tick().number;
  durable_tick_ = status.durable_tick;
  was_writing_ = !journal_->is_degraded() && !writer_.is_stalled() && journal_->ticks_lost() == 0;
  is_power_loss_ = is_power_loss;
  ++(is_power_loss ? result_.power_losses : result_.crashes);
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
    restored_players_.clear();
  }
  for (const auto& seat : match_.seats())
    seat->hashes.clear();
  attach(has_world);
}

void Run::check_restored(const journal::Restored& restored) {
  const std::uint32_t tick = restored.simulation->tick().number;
  result_.ticks_lost += crashed_tick_ - std::min(tick, crashed_tick_);
  const auto known = history_.find(tick);
  if (known == history_.end()) return fail("a restored tick was simulated before");
  if (known->second != restored.hash || restored.simulation->hash().total != restored.hash)
    return fail("a restored state has the hash that it had before the crash");
  // Damage may take the end of the journal without a trace, as a torn end does.
  if (is_rotten_) return history_.erase(std::next(known), history_.end()), void();
  if (tick < durable_tick_) fail("no durable tick is lost");
  if (!is_power_loss_ && was_writing_ && crashed_tick_ - tick > lossy_ticks)
    fail("a crash of the process loses at most 100 ms");
  history_.erase(std::next(known), history_.end());
}

void Run::heal() {
  match_.network().heal();
  disk_.heal();
  writer_.set_stalled(false);
  if (is_down_) restart();
}

/// Every client that is still there plays, and is less than a second behind the server.
void Run::check_clients() {
  for (std::size_t i = 0; i < match_.seats().size(); ++i) {
    if (gone_.contains(i)) continue;
    const client::Client& client = *match_.seats()[i]->client;
    const bool is_playing = client.status().state == client::ClientState::Playing;
    const auto newest = client.metrics().newest_tick.number;
    if (!is_playing || newest + 60 < last_tick_)
      fail("10 s after the last fault every client is current: client " + std::to_string(i) + " " +
           (is_playing ? "is late" : "does not play: " + client.status().text));
  }
  std::set<std::uint16_t> owners;
  for (const auto& [peer, session] : match_.server().sessions()) {
    if (!session.player.is_null() && !owners.insert(session.player.value).second)
      fail("a player has one client");
  }
}

/// The journal replays to the live state.
void Run::check_journal() {
  writer_.run();
  (void)journal_->close(match_.simulation(), 1);
  const auto restored = journal::restore(disk_, folder, false);
  if (!restored || *restored == nullptr)
    return fail("the journal of a healthy server is restored" +
                (restored ? "" : ": " + restored.error()));
  if ((*restored)->hash != match_.simulation().hash().total)
    fail("the journal ends with the live state");
  const auto segments = journal::segments_of(disk_, folder);
  const auto bytes = disk_.read(segments->back().path);
  const auto recording = record::read_recording(*bytes);
  if (!recording) return fail("the newest segment can be read: " + recording.error().text());
  if (recording->blocks.empty()) return;
  auto simulation = record::start_replay(*recording);
  if (!simulation || !record::verify(*recording, **simulation).is_same())
    fail("the newest segment replays to its hashes");
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
  result_.disk_errors = static_cast<std::uint32_t>(disk_.errors());
  events_.add(match_.network().event_hash());
  result_.event_hash = events_.finish();
  return std::move(result_);
}

RunResult simulate(const RunOptions& options) {
  return Run(options).run();
}

}  // namespace jostle::simulate
