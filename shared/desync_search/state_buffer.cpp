#include "shared/desync_search/state_buffer.h"

#include "shared/base/hash.h"
#include "shared/sim/rules_of.h"

namespace jostle::desync_search {

void StateBuffer::keep(const sim::Simulation& now, const state::TickCommands& commands) {
  if (!past_) past_.emplace(now.scene(), now.options(), sim::new_rules(now));
  if (!hashes_.empty() && now.tick() != hashes_.back().tick + 1) hashes_.clear();
  history_.keep(now, commands);
  hashes_.push_back({now.tick(), now.hash().total});
  if (hashes_.size() > ticks_) hashes_.pop_front();
}

void StateBuffer::clear() {
  history_.clear();
  hashes_.clear();
  past_.reset();
}

std::optional<std::uint64_t> StateBuffer::hash(state::Tick tick) const {
  if (hashes_.empty() || tick < hashes_.front().tick || tick > hashes_.back().tick)
    return std::nullopt;
  return hashes_[static_cast<std::size_t>(tick - hashes_.front().tick)].hash;
}

std::optional<std::uint64_t> StateBuffer::hash_since(state::Tick tick, std::uint32_t count) const {
  if (tick.number < count) return std::nullopt;
  base::Hasher hasher;
  for (std::uint32_t back = count; back-- > 0;) {
    const auto each = hash(state::previous(tick, back));
    if (!each) return std::nullopt;
    hasher.add(*each);
  }
  return hasher.finish();
}

const sim::Simulation* StateBuffer::at(state::Tick tick) {
  if (!past_ || !history_.go_back(tick, *past_)) return nullptr;
  return &*past_;
}

}  // namespace jostle::desync_search
