#include "client/replay/replay_player.h"

#include "shared/remote_debug_draw/collect_debug_draw.h"
#include "shared/remote_debug_draw/report_body.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace jostle::replay {
namespace {

constexpr std::size_t most_debug_draw_items = 50'000;

void add_faults(const record::Recording& recording, std::vector<state::Tick>& faults) {
  for (const record::RecordedBlock& block : recording.blocks)
    for (const record::RecordedTick& tick : block.ticks)
      if (!tick.faults.empty()) faults.push_back(tick.commands.tick);
}

}  // namespace

base::Result<std::unique_ptr<ReplayPlayer>, std::string> ReplayPlayer::create(
    record::Recording shown, std::optional<record::Recording> other) {
  std::vector<record::TickRange> differing;
  if (other) {
    auto ranges = record::differing_ticks(shown, *other);
    if (!ranges) return ranges.error();
    differing = *std::move(ranges);
  }
  auto tape = record::ReplayCursor::create(std::move(shown));
  if (!tape) return tape.error();
  std::unique_ptr<record::ReplayCursor> other_tape;
  if (other) {
    auto made = record::ReplayCursor::create(*std::move(other));
    if (!made) return made.error();
    other_tape = *std::move(made);
  }
  return std::unique_ptr<ReplayPlayer>(
      new ReplayPlayer(*std::move(tape), std::move(other_tape), std::move(differing)));
}

ReplayPlayer::ReplayPlayer(std::unique_ptr<record::ReplayCursor> shown,
                           std::unique_ptr<record::ReplayCursor> other,
                           std::vector<record::TickRange> differing)
    : shown_(std::move(shown)),
      other_(std::move(other)),
      differing_(std::move(differing)),
      keyframes_(shown_->keyframes()) {
  add_faults(shown_->recording(), faults_);
  if (other_) add_faults(other_->recording(), faults_);
  seek(first());
}

/// Returns true if the other recording is at the displayed tick. Returns false if it does not
/// contain this tick or is still seeking.
bool ReplayPlayer::is_other_there() const {
  return other_ != nullptr && other_->simulation().tick() == shown_->simulation().tick();
}

bool ReplayPlayer::is_there() const {
  return tick() == wanted() &&
         (other_ == nullptr || other_->simulation().tick() == other_->wanted());
}

void ReplayPlayer::toggle() {
  if (!is_playing_ && wanted() == last()) seek(first());
  is_playing_ = !is_playing_;
}

void ReplayPlayer::seek(state::Tick tick) {
  ticks_due_ = 0;
  shown_->seek(tick);
  if (other_) other_->seek(shown_->wanted());
  forget_scene();
}

void ReplayPlayer::step(std::int64_t ticks) {
  is_playing_ = false;
  const std::int64_t to = std::int64_t{wanted().number} + ticks;
  seek({static_cast<std::uint32_t>(
      std::clamp(to, std::int64_t{first().number}, std::int64_t{last().number}))});
}

void ReplayPlayer::change_rate(int steps) {
  rate_ = std::clamp(rate_ + steps, 0, static_cast<int>(std::size(rates)) - 1);
}

bool ReplayPlayer::seek_difference() {
  std::optional<state::Tick> to;
  if (!differing_.empty()) to = differing_.front().first;
  if (!to && !diverged().empty()) to = diverged().front().first;
  if (!to) return false;
  is_playing_ = false;
  seek(*to);
  return true;
}

void ReplayPlayer::advance(double seconds, const std::function<bool()>& may_continue) {
  if (is_playing_ && is_there()) {
    ticks_due_ += seconds * rate() * tick_rate_hz();
    const double whole = std::floor(ticks_due_);
    const double left = static_cast<double>(last() - wanted());
    const state::Tick to = wanted() + static_cast<std::uint32_t>(std::min(whole, left));
    const double part = ticks_due_ - whole;
    if (to != wanted()) seek(to);
    ticks_due_ = part;
  }
  if (!is_there()) forget_scene();
  while (!is_there()) {
    shown_->advance();
    if (other_) other_->advance();
    if (!may_continue()) break;
  }
  if (wanted() == last() && is_there()) is_playing_ = false;
}

std::optional<bool> ReplayPlayer::matches_recording() {
  if (!matches_recording_) matches_recording_ = shown_->matches_recording();
  return *matches_recording_;
}

bool ReplayPlayer::differs_now() const {
  return std::any_of(differing_.begin(), differing_.end(), [&](const record::TickRange& range) {
    return range.first <= tick() && tick() <= range.last;
  });
}

const std::vector<record::TickRange>& ReplayPlayer::diverged() {
  if (std::exchange(diverged_count_, shown_->diverged_count()) != shown_->diverged_count())
    diverged_ = shown_->diverged();
  return diverged_;
}

void ReplayPlayer::forget_scene() {
  matches_recording_.reset();
  debug_draw_.reset();
  report_.reset();
  difference_.reset();
  other_scene_.reset();
  scene_.reset();
}

const TickScene& ReplayPlayer::scene() {
  if (!scene_) scene_ = scene_of(shown_->simulation());
  return *scene_;
}

const state::DebugDrawFrame& ReplayPlayer::debug_draw(state::DebugDrawLayers layers) {
  if (!debug_draw_ || debug_draw_layers_ != layers) {
    debug_draw_ =
        remote_debug_draw::collect(shown_->simulation().world(), layers, most_debug_draw_items);
    debug_draw_->tick = tick();
    debug_draw_layers_ = layers;
  }
  return *debug_draw_;
}

const state::BodyReport* ReplayPlayer::report(state::BodyId body) {
  if (!report_ || report_->body != body) {
    report_.reset();
    const sim::Simulation& simulation = shown_->simulation();
    const auto handle = simulation.find_body(body);
    if (!handle) return nullptr;
    report_ = remote_debug_draw::report_body(simulation.world(), *handle);
    report_->tick = tick();
    report_->body = body;
  }
  return &*report_;
}

std::optional<ReplayPlayer::Velocity> ReplayPlayer::velocity(state::BodyId body) const {
  const sim::Simulation& simulation = shown_->simulation();
  const auto handle = simulation.find_body(body);
  if (!handle) return std::nullopt;
  return Velocity{simulation.world().linear_velocity(*handle),
                  simulation.world().angular_velocity(*handle)};
}

const SceneDifference* ReplayPlayer::difference() {
  if (!is_other_there()) return nullptr;
  if (!difference_) {
    other_scene_ = scene_of(other_->simulation());
    difference_ = difference_of(scene().bodies, other_scene_->bodies);
  }
  return &*difference_;
}

}  // namespace jostle::replay
