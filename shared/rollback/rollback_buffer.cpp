#include "shared/rollback/rollback_buffer.h"

#include "shared/base/assert.h"
#include "shared/compression/compression.h"

#include <algorithm>
#include <utility>

namespace jostle::rollback {
namespace {

constexpr std::size_t group_ticks = 8;

std::vector<std::byte> saved(const sim::Simulation& simulation, std::size_t size_of_last) {
  base::ByteWriter writer;
  writer.reserve(size_of_last + size_of_last / 8);
  simulation.save(writer);
  return writer.take();
}

}  // namespace

RollbackBuffer::RollbackBuffer(std::uint32_t ticks) : ticks_(ticks) {
  JOSTLE_ASSERT(ticks > 0);
}

void RollbackBuffer::keep(const sim::Simulation& now, state::TickCommands commands) {
  if (newest() && now.tick() != *newest() + 1) clear();
  const bool is_group_full =
      groups_.empty() || groups_.back().differences.size() + 1 == group_ticks;
  std::vector<std::byte> state = saved(now, groups_.empty() ? 0 : groups_.back().whole.size());
  if (is_group_full) {
    groups_.push_back({now.tick(), std::move(state), {}, {}});
    // Drop the oldest group once the later groups cover `ticks_` ticks.
    while (groups_.size() > 1 && groups_.back().first - groups_[1].first >= std::int64_t{ticks_})
      groups_.pop_front();
  } else {
    Group& group = groups_.back();
    group.differences.push_back(
        {compression::compress_with_prefix(state, group.whole), state.size()});
  }
  groups_.back().commands.push_back(std::move(commands));
}

std::optional<state::Tick> RollbackBuffer::oldest() const {
  if (groups_.empty()) return std::nullopt;
  return groups_.front().first;
}

std::optional<state::Tick> RollbackBuffer::newest() const {
  if (groups_.empty()) return std::nullopt;
  return groups_.back().last();
}

const RollbackBuffer::Group* RollbackBuffer::group_of(state::Tick tick) const {
  const auto found = std::ranges::find_if(
      groups_, [tick](const Group& group) { return group.first <= tick && tick <= group.last(); });
  return found == groups_.end() ? nullptr : &*found;
}

bool RollbackBuffer::go_back(state::Tick tick, sim::Simulation& simulation) const {
  const Group* group = group_of(tick);
  if (group == nullptr) return false;
  const auto restore = [&simulation](std::span<const std::byte> state) {
    base::ByteReader reader(state);
    return simulation.restore(reader).has_value();
  };
  if (tick == group->first) return restore(group->whole);
  const auto after = static_cast<std::size_t>(tick - group->first);
  const Difference& difference = group->differences[after - 1];
  const auto state =
      compression::decompress_with_prefix(difference.packed, group->whole, difference.raw_bytes);
  return state && restore(*state);
}

const state::TickCommands* RollbackBuffer::commands_of(state::Tick tick) const {
  const Group* group = group_of(tick);
  if (group == nullptr) return nullptr;
  return &group->commands[static_cast<std::size_t>(tick - group->first)];
}

std::size_t RollbackBuffer::bytes_held() const {
  std::size_t bytes = 0;
  for (const Group& group : groups_) {
    bytes += group.whole.size();
    for (const Difference& difference : group.differences)
      bytes += difference.packed.size();
  }
  return bytes;
}

}  // namespace jostle::rollback
