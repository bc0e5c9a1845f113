#include "shared/record/replay_cursor.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"
#include "shared/record/compare.h"
#include "shared/record/replay.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jostle::record {
namespace {

/// Maximum distance forward, in ticks, that is simulated without restoring a state.
constexpr std::int64_t short_way = 64;

/// Examines `count` ticks from `first` on. Returns the ranges of ticks for which `is_in` returns
/// true; its argument is the distance from `first`.
template <typename IsIn>
std::vector<TickRange> ranges_of(state::Tick first, std::size_t count, const IsIn& is_in) {
  std::vector<TickRange> ranges;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_in(i)) continue;
    const state::Tick tick = first + static_cast<std::uint32_t>(i);
    if (!ranges.empty() && ranges.back().last + 1 == tick) {
      ranges.back().last = tick;
    } else {
      ranges.push_back({tick, tick});
    }
  }
  return ranges;
}

std::vector<const RecordedTick*> ticks_of(const Recording& recording) {
  std::vector<const RecordedTick*> ticks;
  for (const RecordedBlock& block : recording.blocks)
    for (const RecordedTick& tick : block.ticks)
      ticks.push_back(&tick);
  return ticks;
}

}  // namespace

base::Result<std::vector<TickRange>, std::string> differing_ticks(const Recording& a,
                                                                  const Recording& b) {
  if (const auto why = why_not_comparable(a, b)) return *why;
  const auto of_a = ticks_of(a), of_b = ticks_of(b);
  const state::Tick first = std::max(of_a.front()->commands.tick, of_b.front()->commands.tick);
  const state::Tick last = std::min(of_a.back()->commands.tick, of_b.back()->commands.tick);
  const auto from_a = static_cast<std::size_t>(first - of_a.front()->commands.tick);
  const auto from_b = static_cast<std::size_t>(first - of_b.front()->commands.tick);
  return ranges_of(first, static_cast<std::size_t>(last - first) + 1,
                   [&](std::size_t i) { return of_a[from_a + i]->hash != of_b[from_b + i]->hash; });
}

base::Result<std::unique_ptr<ReplayCursor>, std::string> ReplayCursor::create(
    Recording recording, std::size_t kept_bytes, const sim::RuleFactory& rules) {
  auto started = start_replay(recording, rules);
  if (!started) return started.error();
  return std::unique_ptr<ReplayCursor>(
      new ReplayCursor(std::move(recording), *std::move(started), kept_bytes));
}

ReplayCursor::ReplayCursor(Recording recording, std::unique_ptr<sim::Simulation> simulation,
                           std::size_t kept_bytes)
    : recording_(std::move(recording)),
      simulation_(std::move(simulation)),
      kept_bytes_(kept_bytes),
      first_(simulation_->tick()),
      wanted_(first_),
      ticks_(ticks_of(recording_)),
      verdicts_(ticks_.size()) {
  for (const RecordedBlock& block : recording_.blocks)
    blocks_[state::previous(block.ticks.front().commands.tick, 1)] = &block;
}

state::Tick ReplayCursor::last() const {
  return ticks_.back()->commands.tick;
}

std::vector<state::Tick> ReplayCursor::keyframes() const {
  std::vector<state::Tick> ticks;
  for (const auto& [tick, block] : blocks_)
    ticks.push_back(tick);
  return ticks;
}

const RecordedTick& ReplayCursor::recorded(state::Tick tick) const {
  return *ticks_[index_of(tick)];
}

/// Continues from the nearest state at or before the tick, which may be the current one. If a rule
/// or a damaged file prevents that a state is restored, tries the one before it.
bool ReplayCursor::seek(state::Tick tick) {
  wanted_ = std::clamp(tick, first_, last());
  auto block = blocks_.upper_bound(wanted_);
  auto kept = kept_.upper_bound(wanted_);
  while (block != blocks_.begin() || kept != kept_.begin()) {
    const bool is_kept_nearer =
        kept != kept_.begin() &&
        (block == blocks_.begin() || std::prev(kept)->first > std::prev(block)->first);
    const state::Tick nearest = is_kept_nearer ? std::prev(kept)->first : std::prev(block)->first;
    const state::Tick now = simulation_->tick();
    const bool is_near = now >= nearest || (now >= first_ && wanted_ - now <= short_way);
    if (now <= wanted_ && is_near) return true;
    if (is_kept_nearer ? restore((--kept)->second)
                       : restore_block(*(--block)->second, *simulation_))
      return true;
  }
  wanted_ = simulation_->tick();
  return false;
}

bool ReplayCursor::restore(const std::vector<std::byte>& state) {
  base::ByteReader reader(state);
  return simulation_->restore(reader).has_value();
}

bool ReplayCursor::advance() {
  if (simulation_->tick() == wanted_) return false;
  const state::Tick next = simulation_->tick() + 1;
  const RecordedTick& tick = recorded(next);
  replay_tick(tick, *simulation_);
  note(next, tick_hash_of(simulation_->hash()) == tick.hash ? Verdict::Same : Verdict::Differs);
  keep();
  return simulation_->tick() != wanted_;
}

bool ReplayCursor::take_back() {
  const state::Tick now = simulation_->tick();
  JOSTLE_ASSERT(now > first_);
  note(now, Verdict::NotSeen);
  if (const auto kept = kept_.find(now); kept != kept_.end()) {
    held_bytes_ -= kept->second.size();
    kept_.erase(kept);
  }
  const bool is_restored = seek(state::previous(now, 1));
  wanted_ = simulation_->tick();
  return is_restored;
}

void ReplayCursor::note(state::Tick tick, Verdict verdict) {
  Verdict& noted = verdicts_[index_of(tick)];
  diverged_count_ -= noted == Verdict::Differs ? 1 : 0;
  diverged_count_ += verdict == Verdict::Differs ? 1 : 0;
  noted = verdict;
}

/// Stores the state every `keep_interval_` ticks. When the states exceed the limit, the interval is
/// doubled and every other state is dropped.
void ReplayCursor::keep() {
  const state::Tick now = simulation_->tick();
  if ((now - first_) % keep_interval_ != 0 || kept_.contains(now)) return;
  base::ByteWriter writer;
  simulation_->save(writer);
  held_bytes_ += writer.size();
  kept_[now] = writer.bytes();
  while (held_bytes_ > kept_bytes_ && kept_.size() > 1) {
    keep_interval_ *= 2;
    std::erase_if(kept_, [&](const auto& entry) {
      if ((entry.first - first_) % keep_interval_ == 0) return false;
      held_bytes_ -= entry.second.size();
      return true;
    });
  }
}

std::optional<bool> ReplayCursor::matches_recording() const {
  if (simulation_->tick() <= first_ || simulation_->tick() > last()) return std::nullopt;
  return tick_hash_of(simulation_->hash()) == recorded(simulation_->tick()).hash;
}

std::vector<TickRange> ReplayCursor::diverged() const {
  return ranges_of(first_ + 1, verdicts_.size(),
                   [&](std::size_t i) { return verdicts_[i] == Verdict::Differs; });
}

}  // namespace jostle::record
