#include "shared/prediction_baseline/detail/pick_bodies.h"

#include "protocol/context/rotation.h"
#include "shared/geometry/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace jostle::prediction_baseline::detail {
namespace {

using math::Position;
using math::Vec3;
using protocol::QuantizedBody;

constexpr float slack = 0.05f;  // additional reach of every body, m
/// Additional reach of a player's force fields, because the player moves during the prediction.
constexpr float field_slack = 0.3f;  // m

Position position_of(const QuantizedBody& body) {
  constexpr double metres = 1.0 / protocol::position_steps_per_metre;
  return {body.position[0] * metres, body.position[1] * metres, body.position[2] * metres};
}

/// The region that a moving body may reach.
struct Ball {
  Position centre;
  float radius = 0;
};

/// A grid of 64 × 64 cells of 1 m in the xz-plane, repeated every 64 m. The centre of a body that
/// overlaps one of the balls always lies in a marked cell.
class Reached {
 public:
  /// Marks the cells. `largest` is the radius of the largest body.
  Reached(std::span<const Ball> balls, float largest) : balls_(balls) {
    for (const Ball& ball : balls)
      mark(ball, largest);
  }

  /// Returns true if a sphere of this radius at `place` overlaps one of the balls.
  bool holds(Position place, float radius) const {
    if (!cells_[cell_of(index_of(place.x), index_of(place.z))]) return false;
    return std::any_of(balls_.begin(), balls_.end(), [&](const Ball& ball) {
      const float reach = ball.radius + radius;
      return math::length_squared(place - ball.centre) < reach * reach;
    });
  }

 private:
  static constexpr std::int64_t side = 64;

  static std::int64_t index_of(double x) { return static_cast<std::int64_t>(std::floor(x)); }
  static std::size_t cell_of(std::int64_t x, std::int64_t z) {
    return static_cast<std::size_t>((z & (side - 1)) * side + (x & (side - 1)));
  }
  void mark(const Ball& ball, float largest) {
    const double reach = std::min(static_cast<double>(ball.radius) + largest, side / 2.0);
    const std::int64_t end_x = index_of(ball.centre.x + reach),
                       end_z = index_of(ball.centre.z + reach);
    for (std::int64_t z = index_of(ball.centre.z - reach); z <= end_z; ++z)
      for (std::int64_t x = index_of(ball.centre.x - reach); x <= end_x; ++x)
        cells_[cell_of(x, z)] = true;
  }

  std::span<const Ball> balls_;
  std::array<bool, side * side> cells_{};
};

/// Returns the region that a body may reach from its baseline, in any direction.
Ball ball_of(const scene::SceneDef& scene, const Role& role, float radius, const Known& known,
             std::size_t i) {
  Ball ball{position_of(known.baseline[i]), radius + slack};
  if (known.gap_ticks > 0) {
    const Vec3 step = ball.centre - position_of(known.previous[i]);
    ball.radius += math::length(step) * static_cast<float>(known.age_ticks + known.gap_ticks) /
                   static_cast<float>(known.gap_ticks);
  }
  if (role.is_steered)
    ball.radius +=
        std::max(scene.player.pull_field.outer, scene.player.push_field.outer) + field_slack;
  return ball;
}

/// Makes a Bystander of each absent body that a joint connects to a Mover.
void add_partners(const scene::SceneDef& scene, std::span<const Role> cast,
                  std::vector<Task>& tasks) {
  if (scene.joints.empty()) return;
  std::vector<Task*> of_scene(scene.bodies.size(), nullptr);
  for (std::size_t i = 0; i < cast.size(); ++i)
    if (cast[i].scene_index) of_scene[*cast[i].scene_index] = &tasks[i];
  for (const scene::SceneJoint& joint : scene.joints) {
    Task *a = of_scene[joint.body_a], *b = of_scene[joint.body_b];
    if (a == nullptr || b == nullptr) continue;
    if (*a == Task::Mover && *b == Task::Absent) *b = Task::Bystander;
    if (*b == Task::Mover && *a == Task::Absent) *a = Task::Bystander;
  }
}

}  // namespace

std::vector<Task> pick_bodies(const scene::SceneDef& scene, std::span<const Role> cast,
                              std::span<const float> radii, const Known& known) {
  std::vector<Task> tasks(cast.size(), Task::Absent);
  std::vector<Ball> balls;
  float largest = 0;
  for (std::size_t i = 0; i < cast.size(); ++i) {
    if (!cast[i].body) continue;
    largest = std::max(largest, radii[i]);
    const bool has_moved = known.gap_ticks > 0 &&
                           !protocol::context::is_same_pose(known.previous[i], known.baseline[i]);
    if (!known.baseline[i].is_awake && !has_moved && !cast[i].is_steered) continue;
    tasks[i] = Task::Mover;
    balls.push_back(ball_of(scene, cast[i], radii[i], known, i));
  }
  const Reached reached(balls, largest);
  for (std::size_t i = 0; i < cast.size(); ++i) {
    if (tasks[i] == Task::Absent && cast[i].body &&
        reached.holds(position_of(known.baseline[i]), radii[i]))
      tasks[i] = Task::Bystander;
  }
  add_partners(scene, cast, tasks);
  return tasks;
}

float radius_of(const scene::SceneBody& body) {
  float radius = 0;
  for (const scene::SceneShape& part : body.shapes) {
    const math::Pose pose{Position{} + part.local.offset, part.local.rotation};
    const math::Aabb box = geometry::bounds(part.shape, pose);
    const Vec3 farthest = math::max_of(math::abs_of(math::to_vec3(box.lower)),
                                       math::abs_of(math::to_vec3(box.upper)));
    radius = std::max(radius, math::length(farthest));
  }
  return radius;
}

}  // namespace jostle::prediction_baseline::detail
