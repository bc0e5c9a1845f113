#include "shared/physics/continuous/put_back.h"

#include "shared/math/trig.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/continuous/stop_at_impacts.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/locked_bodies.h"
#include "shared/physics/stabilizers/adaptive_substeps/island_paths.h"
#include "shared/physics/world/body_state.h"
#include "shared/physics/world/joint_list.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace jostle::physics {

using math::Quat;

namespace {

/// Numbers of joints between a stopped body and a joined body. Up to `together`, the joined body is
/// moved back to the same time as the stopped body; from `apart` on, it is not moved.
constexpr std::uint32_t together = 8, apart = 40;

/// The move of one body back along its path, because of its own stop or of the stop of a joined
/// body.
struct WayBack {
  std::uint32_t body = 0;
  float fraction = 0;      // time to which the body is moved back, as a share of the step
  std::uint32_t stop = 0;  // index in the list of stops
};

bool can_go_back(const Body& body) {
  return is_dynamic(body) && is_active(body);
}

/// Returns the time, as a share of the step, to which a body is moved back. It is `joints` joints
/// away from a stopped body, which is moved back to `fraction`.
float fraction_at(std::uint32_t joints, float fraction) {
  if (joints <= together) return fraction;
  const float share = static_cast<float>(apart - joints) / static_cast<float>(apart - together);
  return 1.0f - (1.0f - fraction) * share;
}

/// Adds the moves back of the body of stop `index` and of the bodies joined to it. Searches breadth
/// first, so that each body is reached over the fewest joints.
void add_ways(const WorldState& world, const std::vector<Stop>& stops, std::uint32_t index,
              std::vector<WayBack>& ways) {
  const Stop& stop = stops[index];
  std::vector<std::uint32_t> edge{stop.body}, next;
  std::set<std::uint32_t> found{stop.body};
  for (std::uint32_t joints = 0; joints < apart && !edge.empty(); ++joints) {
    next.clear();
    for (const std::uint32_t body : edge) {
      ways.push_back({body, fraction_at(joints, stop.fraction), index});
      for_each_joint(world, body, [&](std::uint32_t joint) {
        const JointDef& def = world.joints[joint].def;
        const std::uint32_t other = def.body_a.index == body ? def.body_b.index : def.body_a.index;
        if (can_go_back(world.bodies[other]) && found.insert(other).second) next.push_back(other);
      });
    }
    edge.swap(next);
  }
}

/// Returns the pose of a body at a share of the step. `start` is its pose at the start, and its
/// current pose is the one at the end.
math::Pose pose_at(const WorldState& world, const math::Pose& start, const Body& body,
                   float fraction) {
  const math::Vec3 travel = body.position - start.position;
  const math::Vec3 turn = turn_of_step(world, start, body);
  const float angle = length(turn);
  math::Pose pose{start.position + travel * fraction, body.rotation};
  if (angle > 0.0f) {
    pose.rotation =
        normalized(math::from_axis_angle(turn / angle, angle * fraction) * start.rotation);
  }
  return pose;
}

/// Returns true if the stop's other body is kinematic and moves.
bool is_pushed(const WorldState& world, const Stop& stop) {
  const Body& met = world.bodies[stop.met];
  return !is_dynamic(met) && is_active(met);
}

/// Returns the pose at the end of the step of a body whose pose at the impact is `pose`. The two
/// are equal unless the stop's other body is kinematic. A kinematic body is not stopped: for the
/// rest of the step it carries the stopped body with it.
math::Pose taken_along(const WorldState& world, const Stop& stop, const math::Pose& pose) {
  if (!is_pushed(world, stop)) return pose;
  const Body& met = world.bodies[stop.met];
  const math::Pose then = pose_at(world, stop.met_start, met, stop.fraction);
  const Quat turn = met.rotation * conjugate(then.rotation);
  return {met.position + rotate(turn, pose.position - then.position),
          normalized(turn * pose.rotation)};
}

/// Moves a body with locked axes back along its own path, which respects the locks. It is not
/// carried along by a kinematic body (taken_along).
void move_locked(Body& body, const math::Pose& pose) {
  body.position = locked_position(body.locks, body.position, pose.position);
  if (angular_part(body.locks) != angular_part(state::lock_all)) body.rotation = pose.rotation;
  update_angular_velocity(body);
}

/// Computes the angular velocity of a body whose rotation was changed. The direction of the angular
/// momentum does not change. Its magnitude changes, so that the kinetic energy stays the same: the
/// contact that stopped the body has changed its momentum at the end of the path, which free
/// rotation does not connect with the pose at the impact.
void turn_angular_velocity(Body& body) {
  const float energy = dot(body.angular_momentum, body.angular_velocity);
  body.angular_velocity = inverse_inertia(body) * body.angular_momentum;
  body.turn_ratio = 0;
  const float now = dot(body.angular_momentum, body.angular_velocity);
  if (!(now > 0.0f) || !(energy > 0.0f)) return;
  const float share = std::sqrt(energy / now);
  if (!is_finite(body.angular_momentum * share)) return;
  body.angular_momentum = body.angular_momentum * share;
  body.angular_velocity = body.angular_velocity * share;
}

/// Returns the number of substeps of a path that end before the earliest stop of its bodies.
/// Returns 0 if none of them stops, or if one of them was hit by a moving kinematic body, which
/// takes it along.
std::size_t substeps_before(const WorldState& world, const IslandPath& path,
                            const std::vector<Stop>& stops) {
  float fraction = 1;
  for (const Stop& stop : stops) {
    if (std::ranges::find(path.bodies, stop.body) == path.bodies.end()) continue;
    if (is_pushed(world, stop)) return 0;
    fraction = math::min_of(fraction, stop.fraction);
  }
  if (fraction == 1.0f) return 0;
  return static_cast<std::size_t>(fraction * static_cast<float>(path.substeps()));
}

/// Moves islands that keep their path back to the last substep before the earliest stop of their
/// bodies, and removes these stops.
void return_along_paths(WorldState& world, std::vector<Stop>& stops) {
  if (stops.empty()) return;
  for (const IslandPath& path : world.paths) {
    const std::size_t count = substeps_before(world, path, stops);
    if (count == 0) continue;
    return_along(world, path, count);
    std::erase_if(stops, [&](const Stop& stop) {
      return std::ranges::find(path.bodies, stop.body) != path.bodies.end();
    });
  }
}

void move(WorldState& world, const WayBack& way, const Stop& stop) {
  Body& body = world.bodies[way.body];
  const math::Pose pose = pose_at(world, start_of_step(world, body), body, way.fraction);
  if (body.locks != 0) {
    move_locked(body, pose);
  } else {
    const math::Pose after = taken_along(world, stop, pose);
    body.position = after.position;
    body.rotation = after.rotation;
    turn_angular_velocity(body);
  }
  refresh_proxies(world, way.body);
  forget_points_of_body(world, way.body);
}

}  // namespace

void put_back(WorldState& world, std::vector<Stop> stops) {
  return_along_paths(world, stops);
  std::vector<WayBack> ways;
  for (std::uint32_t i = 0; i < stops.size(); ++i)
    if (can_go_back(world.bodies[stops[i].body])) add_ways(world, stops, i, ways);
  std::ranges::sort(ways, {}, [&](const WayBack& way) {
    return std::tuple(way.body, way.fraction, stops[way.stop].met, stops[way.stop].body);
  });
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (i == 0 || ways[i].body != ways[i - 1].body) move(world, ways[i], stops[ways[i].stop]);
}

}  // namespace jostle::physics
