// Row 45: pendulums of several links keep their energy.
#include "shared/math/trig.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

#include <initializer_list>
#include <vector>

namespace jostle::physics::laws {
namespace {

struct Link {
  float mass = 1;       // kg
  float degrees = 0;    // from the vertical; 0 hangs
  bool is_bob = false;  // true for a ball at the end of a massless rod, false for a rod
};

struct Pendulum {
  std::vector<Link> links;  // each is 1 m long
  JointKind kind = JointKind::Hinge;
  state::Shape rod = state::box({0.025f, 0.5f, 0.025f});
};

struct Links {
  std::vector<BodyHandle> bodies;
  double lowest = 0;  // potential energy if all links hang, J
};

Links add_links(World& world, const Pendulum& pendulum) {
  Links added;
  BodyHandle before = add_anchor(world, {});
  Position at{};
  double above = 0;  // length of the links above, m
  for (const Link& link : pendulum.links) {
    const math::Quat turned =
        math::from_axis_angle({0, 0, 1}, link.degrees * static_cast<float>(degree));
    const Vec3 way = rotate(turned, Vec3{0, -1, 0});
    const float centre = link.is_bob ? 1.0f : 0.5f;
    BodyDef def;
    def.mass = link.mass;
    def.pose = {at + way * centre, turned};
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, ghost(link.is_bob ? state::sphere(0.1f) : pendulum.rod));
    const Position end = at + way * centre;
    world.create_joint(pendulum.kind == JointKind::Distance
                           ? make_distance_joint_def(world, before, body, at, end)
                           : make_joint_def(world, pendulum.kind, before, body, at, {0, 0, 1}));
    added.bodies.push_back(body);
    added.lowest -= g * static_cast<double>(link.mass) * (above + static_cast<double>(centre));
    at = at + way;
    before = body;
    ++above;
  }
  return added;
}

/// Returns the largest change of the energy within `seconds`, relative to the energy above that of
/// the hanging pendulum.
double energy_error(const Pendulum& pendulum, double seconds, float hertz = 60, int substeps = 4) {
  WorldOptions options = without_sleep();
  options.step_seconds = 1 / hertz;
  options.substeps = substeps;
  World world(options);
  const Links links = add_links(world, pendulum);
  const double energy = total_energy(world), scale = energy - links.lowest;
  double worst = 0;
  const int steps = static_cast<int>(seconds * static_cast<double>(hertz));
  for (int i = 0; i < steps; ++i) {
    world.step();
    worst = std::max(worst, std::abs(total_energy(world) - energy) / scale);
  }
  return worst;
}

/// Returns the largest error of double pendulums of rods in 60 s.
double ratios_error() {
  double worst = 0;
  for (const float outer : {1.0f, 3.0f, 10.0f, 20.0f, 50.0f, 100.0f}) {
    worst = std::max(worst, energy_error({{{1, 90}, {outer, 180}}}, 60));
    worst = std::max(
        worst, energy_error(
                   {{{1, 179}, {outer, 178}}, JointKind::Ball, state::capsule(0.45f, 0.05f)}, 60));
  }
  return worst;
}

/// Returns the largest error in 20 s of balls that distance joints join.
double rods_error() {
  double worst = 0;
  for (const float outer : {0.1f, 1.0f, 20.0f, 100.0f}) {
    const JointKind rod = JointKind::Distance;
    worst = std::max(worst, energy_error({{{1, 90, true}, {outer, 180, true}}, rod}, 20));
    worst = std::max(worst,
                     energy_error({{{1, 179, true}, {1, 178, true}, {outer, 179, true}}, rod}, 20));
  }
  return worst;
}

/// Returns the largest error of small swings in 60 s. No link turns fast.
double small_error() {
  double worst = 0;
  for (const float outer : {0.1f, 1.0f, 3.0f, 20.0f, 100.0f})
    worst = std::max(worst, energy_error({{{1, 5}, {outer, 5}}}, 60, 30));
  return worst;
}

/// Returns the largest error in 20 s of pendulums whose light links whip: a heavy bob on two light
/// rods, and a heavy rod on two light ones.
double whip_error() {
  double worst = 0;
  for (const float outer : {10.0f, 50.0f, 100.0f}) {
    worst = std::max(worst, energy_error({{{1, 90, true}, {outer, 180, true}}}, 20));
    worst = std::max(worst, energy_error({{{1, 90}, {1, 180}, {outer, 90}}}, 20));
    worst = std::max(worst, energy_error({{{10, 179}, {1, 178}, {outer, 179}}}, 20));
  }
  return worst;
}

/// Returns the largest error in 20 s at other lengths of the step and numbers of substeps.
double steps_error() {
  double worst = 0;
  for (const float outer : {1.0f, 20.0f, 100.0f}) {
    const Pendulum pendulum{{{1, 90}, {outer, 180}}};
    for (const float hertz : {30.0f, 120.0f, 240.0f})
      worst = std::max(worst, energy_error(pendulum, 20, hertz));
    for (const int substeps : {1, 8})
      worst = std::max(worst, energy_error(pendulum, 20, 60, substeps));
  }
  return worst;
}

constexpr Law laws[]{
    {45, "double pendulums, outer mass 1 to 100 times the inner, 60 s: energy", "constant", "", "",
     0.02, ratios_error},
    {45, "double and triple pendulums of distance joints, 20 s: energy", "constant", "", "", 0.02,
     rods_error},
    {45, "double pendulums at 5°, 30 Hz, 60 s: energy", "constant", "", "", 0.02, small_error},
    {45, "double and triple pendulums with whipping links, 20 s: energy", "constant", "", "", 0.02,
     whip_error},
    {45, "double pendulums, 30 to 240 Hz, 1 to 8 substeps, 20 s: energy", "constant", "", "", 0.02,
     steps_error},
};

}  // namespace

std::span<const Law> double_pendulum_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
