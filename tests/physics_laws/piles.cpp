// Rows 27 and 28: many bodies at once.
#include "shared/geometry/surface.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

struct Momenta {
  Position linear, angular;  // linear momentum, and angular momentum about the origin
  double linear_sizes = 0, angular_sizes = 0;  // sums of the magnitudes over all bodies
};

Momenta momenta_of(const World& world) {
  Momenta sum;
  for (const BodyHandle body : world.bodies()) {
    const double mass = static_cast<double>(world.mass(body));
    const Position v = math::to_position(world.linear_velocity(body));
    const Position at = world.centre_of_mass(body);
    const Position own = math::to_position(angular_momentum(world, body));
    const Position linear{mass * v.x, mass * v.y, mass * v.z};
    const Position angular{at.y * linear.z - at.z * linear.y + own.x,
                           at.z * linear.x - at.x * linear.z + own.y,
                           at.x * linear.y - at.y * linear.x + own.z};
    sum.linear = {sum.linear.x + linear.x, sum.linear.y + linear.y, sum.linear.z + linear.z};
    sum.angular = {sum.angular.x + angular.x, sum.angular.y + angular.y, sum.angular.z + angular.z};
    sum.linear_sizes += size_of(linear);
    sum.angular_sizes += size_of(angular);
  }
  return sum;
}

struct MomentumErrors {
  double linear = 0, angular = 0;  // relative to the sums of the magnitudes
};

/// Returns the errors of the momenta of sixty bodies that collide for five seconds, in `rate` steps
/// per second.
MomentumErrors cloud_errors(int rate) {
  WorldOptions options = without_gravity();
  options.step_seconds = 1 / static_cast<float>(rate);
  World world(options);
  base::Random random(3);
  for (int i = 0; i < 60; ++i) {
    const Position at{(i % 4) * 1.2, (i / 4 % 4) * 1.2, (i / 16) * 1.2};
    const ShapeDef shape = shape_def(random_shape(random));
    const BodyHandle body =
        add_body(world, MotionType::Dynamic, {at, random_rotation(random)}, shape);
    const Vec3 inward = math::to_vec3({1.8, 1.8, 1.8}) - math::to_vec3(at);
    world.set_velocity(body, inward * 2.0f, random_vector(random, 3));
  }
  const Momenta before = momenta_of(world);
  run(world, 5 * rate);
  const Momenta after = momenta_of(world);
  return {distance(after.linear, before.linear) / before.linear_sizes,
          distance(after.angular, before.angular) / before.angular_sizes};
}

/// Returns the mean overlap over all overlapping contact points, during five seconds after a block
/// of 216 balls was dropped.
double dropped_block_error() {
  World world(without_sleep());
  add_ground(world);
  for (int i = 0; i < 216; ++i)
    add_dynamic(world, {i % 6 * 1.0, 1.5 + i / 6 % 6, i / 36 * 1.0}, state::sphere(0.5f));
  double sum = 0;
  int count = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    for (const ContactView& contact : world.contacts()) {
      for (int k = 0; k < contact.point_count; ++k) {
        const float separation = contact.points[static_cast<std::size_t>(k)].separation;
        if (separation >= 0) continue;
        sum -= static_cast<double>(separation);
        ++count;
      }
    }
  }
  return count > 0 ? sum / count : 0;
}

// Two smooth balls show that the error of row 27 cannot be avoided with one normal per step.
constexpr const char* one_normal =
    "normals and points of contacts are found once per step. Impulses F between two smooth balls "
    "must act at their centres, along the normal; otherwise the balls would spin or feel friction. "
    "If the balls have slid by d since the normal was found, the two opposite impulses have the "
    "moment d × F. The error is therefore roughly proportional to the step.";

constexpr Law laws[]{
    {27, "60 colliding bodies without gravity: linear momentum", "constant", "", "", 1e-5,
     [] { return cloud_errors(60).linear; }},
    {27, "60 colliding bodies without gravity: angular momentum", "constant", "", "", 1e-5,
     [] { return cloud_errors(60).angular; }, 1e-3, one_normal},
    {27, "60 colliding bodies without gravity, 960 Hz: angular momentum", "constant", "", "", 1e-5,
     [] { return cloud_errors(960).angular; }, 5e-5, one_normal},
    {28, "216 balls dropped as a block: mean overlap", "none", "", "m", 1e-3, dropped_block_error},
};

}  // namespace

std::span<const Law> pile_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
