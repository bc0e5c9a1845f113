#pragma once

#include "shared/base/random.h"
#include "shared/math/vec3.h"
#include "shared/state/input.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace jostle::snapshots {

/// How much a scripted player stirs the cubes up.
enum class Activity : std::uint8_t { Low, Mid, High };
inline constexpr std::array<std::string_view, 3> activity_names{"low", "mid", "high"};

/// Walks among the cubes by a seed. He holds directions for a while each, six bits of input as in
/// Fiedler's demo: four of direction, one that draws cubes near and one that pushes them away.
class ScriptedPlayer {
 public:
  ScriptedPlayer(std::uint64_t seed, Activity activity);

  /// What he does in the next tick, being at `place`.
  state::PlayerInput next(math::Position place);

 private:
  void change_mind(math::Position place);
  float direction();
  float back(double x) const;

  base::Random random_;
  Activity activity_;
  state::PlayerInput held_;
  std::uint32_t ticks_left_ = 0;
};

}  // namespace jostle::snapshots
