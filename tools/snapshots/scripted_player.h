#pragma once

#include "shared/base/random.h"
#include "shared/math/vec3.h"
#include "shared/state/input.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace jostle::snapshots {

/// The intensity with which a scripted player moves the cubes.
enum class Activity : std::uint8_t { Low, Mid, High };
inline constexpr std::array<std::string_view, 3> activity_names{"low", "mid", "high"};

/// Random input of a player that walks among the cubes, determined by a seed. It repeats its
/// input for 15 to 74 ticks, with six bits as in Fiedler's demo: four for the direction, one to
/// pull cubes and one to push them.
class ScriptedPlayer {
 public:
  ScriptedPlayer(std::uint64_t seed, Activity activity);

  /// Returns the input of the player's next tick. `place` is the position of the player's body.
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
