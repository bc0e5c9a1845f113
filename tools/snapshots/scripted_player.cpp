#include "tools/snapshots/scripted_player.h"

#include <cmath>
#include <cstddef>

namespace jostle::snapshots {
namespace {

/// The random behaviour of a player with a given activity.
struct Habit {
  float walks = 0, pulls = 0, pushes = 0;  // probabilities, at each change of the input
  float strength = 0;                      // length of the direction, at most 1
  float reach = 0;                         // m from the centre, at which the player turns back
};
constexpr std::array<Habit, 3> habits{{{0.9f, 0.5f, 0.05f, 0.7f, 11.0f},
                                       {1.0f, 1.0f, 0.0f, 1.0f, 11.0f},
                                       {1.0f, 1.0f, 0.0f, 0.5f, 10.0f}}};

const Habit& habit_of(Activity activity) {
  return habits[static_cast<std::size_t>(activity)];
}

}  // namespace

ScriptedPlayer::ScriptedPlayer(std::uint64_t seed, Activity activity)
    : random_(seed), activity_(activity) {}

state::PlayerInput ScriptedPlayer::next(math::Position place) {
  const float back_x = back(place.x), back_z = back(place.z);
  const bool is_leaving = back_x * held_.move_x < 0.0f || back_z * held_.move_z < 0.0f;
  if (ticks_left_ == 0 || is_leaving) change_mind(place);
  --ticks_left_;
  return held_;
}

void ScriptedPlayer::change_mind(math::Position place) {
  const Habit& habit = habit_of(activity_);
  ticks_left_ = 15 + random_.below(60);
  held_ = {};
  if (random_.chance(habit.walks)) {
    held_.move_x = direction();
    held_.move_z = direction();
  }
  const float back_x = back(place.x), back_z = back(place.z);
  if (back_x != 0.0f) held_.move_x = back_x;
  if (back_z != 0.0f) held_.move_z = back_z;
  const bool is_diagonal = held_.move_x != 0.0f && held_.move_z != 0.0f;
  const float strength = habit.strength * (is_diagonal ? 0.70710678f : 1.0f);
  held_.move_x *= strength;
  held_.move_z *= strength;
  if (random_.chance(habit.pulls)) held_.buttons |= state::button_pull;
  if (random_.chance(habit.pushes)) held_.buttons |= state::button_push;
}

float ScriptedPlayer::direction() {
  return static_cast<float>(random_.below(3)) - 1.0f;
}

/// Returns the direction along one axis towards the centre if the player is beyond its reach,
/// otherwise 0. `x` is the player's coordinate on that axis.
float ScriptedPlayer::back(double x) const {
  const auto reach = static_cast<double>(habit_of(activity_).reach);
  return std::abs(x) > reach ? (x > 0 ? -1.0f : 1.0f) : 0.0f;
}

}  // namespace jostle::snapshots
