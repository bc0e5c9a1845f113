// Row 46: mechanisms of the IFToMM Library of Computational Benchmark Problems. docs/ACCURACY.md
// lists the sources of set-ups and reference values (table.cpp).
//
// The library leaves the time step to the engine. Unless a row says otherwise, it is the default
// one, h = 1/240 s per substep. Its targets are the errors of a method of second order:
//
// - A01: the energy error that the library demands; the position error follows from row 5.
// - A02: the published errors of EXUDYN, whose method is of second order, scaled to h.
// - others: (ω·h)² times the energy or size of the motion, with its greatest angular velocity ω.
#include "shared/math/trig.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/mechanism.h"
#include "tests/physics_laws/worlds.h"

#include <array>

namespace jostle::physics::laws {
namespace {

using math::Vec3d;

/// The largest errors of a run.
struct MechanismErrors {
  double position = 0;  // m
  double energy = 0;    // J
  Position end;         // the measured point at the end, m
};

WorldOptions at_rate(double hertz) {
  WorldOptions options = without_sleep();
  options.step_seconds = static_cast<float>(1 / hertz);
  return options;
}

/// Adds a body with its frame at its centre of mass. `inertia` is in kg·m².
BodyHandle add_part(World& world, double mass, const math::Mat3& inertia, Vec3d at) {
  BodyDef def;
  def.pose.position = {at.x, at.y, at.z};
  def.mass = static_cast<float>(mass);
  def.centre_of_mass = Vec3{};
  def.inertia = inertia;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, ghost(state::sphere(0.01f)));
  return body;
}
BodyHandle add_part(World& world, double mass, Vec3d moments, Vec3d at) {
  return add_part(world, mass, math::diagonal(math::narrowed(moments)), at);
}
Position placed(Vec3d p) {
  return {p.x, p.y, p.z};
}
void add_hinge(World& world, BodyHandle a, BodyHandle b, Vec3d at, Vec3 axis) {
  world.create_joint(make_joint_def(world, JointKind::Hinge, a, b, placed(at), axis));
}
double distance(Position a, Vec3d b) {
  return laws::distance(a, placed(b));
}

/// Steps the world for `seconds`. Compares a point of the engine with a point of the reference.
template <typename Is, typename Should>
MechanismErrors compare(World& world, Mechanism& reference, double seconds, Is&& is,
                        Should&& should) {
  MechanismErrors errors;
  const double energy = total_energy(world), h = static_cast<double>(world.options().step_seconds);
  const int steps = static_cast<int>(std::lround(seconds / h));
  for (int i = 0; i < steps; ++i) {
    world.step();
    reference.advance(h);
    errors.position = std::max(errors.position, distance(is(), should(reference.q)));
    errors.energy = std::max(errors.energy, std::abs(total_energy(world) - energy));
  }
  errors.end = is();
  return errors;
}

// A01: a mass of 1 kg swings on a massless rod of 1 m, from the horizontal.
Vec3d pendulum_bob(double q) {
  return {-std::cos(q), -std::sin(q), 0};
}
MechanismErrors pendulum(double hertz) {
  World world(at_rate(hertz));
  const BodyHandle pivot = add_anchor(world, {});
  const BodyHandle bob = add_part(world, 1, Vec3d{1e-5, 1e-5, 1e-5}, pendulum_bob(0));
  world.create_joint(make_joint_def(world, JointKind::Ball, pivot, bob, {}, {0, 0, 1}));
  Mechanism reference([](double q) { return std::vector<PointMass>{{1, pendulum_bob(q)}}; }, 0, 0);
  return compare(
      world, reference, 10, [&] { return world.centre_of_mass(bob); }, pendulum_bob);
}

// A02: five rods of 1 kg and 1 m form two windows side by side. The upright rods stand and start to
// fall at 1 rad/s. Each time when all rods lie in a line, the mechanism has two more degrees of
// freedom.
Vec3d window_corner(double q) {
  return {std::sin(q), std::cos(q), 0};
}
std::vector<PointMass> window_points(double q) {
  // The upright rods have the mass 1/3 kg at the distance of the corner; the others only translate.
  const Vec3d corner = window_corner(q), middle = corner * 0.5;
  const double end = 1 / 6.0, centre = 4 / 6.0;
  return {{2, corner}, {3 * end, corner}, {3 * centre, middle}};
}
/// The reference values of the end of the first rod at 10 s are those of EXUDYN's test suite.
constexpr Vec3d window_end{0.32846, 0.94452, 0};
MechanismErrors windows() {
  World world(without_sleep());
  const BodyHandle ground = add_anchor(world, {});
  const Vec3d upright{1 / 12.0, 1e-3, 1 / 12.0}, flat{1e-3, 1 / 12.0, 1 / 12.0};
  std::array<BodyHandle, 3> rods;
  const Vec3 axis{0, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = static_cast<double>(i);
    rods[i] = add_part(world, 1, upright, {x, 0.5, 0});
    world.set_velocity(rods[i], {0.5f, 0, 0}, {0, 0, -1});
    add_hinge(world, ground, rods[i], {x, 0, 0}, axis);
    if (i == 0) continue;
    const BodyHandle top = add_part(world, 1, flat, {x - 0.5, 1, 0});
    world.set_velocity(top, {1, 0, 0}, {});
    add_hinge(world, rods[i - 1], top, {x - 1, 1, 0}, axis);
    add_hinge(world, top, rods[i], {x, 1, 0}, axis);
  }
  Mechanism reference(window_points, 0, 1);
  return compare(
      world, reference, 10,
      [&] {
        return transform_point(world.pose(rods[0]), Vec3{0, 0.5f, 0});
      },
      window_corner);
}

// A03: Andrews' squeezing mechanism. Seven bodies in three loops, driven by a constant torque.
struct AndrewsAngles {
  double beta, theta, gamma, phi, delta, omega, epsilon;
};
constexpr AndrewsAngles andrews_start{-0.0617138900142764, 0,
                                      0.455279819163070,   0.222668390165886,
                                      0.487364979543843,   -0.222668390165886,
                                      1.23054744454982};
/// At 0.03 s, from Mazzia and Magherini, "Test Set for Initial Value Problem Solvers", release 2.4,
/// 2008.
constexpr AndrewsAngles andrews_end{15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                    -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                    1.048080741042263};
/// Returns the largest error of the rotations of the bodies after 0.03 s, in rad.
double andrews_error() {
  constexpr double hertz = 5000;
  WorldOptions options = at_rate(hertz);
  options.gravity = {};
  options.max_angular_speed = 1e4f;
  World world(options);
  const BodyHandle ground = add_anchor(world, {});
  const AndrewsAngles& q = andrews_start;
  const auto along = [](double angle) { return Vec3d{std::cos(angle), std::sin(angle), 0}; };
  const auto left_of = [](double angle) { return Vec3d{-std::sin(angle), std::cos(angle), 0}; };
  const Vec3d a{-0.06934, -0.00227, 0}, b{-0.03635, 0.03273, 0}, c{0.014, 0.072, 0};
  const Vec3d f = along(q.beta) * 0.007, e = f - along(q.beta + q.theta) * 0.028;
  const Vec3d g_joint = a + along(q.delta) * 0.04, h_joint = a - left_of(q.epsilon) * 0.04;
  const Vec3d d_local{0.02, -0.018, 0};
  std::vector<BodyHandle> bodies;
  const auto add = [&](double mass, double inertia, Vec3d at) {
    bodies.push_back(add_part(world, mass, Vec3d{inertia, inertia, inertia}, at));
    return bodies.back();
  };
  const BodyHandle of = add(0.04325, 2.194e-6, along(q.beta) * 0.00092);
  const BodyHandle fe = add(0.00365, 4.410e-7, f - along(q.beta + q.theta) * 0.0115);
  const BodyHandle bde =
      add(0.02373, 5.255e-6, b + along(q.gamma) * 0.01043 - left_of(q.gamma) * 0.01874);
  const BodyHandle eg =
      add(0.00706, 5.667e-7, g_joint - left_of(q.phi + q.delta) * (0.02 - 0.01421));
  const BodyHandle ag =
      add(0.07050, 1.169e-5, a + along(q.delta) * 0.02308 + left_of(q.delta) * 0.00916);
  const BodyHandle he =
      add(0.00706, 5.667e-7, h_joint + along(q.omega + q.epsilon) * (0.02 - 0.01421));
  const BodyHandle ah =
      add(0.05498, 1.912e-5, a - left_of(q.epsilon) * 0.01228 - along(q.epsilon) * 0.00449);
  const Vec3 axis{0, 0, 1};
  add_hinge(world, ground, of, {}, axis);
  add_hinge(world, of, fe, f, axis);
  for (const BodyHandle body : {bde, eg, he})
    add_hinge(world, fe, body, e, axis);
  add_hinge(world, ground, bde, b, axis);
  add_hinge(world, eg, ag, g_joint, axis);
  add_hinge(world, ground, ag, a, axis);
  add_hinge(world, he, ah, h_joint, axis);
  add_hinge(world, ground, ah, a, axis);
  std::array<double, 7> turned_by{};
  const Vec3d d_start = b + along(q.gamma) * d_local.x + left_of(q.gamma) * d_local.y;
  const Vec3d arm = d_start - (b + along(q.gamma) * 0.01043 - left_of(q.gamma) * 0.01874);
  const int steps = static_cast<int>(std::lround(0.03 * hertz));
  std::array<double, 7> before{};
  for (int i = 0; i < steps; ++i) {
    // The spring is evaluated in the middle of the step.
    const Position d = transform_point(world.pose(bde), math::narrowed(arm));
    const Vec3d rope =
        Vec3d{d.x - c.x, d.y - c.y, 0} + math::widened(world.velocity_at(bde, d)) * (0.5 / hertz);
    const double long_ = length(rope), force = 4530 * (long_ - 0.07785);
    world.apply_force(bde, math::narrowed(rope * (-force / long_)), d);
    world.apply_torque(of, {0, 0, 0.033f});
    world.step();
    for (std::size_t k = 0; k < 7; ++k) {
      const math::Quat r = world.pose(bodies[k]).rotation;
      const double angle = 2 * std::atan2(static_cast<double>(r.z), static_cast<double>(r.w));
      turned_by[k] += std::remainder(angle - before[k], 2 * pi);
      before[k] = angle;
    }
  }
  const AndrewsAngles& end = andrews_end;
  const std::array<double, 7> wanted{
      end.beta - q.beta,      end.beta + end.theta - q.beta - q.theta,
      end.gamma - q.gamma,    end.phi + end.delta - q.phi - q.delta,
      end.delta - q.delta,    end.omega + end.epsilon - q.omega - q.epsilon,
      end.epsilon - q.epsilon};
  double worst = 0;
  for (std::size_t k = 0; k < 7; ++k)
    worst = std::max(worst, std::abs(turned_by[k] - wanted[k]));
  return worst;
}

// A04: Bricard's mechanism. Five rods of 1 kg with a square section and six hinges along the edges
// of a cube; one constraint is redundant.
constexpr std::array<Vec3d, 6> cube_corners{
    {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}}};
constexpr std::array<Vec3d, 6> cube_axes{
    {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
/// Returns where rod `rod` carries the point `p` of the initial pose. The hinges turn the chain
/// alternately by the angles 2·atan x and 2·atan y with (1 + x²)(1 + y²) = 4, which closes the
/// loop; q is the polar angle of (x, y).
Vec3d bricard_point(std::size_t rod, Vec3d p, double q) {
  const double s = std::sin(2 * q), r = std::sqrt(6 / (1 + std::sqrt(1 + 3 * s * s)));
  const double even = pi / 2 - 2 * std::atan(r * std::cos(q));
  const double odd = pi / 2 - 2 * std::atan(r * std::sin(q));
  for (std::size_t i = rod + 1; i-- > 0;)
    p = cube_corners[i] + turned(p - cube_corners[i], cube_axes[i], i % 2 == 0 ? even : odd);
  return p;
}
std::vector<PointMass> bricard_points(double q) {
  std::vector<PointMass> points;
  for (std::size_t rod = 0; rod < 5; ++rod) {
    const Vec3d from = cube_corners[rod], to = cube_corners[rod + 1];
    const Vec3d middle = (from + to) * 0.5, along = (to - from) * 0.5;
    // A box has the moments of inertia of six equal masses at the centres of its faces.
    const Vec3d side = cube_axes[rod] * 0.05, other = cross(along, side) * 2;
    for (const Vec3d arm : {along, side, other})
      for (const double sign : {-1.0, 1.0})
        points.push_back({1 / 6.0, bricard_point(rod, middle + arm * sign, q)});
  }
  return points;
}
MechanismErrors bricard() {
  World world(without_sleep());
  const BodyHandle ground = add_anchor(world, {});
  std::vector<BodyHandle> rods;
  for (std::size_t rod = 0; rod <= 5; ++rod) {
    const Vec3d from = cube_corners[rod];
    const Vec3 axis = math::narrowed(cube_axes[rod]);
    const BodyHandle before = rod == 0 ? ground : rods.back();
    if (rod == 5) {
      add_hinge(world, before, ground, from, axis);
      break;
    }
    const Vec3d to = cube_corners[rod + 1], along = to - from;
    const double thick = 0.01 / 6, thin = (1 + 0.01) / 12;
    const auto moment = [&](double c) { return c != 0 ? thick : thin; };
    const Vec3d moments{moment(along.x), moment(along.y), moment(along.z)};
    rods.push_back(add_part(world, 1, moments, (from + to) * 0.5));
    add_hinge(world, before, rods.back(), from, axis);
  }
  Mechanism reference(bricard_points, pi / 4, 0);
  return compare(
      world, reference, 10,
      [&] {
        return transform_point(world.pose(rods[1]), Vec3{0, -0.5f, 0});
      },
      [](double q) { return bricard_point(1, cube_corners[2], q); });
}

// Spatial slider-crank mechanism: a crank of 0.08 m that starts at 6 rad/s, a rod of 0.3 m and a
// slider of 2 kg on the x axis. A ball joint holds the rod to the crank, and a universal joint,
// with an axis along x, holds it to the slider.
constexpr Vec3d crank_centre{0, 0.12, -0.1};
Vec3d crank_pin(double q) {
  return crank_centre + Vec3d{0, std::cos(q), std::sin(q)} * 0.08;
}
Vec3d slider_position(double q) {
  const Vec3d pin = crank_pin(q);
  return {std::sqrt(0.09 - pin.y * pin.y - pin.z * pin.z), 0, 0};
}
/// Axes of the rod. The first points to the slider; the second is that of the universal joint.
std::array<Vec3d, 3> rod_axes(double q) {
  const Vec3d along = (slider_position(q) - crank_pin(q)) * (1 / 0.3);
  const Vec3d across = cross({1, 0, 0}, along);
  const Vec3d second = across * (1 / length(across));
  return {along, second, cross(along, second)};
}
std::vector<PointMass> slider_crank_points(double q) {
  // The centre of mass of the crank is on its axis; 0.12 kg at 0.0289 m give 1e-4 kg·m².
  const Vec3d arm = (crank_pin(q) - crank_centre) * (std::sqrt(1e-4 / 0.12) / 0.08);
  std::vector<PointMass> points{
      {2, slider_position(q)}, {0.06, crank_centre + arm}, {0.06, crank_centre - arm}};
  // Six equal masses give the rod the moments 4e-4, 4e-3 and 4e-3 kg·m².
  const std::array<Vec3d, 3> axes = rod_axes(q);
  const Vec3d middle = (crank_pin(q) + slider_position(q)) * 0.5;
  for (std::size_t i = 0; i < 3; ++i)
    for (const double sign : {-1.0, 1.0})
      points.push_back(
          {0.5 / 6, middle + axes[i] * (sign * std::sqrt(3 * (i == 0 ? 0.0038 : 0.0002) / 0.5))});
  return points;
}
/// Connects the slider and the rod by a six-axis joint that turns about the x axis of the slider
/// and about the unit vector `axis` of the rod, which is perpendicular to x.
void add_universal_joint(World& world, BodyHandle slider, BodyHandle rod, Vec3d axis) {
  // In the frame of the joint, x is the axis of the rod, y that of the slider, and z is locked.
  const double angle = std::atan2(-axis.z, -axis.y);
  const math::Quat frame = math::from_axis_angle({1, 0, 0}, static_cast<float>(angle)) *
                           math::from_axis_angle({0, 0, 1}, static_cast<float>(-pi / 2));
  JointDef def = make_six_dof_joint_def(world, slider, rod, placed(slider_position(0)), frame);
  for (const std::size_t free : {3U, 4U})
    def.details.edit().axes[free].freedom = JointFreedom::Free;
  world.create_joint(def);
}
/// The universal joint is a six-axis joint, or two hinges with a body of 1 g between them.
MechanismErrors slider_crank(bool has_six_axis_joint) {
  World world(without_sleep());
  const BodyHandle ground = add_anchor(world, {});
  const BodyHandle crank = add_part(world, 0.12, Vec3d{1e-4, 1e-4, 1e-4}, crank_centre);
  world.set_velocity(crank, {}, {6, 0, 0});
  const std::array<Vec3d, 3> axes = rod_axes(0);
  // A symmetric rod has the inertia 4e-3 − (4e-3 − 4e-4)·u·uᵀ along the unit vector u.
  const auto column = [&](Vec3d unit) {
    return math::narrowed(unit * 4e-3 - axes[0] * (dot(axes[0], unit) * 3.6e-3));
  };
  const BodyHandle rod =
      add_part(world, 0.5, math::Mat3{column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})},
               (crank_pin(0) + slider_position(0)) * 0.5);
  world.set_velocity(rod, {0.12f, 0, 0.24f}, {1.69411765f, 0.70588235f, 0.84705882f});
  const BodyHandle slider = add_part(world, 2, Vec3d{1e-4, 1e-4, 1e-4}, slider_position(0));
  world.set_velocity(slider, {0.24f, 0, 0}, {});
  add_hinge(world, ground, crank, crank_centre, {1, 0, 0});
  world.create_joint(
      make_joint_def(world, JointKind::Ball, crank, rod, placed(crank_pin(0)), {1, 0, 0}));
  world.create_joint(make_joint_def(world, JointKind::Slider, ground, slider,
                                    placed(slider_position(0)), {1, 0, 0}));
  if (has_six_axis_joint) {
    add_universal_joint(world, slider, rod, axes[1]);
  } else {
    const BodyHandle cross_piece =
        add_part(world, 1e-3, Vec3d{1e-6, 1e-6, 1e-6}, slider_position(0));
    world.set_velocity(cross_piece, {0.24f, 0, 0}, {});
    add_hinge(world, slider, cross_piece, slider_position(0), {1, 0, 0});
    add_hinge(world, cross_piece, rod, slider_position(0), math::narrowed(axes[1]));
  }
  Mechanism reference(slider_crank_points, 0, 6);
  return compare(
      world, reference, 5, [&] { return world.centre_of_mass(slider); }, slider_position);
}

const MechanismErrors& window_errors() {
  static SharedErrors errors([] { return windows(); });
  return errors.get();
}
const MechanismErrors& bricard_errors() {
  static SharedErrors errors([] { return bricard(); });
  return errors.get();
}
const MechanismErrors& slider_crank_errors() {
  static SharedErrors errors([] { return slider_crank(false); });
  return errors.get();
}

#define JOSTLE_LOOPS "closed loops of joints are solved by Gauss–Seidel passes over soft joints. "
constexpr Law laws[]{
    {46, "IFToMM: pendulum from the horizontal, 10 s: position", "elliptic functions", "", "m",
     2e-3, [] { return pendulum(60).position; }},
    {46, "IFToMM: pendulum from the horizontal, 10 s at 500 Hz: energy", "constant",
     "EXUDYN 5e-5 J at 1,250 Hz", "J", 5e-5, [] { return pendulum(500).energy; }},
    {46, "IFToMM: two four-bar windows: end of the first rod after 10 s", "(0.32846, 0.94452) m",
     "EXUDYN 5e-5 m at 1,000 Hz", "m", 8e-4,
     [] { return distance(window_errors().end, window_end); }, 0.5,
     JOSTLE_LOOPS "The loss of energy delays the motion, which is slowest at the top."},
    {46, "IFToMM: two four-bar windows, 10 s: energy (70 J in motion)", "constant",
     "EXUDYN 0.114 J at 100 Hz, 0.0011 J at 1,000 Hz", "J", 0.02,
     [] { return window_errors().energy; }, 0.6, JOSTLE_LOOPS "The passes lose energy."},
    {46, "IFToMM: Andrews' squeezing mechanism, 0.03 s at 5,000 Hz: angles of the bodies",
     "15.811 rad at the crank", "", "rad", 0.03, andrews_error},
    {46, "IFToMM: Bricard's mechanism, 10 s: position of a corner", "closed loop, one coordinate",
     "", "m", 1e-3, [] { return bricard_errors().position; }, 0.015,
     JOSTLE_LOOPS "Here one of their constraints is redundant."},
    {46, "IFToMM: Bricard's mechanism, 10 s: energy (4.6 J in motion)", "constant", "", "J", 5e-4,
     [] { return bricard_errors().energy; }, 0.06,
     JOSTLE_LOOPS "Here one of their constraints is redundant, too."},
    {46, "IFToMM: spatial slider-crank, 5 s: position of the slider", "one coordinate", "", "m",
     5e-3, [] { return slider_crank_errors().position; }},
    {46, "IFToMM: spatial slider-crank, 5 s: energy (0.4 J in motion)", "constant", "", "J", 4e-3,
     [] { return slider_crank_errors().energy; }},
    {46, "IFToMM: spatial slider-crank with a six-axis joint, 5 s: energy", "constant", "", "J",
     4e-3, [] { return slider_crank(true).energy; }},
};
#undef JOSTLE_LOOPS

}  // namespace

std::span<const Law> multibody_library_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
