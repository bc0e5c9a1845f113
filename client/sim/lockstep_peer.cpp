#include "client/sim/lockstep_peer.h"

#include "protocol/simulation_codec.h"
#include "shared/base/log.h"
#include "shared/desync_search/desync_search.h"
#include "shared/prediction_baseline/world_prediction_baseline.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"

#include <utility>

namespace jostle::prediction {
namespace {

/// Maximum number of ticks that a frame may be ahead. A server stores only the last 600 frames, so
/// a frame further ahead belongs to another run.
constexpr std::int64_t most_frames_ahead = 1'200;

/// Creates the simulation that a Simulation blob describes. The error is the reason why this is not
/// possible.
base::Result<sim::Simulation, std::string> read_simulation(const protocol::SimulationStart& start) {
  auto scene = scene::parse_scene(start.scene_text, start.scene_file);
  if (!scene) return scene.error().text();
  sim::Simulation made(*std::move(scene), sim::SimulationOptions{start.tick_rate_hz, start.seed},
                       sim::default_rules());
  base::ByteReader reader(start.state);
  if (!made.restore(reader) || !reader.at_end())
    return std::string("the state of the server's simulation cannot be read");
  return made;
}

/// Returns the beginning of the sentence that says why the fault was not injected.
std::string not_injected(state::Tick tick) {
  return "the fault at tick " + std::to_string(tick.number) + " was not injected: ";
}

}  // namespace

std::uint64_t LockstepPeer::engine_hash() const {
  return prediction_baseline::fingerprint();
}

void LockstepPeer::begin() {
  simulation_.reset();
  frames_.clear();
  memory_.clear();
  report_ = {};
  figures_ = {};
  sync_test_.restart();
}

bool LockstepPeer::handle_simulation(std::span<const std::byte> bytes) {
  begin();
  const auto start = protocol::decode_simulation(bytes);
  auto made = start ? read_simulation(*start)
                    : base::Result<sim::Simulation, std::string>(
                          std::string("the server's simulation cannot be read"));
  if (!made) {
    figures_.text = made.error();
    return false;
  }
  simulation_ = *std::move(made);
  report_.newest = simulation_->tick();
  started_ = reached_ = simulation_->tick();
  memory_.keep(*simulation_);
  recent_ = std::make_unique<record::RingRecorder>(record::rule_names(sim::default_rules()),
                                                   record::RingRecorder::Options{});
  recent_->begin(*simulation_, start->scene_file);
  figures_.is_running = true;
  return true;
}

void LockstepPeer::handle_frames(std::vector<state::TickCommands> frames) {
  if (!simulation_) return;
  for (state::TickCommands& frame : frames) {
    const std::int64_t ahead = frame.tick - simulation_->tick();
    if (ahead >= 1 && ahead <= most_frames_ahead) frames_.emplace(frame.tick, std::move(frame));
  }
  while (frames_.contains(report_.newest + 1))
    report_.newest = report_.newest + 1;
  figures_.frames_waiting = frames_.size();
}

void LockstepPeer::inject_faults(state::Tick tick, std::vector<record::RecordedFault>& done) {
  const auto found = faults_.find(tick);
  if (found == faults_.end()) return;
  for (const record::RecordedFault& fault : found->second) {
    if (simulation_->flip_lowest_bit(fault.body, fault.field)) {
      done.push_back(fault);
    } else {
      const std::string reason = record::why_not_injected(*simulation_, fault);
      base::warn("no fault injected", {{"tick", tick.number}, {"reason", reason}});
      if (!failed_fault_) failed_fault_ = not_injected(tick) + reason;
    }
  }
  faults_.erase(found);
}

std::optional<std::string> LockstepPeer::missed_fault() const {
  if (failed_fault_) return failed_fault_;
  if (!started_ || faults_.empty()) return std::nullopt;
  const state::Tick tick = faults_.begin()->first;
  if (tick > *reached_) return std::nullopt;
  return not_injected(tick) + "the client started at tick " + std::to_string(started_->number);
}

std::optional<std::string> LockstepPeer::fault_left() const {
  if (auto missed = missed_fault()) return missed;
  if (faults_.empty()) return std::nullopt;
  return not_injected(faults_.begin()->first) +
         (reached_ ? "the client ended at tick " + std::to_string(reached_->number)
                   : "the client never received the server's simulation");
}

std::optional<protocol::QuantizedSnapshot> LockstepPeer::step() {
  if (!simulation_ || frames_.empty()) return std::nullopt;
  const auto next = frames_.begin();
  if (next->first != simulation_->tick() + 1) return std::nullopt;
  const state::TickCommands commands = std::move(next->second);
  frames_.erase(next);
  simulation_->step(commands);
  reached_ = commands.tick;
  std::vector<record::RecordedFault> done;
  inject_faults(commands.tick, done);
  memory_.keep(*simulation_, commands);
  sync_test_.check(*simulation_, commands);
  recent_->add_tick(commands, *simulation_, done);
  const auto hash = memory_.hash_since(commands.tick, protocol::hash_interval_ticks);
  if (commands.tick.number % protocol::hash_interval_ticks == 0 && hash) {
    report_.hashed = commands.tick;
    report_.hash = *hash;
    ++figures_.hashes;
  }
  ++figures_.ticks;
  figures_.frames_waiting = frames_.size();
  return protocol::quantize(simulation_->capture());
}

std::optional<protocol::FrameReport> LockstepPeer::report() const {
  if (!simulation_) return std::nullopt;
  return report_;
}

protocol::DesyncAnswer LockstepPeer::answer(const protocol::DesyncQuestion& question) {
  return desync_search::answer(memory_, question);
}

void LockstepPeer::handle_report(const protocol::DesyncReport& report) {
  figures_.has_desynced = true;
  figures_.text = report.text;
}

std::optional<record::RingRecorder::Saved> LockstepPeer::recording() {
  if (!simulation_ || recent_ == nullptr) return std::nullopt;
  auto saved = recent_->save(*simulation_);
  if (saved.tick_count == 0) return std::nullopt;
  return saved;
}

}  // namespace jostle::prediction
