#include "shared/lockstep/state_memory.h"

#include "shared/base/hash.h"
#include "shared/sim/stock_rules.h"

namespace jostle::lockstep {

void StateMemory::keep(const sim::Simulation& now, const state::TickCommands& commands) {
  if (!past_) past_.emplace(now.scene(), now.options(), sim::stock_rules());
  if (!hashes_.empty() && now.tick() != hashes_.back().tick + 1) hashes_.clear();
  history_.keep(now, commands);
  hashes_.push_back({now.tick(), now.hash().total});
  if (hashes_.size() > ticks_) hashes_.pop_front();
}

void StateMemory::clear() {
  history_.clear();
  hashes_.clear();
  past_.reset();
}

std::optional<std::uint64_t> StateMemory::hash(state::Tick tick) const {
  if (hashes_.empty() || tick < hashes_.front().tick || tick > hashes_.back().tick)
    return std::nullopt;
  return hashes_[static_cast<std::size_t>(tick - hashes_.front().tick)].hash;
}

std::optional<std::uint64_t> StateMemory::hash_since(state::Tick tick, std::uint32_t count) const {
  if (tick.number < count) return std::nullopt;
  base::Hasher hasher;
  for (std::uint32_t back = count; back-- > 0;) {
    const auto each = hash(state::previous(tick, back));
    if (!each) return std::nullopt;
    hasher.add(*each);
  }
  return hasher.finish();
}

const sim::Simulation* StateMemory::at(state::Tick tick) {
  if (!past_ || !history_.go_back(tick, *past_)) return nullptr;
  return &*past_;
}

}  // namespace jostle::lockstep
