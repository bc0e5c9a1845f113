#include "shared/rollback/rollback_check.h"

#include <algorithm>
#include <utility>

namespace jostle::rollback {

RollbackCheck::RollbackCheck(sim::Simulation other, std::uint32_t ticks)
    : other_(std::move(other)), ticks_(ticks), history_(ticks + 1) {}

std::optional<RollbackCheck::Mismatch> RollbackCheck::check(const sim::Simulation& now,
                                                            const state::TickCommands& commands) {
  history_.keep(now, commands);
  const state::Tick oldest = *history_.oldest();
  const std::int64_t back = std::min<std::int64_t>(ticks_, now.tick() - oldest);
  const state::Tick begin{now.tick().number - static_cast<std::uint32_t>(back)};
  // A rule of a program may refuse the state that it has saved.
  if (!history_.go_back(begin, other_)) return Mismatch{now.tick(), now.hash(), {}};
  while (other_.tick() < now.tick())
    other_.step(*history_.commands_of(other_.tick() + 1));
  const sim::SimulationHash played = now.hash(), replayed = other_.hash();
  if (played == replayed) return std::nullopt;
  return Mismatch{now.tick(), played, replayed};
}

}  // namespace jostle::rollback
