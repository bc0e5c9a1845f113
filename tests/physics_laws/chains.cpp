// Rows 24, 25 and 32: bodies that hang by joints.
#include "tests/physics/joint_scenes.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

/// Returns the largest relative stretch of a chain of twenty capsules with ball joints, at rest and
/// then swinging. A bob of `ratio` times a link's mass hangs from its end.
double loaded_chain_error(float ratio) {
  World world(without_sleep());
  constexpr double link = 0.5;
  constexpr int count = 20;
  const BodyHandle anchor = add_anchor(world, {});
  BodyHandle above = anchor;
  for (int i = 0; i < count; ++i) {
    const BodyHandle next = add_body(world, MotionType::Dynamic, {{0, -(i + 0.5) * link, 0}, {}},
                                     ghost(state::capsule(0.2f, 0.05f)));
    world.create_joint(
        make_joint_def(world, JointKind::Ball, above, next, {0, -i * link, 0}, {0, 1, 0}));
    above = next;
  }
  BodyDef def;
  def.pose.position = {0, -(count + 1) * link, 0};
  def.mass = ratio * world.mass(above);
  const BodyHandle bob = world.create_body(def);
  world.add_shape(bob, ghost(state::sphere(0.4f)));
  world.create_joint(
      make_joint_def(world, JointKind::Ball, above, bob, {0, -count * link, 0}, {0, 1, 0}));
  const double whole = (count + 1) * link;
  double worst = 0;
  for (int i = 0; i < 1200; ++i) {
    if (i == 600) world.set_velocity(bob, {3, 0, 0}, {});
    world.step();
    worst = std::max(worst, size_of(world.centre_of_mass(bob)) / whole - 1);
  }
  return worst;
}

/// The curve of a rope with the length `length` that hangs between two points at the same height,
/// `span` apart. It is y = a·cosh(x/a), apart from a constant; x = 0 is the middle.
struct Catenary {
  double span, length, a;

  Catenary(double its_span, double its_length) : span(its_span), length(its_length), a(1) {
    double low = 0.01 * span, high = 100 * span;
    for (int i = 0; i < 200; ++i) {
      a = (low + high) / 2;
      (2 * a * std::sinh(span / (2 * a)) > length ? low : high) = a;
    }
  }
  /// Returns the height at the horizontal distance `x` from the middle, relative to the ends.
  double height(double x) const { return a * (std::cosh(x / a) - std::cosh(span / (2 * a))); }
  /// Returns the point at the arc length `s` from the middle of the rope.
  Position at(double s) const {
    const double x = a * std::asinh(s / a);
    return {x, height(x), 0};
  }
};

/// Returns the largest vertical distance of a link's centre from the catenary, relative to the sag,
/// after a damped chain of forty links has hung for half a minute.
double hanging_chain_error() {
  World world(without_sleep());
  constexpr int count = 40;
  const Catenary rope(10, 15);
  const double link = rope.length / count;
  BodyHandle last = add_anchor(world, rope.at(-rope.length / 2));
  std::vector<BodyHandle> links;
  for (int i = 0; i < count; ++i) {
    const Position from = rope.at(i * link - rope.length / 2);
    const Position to = rope.at((i + 1) * link - rope.length / 2);
    BodyDef def;
    def.linear_damping = def.angular_damping = 0.5f;
    def.pose.position = {(from.x + to.x) / 2, (from.y + to.y) / 2, 0};
    const double lean = std::atan2(to.y - from.y, to.x - from.x) - pi / 2;
    def.pose.rotation = math::from_axis_angle({0, 0, 1}, static_cast<float>(lean));
    links.push_back(world.create_body(def));
    world.add_shape(links.back(),
                    ghost(state::capsule(static_cast<float>(link / 2 - 0.05), 0.05f)));
    world.create_joint(make_joint_def(world, JointKind::Ball, last, links.back(), from, {1, 0, 0}));
    last = links.back();
  }
  const Position end = rope.at(rope.length / 2);
  world.create_joint(
      make_joint_def(world, JointKind::Ball, last, add_anchor(world, end), end, {1, 0, 0}));
  run(world, 1800);
  double worst = 0;
  for (const BodyHandle body : links) {
    const Position is = world.centre_of_mass(body);
    worst = std::max(worst, std::abs(is.y - rope.height(is.x)));
  }
  return worst / -rope.height(0);
}

/// Returns the largest joint error after a minute of random pushes and a second without, over all
/// kinds of joints except servos, gears and racks.
JointFailure pushed_joints_failure() {
  JointFailure worst;
  for (int kind = 0; kind < joint_kind_count; ++kind) {
    World world(without_sleep());
    const BodyHandle pivot = add_anchor(world, {});
    const BodyHandle body = add_body(world, MotionType::Dynamic, {{0.5, 0, 0}, {}},
                                     ghost(state::box({0.5f, 0.1f, 0.2f})));
    JointDef def = make_joint_def(world, static_cast<JointKind>(kind), pivot, body, {}, {0, 0, 1});
    if (def.kind == JointKind::Distance)
      def = make_distance_joint_def(world, pivot, body, {}, {1, 0, 0});
    // A servo holds nothing rigidly. Gears and racks couple the coordinates of other joints and
    // have their own tests (tests/physics/coordinate_laws_test.cpp).
    if (def.kind == JointKind::Servo || def.kind == JointKind::Gear ||
        def.kind == JointKind::RackAndPinion)
      continue;
    if (def.kind == JointKind::Pulley)
      def = make_pulley_joint_def(world, pivot, body, {}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, 1);
    if (def.kind == JointKind::Slider) def.limits = {true, -1, 1};
    world.create_joint(def);
    base::Random random(7);
    for (int i = 0; i < 3540; ++i) {
      if (i % 10 == 0) world.apply_torque(body, random_vector(random, 100));
      if (i % 10 == 5) world.apply_central_force(body, random_vector(random, 1000));
      world.step();
    }
    run(world, 60);
    const JointFailure failure = worst_failure(world);
    worst.gap = std::max(worst.gap, failure.gap);
    worst.lean = std::max(worst.lean, failure.lean);
  }
  return worst;
}

constexpr Law laws[]{
    {24, "chain of 20 links, bob of 100 times a link's mass: stretch", "none",
     "fails by design in Jolt", "", 0.01, [] { return loaded_chain_error(100); }},
    {24, "chain of 20 links, bob of 10,000 times a link's mass: stretch", "none", "", "", 0.01,
     [] { return loaded_chain_error(10000); }},
    {25, "hanging chain of 40 links: distance from the curve, relative to the sag", "a·cosh(x/a)",
     "", "", 5e-3, hanging_chain_error},
    {32, "every kind of joint after 60 s of pushes: anchor gap", "none", "", "m", 5e-4,
     [] { return static_cast<double>(pushed_joints_failure().gap); }},
    {32, "every kind of joint after 60 s of pushes: angle error", "none", "", "°", 0.1,
     [] { return static_cast<double>(pushed_joints_failure().lean) / degree; }},
};

}  // namespace

std::span<const Law> chain_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
