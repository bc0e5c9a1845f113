// Material properties of contacts: static and dynamic friction, combine rules, and material pairs.
#include "shared/math/trig.h"
#include "tests/physics/material_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

struct SlabOnGround {
  World world{without_sleep()};
  BodyHandle slab;
};
SlabOnGround on_ground(const Material& of_ground, const Material& of_slab) {
  SlabOnGround rest;
  add_ground(rest.world, of_ground);
  rest.slab = add_slab(rest.world, {0, 0.1, 0}, of_slab);
  run(rest.world, 30);
  return rest;
}
SlabOnGround on_ground(const Material& both) {
  return on_ground(both, both);
}

/// Returns the speed that a force of `share` times the weight gives to the slab in half a second.
float pulled(SlabOnGround& rest, float share) {
  const float weight = g_single * rest.world.mass(rest.slab);
  for (int i = 0; i < 30; ++i) {
    rest.world.apply_central_force(rest.slab, {share * weight, 0, 0});
    rest.world.step();
  }
  return rest.world.linear_velocity(rest.slab).x;
}

TEST(StaticFriction, HoldsUpToItsLimitAndThenSlidesWithDynamicFriction) {
  SlabOnGround holds = on_ground(sticking(0.6f, 0.3f));
  EXPECT_LT(pulled(holds, 0.59f), 1e-3f);
  SlabOnGround slides = on_ground(sticking(0.6f, 0.3f));
  EXPECT_NEAR(pulled(slides, 0.61f), 0.5f * g_single * 0.31f, 0.02f);
  // The slab slides: a force below the static limit still accelerates it.
  const float before = slides.world.linear_velocity(slides.slab).x;
  EXPECT_NEAR(pulled(slides, 0.5f) - before, 0.5f * g_single * 0.2f, 0.01f);
}

TEST(StaticFriction, HoldsAgainAfterASlideHasStopped) {
  SlabOnGround rest = on_ground(sticking(0.6f, 0.3f));
  for (int i = 0; i < 3; ++i) {
    const double start = rest.world.centre_of_mass(rest.slab).x;
    rest.world.set_velocity(rest.slab, {2, 0, 0}, {});
    run(rest.world, 90);
    const double way = rest.world.centre_of_mass(rest.slab).x - start;
    EXPECT_NEAR(way, 4 / (2 * 0.3 * 9.81), 5e-3);
    EXPECT_LT(length(rest.world.linear_velocity(rest.slab)), 1e-4f);
    EXPECT_LT(pulled(rest, 0.55f), 1e-3f);
  }
}

TEST(StaticFriction, HoldsAgainstATwistingTorque) {
  // A wide slab on a plane is turned about its centre. Friction resists.
  const auto turned = [](float share) {
    SlabOnGround rest = on_ground(sticking(0.6f, 0.3f));
    // 0.6: mean arm of the patch, relative to its corners (lever_share in
    // prepare_contacts_kernel.h)
    const float arm = 0.6f * std::sqrt(0.5f), weight = g_single * rest.world.mass(rest.slab);
    for (int i = 0; i < 30; ++i) {
      rest.world.apply_torque(rest.slab, {0, share * weight * arm, 0});
      rest.world.step();
    }
    return rest.world.angular_velocity(rest.slab).y;
  };
  EXPECT_LT(math::abs_of(turned(0.57f)), 5e-3f);
  // I = m·(1² + 1²)/12.
  EXPECT_NEAR(turned(0.65f), 0.5f * 6 * g_single * 0.6f * std::sqrt(0.5f) * 0.35f, 0.5f);
}

TEST(StaticFriction, AppliesToABodyThatMovesWithAConveyor) {
  // The belt runs up a slope whose angle is between the angles of dynamic and static friction.
  for (const bool goes_along : {true, false}) {
    World world(without_sleep());
    const math::Quat slope = math::from_axis_angle({0, 0, 1}, 0.45f);  // tan 0.45 = 0.483
    ShapeDef belt = shape_def(state::plane());
    belt.material = sticking(0.6f, 0.3f);
    belt.surface_velocity = {1, 0, 0};
    add_body(world, MotionType::Static, {{}, slope}, belt);
    const Vec3 up = rotate(slope, {1, 0, 0});
    ShapeDef box = shape_def(state::box({0.5f, 0.1f, 0.5f}));
    box.material = belt.material;
    const BodyHandle slab = add_body(world, MotionType::Dynamic,
                                     {math::to_position(rotate(slope, {0, 0.1f, 0})), slope}, box);
    world.set_velocity(slab, goes_along ? up : Vec3{}, {});
    run(world, 60);
    const float speed = dot(world.linear_velocity(slab), up);
    if (goes_along) {
      EXPECT_NEAR(speed, 1, 1e-3f);
    } else {
      EXPECT_NEAR(speed, -g_single * (std::sin(0.45f) - 0.3f * std::cos(0.45f)), 0.02f);
    }
  }
}

TEST(StaticFriction, HoldsStacksOnASlopeAndLetsThemSleep) {
  WorldOptions options;
  options.gravity = {g_single * std::sin(0.45f), -g_single * std::cos(0.45f), 0};
  World world(options);
  add_ground(world, sticking(0.6f, 0.2f));
  std::vector<BodyHandle> slabs;
  for (int i = 0; i < 5; ++i)
    slabs.push_back(add_slab(world, {0, 0.1 + 0.2 * i, 0}, sticking(0.6f, 0.2f)));
  run(world, 180);
  for (const BodyHandle slab : slabs) {
    EXPECT_NEAR(world.centre_of_mass(slab).x, 0, 1e-3);
    EXPECT_FALSE(world.is_awake(slab));
  }
}

/// Adds a table with four legs, each with a contact of its own. `of_fourth_leg` is the density of
/// the fourth leg, kg/m³.
BodyHandle add_table(World& world, const Material& material, float of_fourth_leg) {
  BodyDef def;
  def.pose.position = {0, 0.1, 0};
  const BodyHandle table = world.create_body(def);
  for (int i = 0; i < 4; ++i) {
    ShapeDef leg = shape_def(state::box({0.1f, 0.1f, 0.1f}));
    leg.local.offset = {i % 2 == 0 ? 1.0f : -1.0f, 0, i < 2 ? 0.8f : -0.8f};
    leg.material = material;
    leg.density = i == 3 ? of_fourth_leg : 100;
    world.add_shape(table, leg);
  }
  return table;
}

struct OnLegs {
  World world;
  BodyHandle table;
};
OnLegs on_legs(const Material& material, float tangent, float of_fourth_leg) {
  WorldOptions options = without_sleep();
  options.gravity = {tangent * g_single, -g_single, 0};
  OnLegs scene{World(options), {}};
  add_ground(scene.world, material);
  scene.table = add_table(scene.world, material, of_fourth_leg);
  run(scene.world, 60);
  return scene;
}

TEST(StaticFriction, HoldsATableOnFourLegs) {
  for (const float of_fourth_leg : {100.0f, 400.0f}) {
    for (const float tangent : {0.4f, 0.5f, 0.56f, 0.59f}) {
      SCOPED_TRACE(tangent);
      OnLegs scene = on_legs(sticking(0.6f, 0.3f), tangent, of_fourth_leg);
      EXPECT_LT(scene.world.linear_velocity(scene.table).x, 1e-3f);
      if (tangent > 0.58f) continue;  // near the limit the body may reverse without sticking
      scene.world.set_velocity(scene.table, {-2, 0, 0}, {});
      run(scene.world, 60);
      EXPECT_LT(length(scene.world.linear_velocity(scene.table)), 1e-3f);
    }
  }
}

TEST(StaticFriction, LetsAKickedTableSlideOnFourLegs) {
  for (const float of_fourth_leg : {100.0f, 400.0f}) {
    for (const float tangent : {0.4f, 0.5f, 0.61f}) {
      SCOPED_TRACE(tangent);
      OnLegs two = on_legs(sticking(0.6f, 0.3f), tangent, of_fourth_leg);
      OnLegs one = on_legs(Material{0.3f}, tangent, of_fourth_leg);
      for (OnLegs* scene : {&two, &one}) {
        scene->world.set_velocity(scene->table, {0.3f, 0, 0}, {});
        run(scene->world, 60);
      }
      EXPECT_NEAR(two.world.linear_velocity(two.table).x, one.world.linear_velocity(one.table).x,
                  0.01f);
    }
  }
}

TEST(CombineRules, DecideFrictionAndRestitution) {
  struct Case {
    CombineRule rule;
    float of_quarter_and_one;
  };
  for (const Case& row : {Case{CombineRule::GeometricMean, 0.5f},
                          Case{CombineRule::Average, 0.625f}, Case{CombineRule::Minimum, 0.25f},
                          Case{CombineRule::Multiply, 0.25f}, Case{CombineRule::Maximum, 1}}) {
    SCOPED_TRACE(static_cast<int>(row.rule));
    const auto both = combine<float>(ruled(0.25f, row.rule), ruled(1, row.rule), nullptr);
    EXPECT_EQ(both.friction, row.of_quarter_and_one);
    EXPECT_EQ(both.static_friction, both.friction);
    const auto blow = combine<float>(bouncing(0.25f, row.rule), bouncing(1, row.rule), nullptr);
    EXPECT_EQ(blow.restitution, row.of_quarter_and_one);
  }
  EXPECT_EQ(combine<float>(ruled(1e6f, CombineRule::Multiply), ruled(1e6f, CombineRule::Multiply),
                           nullptr)
                .friction,
            1e6f);
}

TEST(CombineRules, LaterRuleWinsUnlessItIsTheDefault) {
  constexpr CombineRule all[]{CombineRule::GeometricMean, CombineRule::Average,
                              CombineRule::Minimum, CombineRule::Multiply, CombineRule::Maximum};
  for (const CombineRule a : all) {
    for (const CombineRule b : all) {
      for (const CombineRule usual : {default_friction_rule, default_restitution_rule}) {
        const CombineRule both = rule_of(a, b, usual);
        EXPECT_EQ(both, rule_of(b, a, usual));
        EXPECT_EQ(both, a == usual ? b : b == usual ? a : std::max(a, b));
      }
    }
  }
  // A Minimum rule on one side applies, even if the other side has the default rule for
  // restitution.
  const auto both = combine<float>(bouncing(0.1f, CombineRule::Minimum),
                                   bouncing(0.9f, default_restitution_rule), nullptr);
  EXPECT_EQ(both.restitution, 0.1f);
}

TEST(CombineRules, CombinedStaticFrictionIsNeverBelowDynamicFriction) {
  Material a = sticking(0.8f, 0.2f), b = ruled(0.5f, CombineRule::Minimum);
  const auto both = combine<float>(a, b, nullptr);
  EXPECT_EQ(both.friction, 0.2f);
  EXPECT_EQ(both.static_friction, 0.5f);
  base::Random random(1);
  for (int i = 0; i < 10'000; ++i) {
    a.friction = random.between(0, 2);
    b.friction = random.between(0, 2);
    a.static_friction = random.chance(0.5f) ? 0 : a.friction + random.between(0, 1);
    b.static_friction = random.chance(0.5f) ? 0 : b.friction + random.between(0, 1);
    a.friction_rule = static_cast<CombineRule>(random.below(combine_rule_count));
    const auto one = combine<float>(a, b, nullptr), other = combine<float>(b, a, nullptr);
    ASSERT_GE(one.static_friction, one.friction);
    ASSERT_EQ(one.friction, other.friction);
    ASSERT_EQ(one.static_friction, other.static_friction);
  }
}

TEST(CombineRules, ApplyToContactsInAWorld) {
  SlabOnGround rest =
      on_ground(ruled(0.2f, CombineRule::Maximum), ruled(0.6f, default_friction_rule));
  rest.world.set_velocity(rest.slab, {3, 0, 0}, {});
  run(rest.world, 15);
  EXPECT_NEAR(rest.world.linear_velocity(rest.slab).x, 3 - 0.6f * g_single / 4, 0.01f);
}

TEST(MaterialPairs, ReplaceTheCombinedProperties) {
  Material of_ground = named(ice), of_slab = named(rubber);
  of_ground.friction = 0.9f;
  of_ground.restitution = 0.8f;
  of_slab.friction_rule = CombineRule::Maximum;
  for (const bool is_turned : {false, true}) {
    World world(without_sleep());
    world.set_pair_material(is_turned ? rubber : ice, is_turned ? ice : rubber,
                            {.friction = 0.1f, .static_friction = 0.4f, .restitution = 0.0f});
    add_ground(world, of_ground);
    const BodyHandle slab = add_slab(world, {0, 0.1, 0}, of_slab);
    run(world, 30);
    SlabOnGround rest{std::move(world), slab};
    EXPECT_LT(pulled(rest, 0.39f), 1e-3f);
    EXPECT_NEAR(pulled(rest, 0.42f), 0.5f * g_single * 0.32f, 0.03f);
    const auto ball = add_body(rest.world, MotionType::Dynamic, {{5, 1.5, 0}, {}}, [&] {
      ShapeDef def = shape_def(state::sphere(0.5f));
      def.material = of_slab;
      return def;
    }());
    run(rest.world, 60);
    EXPECT_LT(rest.world.linear_velocity(ball).y, 0.01f);
    EXPECT_NEAR(rest.world.centre_of_mass(ball).y, 0.5, 1e-3);
  }
}

TEST(MaterialPairs, UnsetPropertiesAreCombinedFromTheMaterials) {
  Material a = named(ice), b = named(rubber);
  a.restitution = 0.5f;
  b.rolling_resistance = 0.1f;
  const PairMaterial slippery{.friction = 0.05f};
  const auto both = combine<float>(a, b, &slippery);
  EXPECT_EQ(both.friction, 0.05f);
  EXPECT_EQ(both.static_friction, 0.05f);  // the friction of the pair also applies at rest
  EXPECT_EQ(both.restitution, 0.5f);
  EXPECT_EQ(both.rolling_resistance, 0.1f);
  const PairMaterial rough{.rolling_resistance = 0.0f, .spinning_resistance = 0.2f};
  EXPECT_EQ(combine<float>(a, b, &rough).friction, 0.6f);
  EXPECT_EQ(combine<float>(a, b, &rough).rolling_resistance, 0);
  EXPECT_EQ(combine<float>(a, b, &rough).spinning_resistance, 0.2f);
}

TEST(MaterialPairs, ApplyOnlyToTheirTwoMaterials) {
  World world(without_sleep());
  world.set_pair_material(ice, rubber, {.friction = 0.0f});
  world.set_pair_material(ice, ice, {.friction = 1.0f});
  EXPECT_EQ(world.pair_material(rubber, ice).friction, 0.0f);
  EXPECT_EQ(world.pair_material(rubber, rubber), PairMaterial{});
  EXPECT_EQ(world.pair_material(ice, {}), PairMaterial{});
  ASSERT_EQ(world.material_pairs().size(), 2U);
  EXPECT_EQ(world.material_pairs()[0].b, ice);
  EXPECT_EQ(world.material_pairs()[1].b, rubber);
  world.set_pair_material(ice, rubber, {});
  EXPECT_EQ(world.material_pairs().size(), 1U);
  world.set_pair_material(ice, rubber, {});
  EXPECT_EQ(world.material_pairs().size(), 1U);
}

TEST(MaterialPairs, ChangesWakeTheBodiesThatTouchByThem) {
  WorldOptions options;
  options.gravity = {g_single * 0.3f, -g_single, 0};
  World world(options);
  add_ground(world, named(ice));
  const BodyHandle slab = add_slab(world, {0, 0.1, 0}, named(rubber));
  const BodyHandle on_it = add_slab(world, {0, 0.3, 0}, Material{});
  const BodyHandle other = add_slab(world, {0, 0.1, 5}, Material{});
  run(world, 120);
  ASSERT_FALSE(world.is_awake(slab) || world.is_awake(on_it) || world.is_awake(other));
  world.set_pair_material(ice, ice, {.friction = 0.0f});
  world.set_pair_material(ice, rubber, {});  // unchanged
  EXPECT_FALSE(world.is_awake(slab));
  world.set_pair_material(rubber, ice, {.friction = 0.1f});
  EXPECT_TRUE(world.is_awake(slab) && world.is_awake(on_it));
  EXPECT_FALSE(world.is_awake(other));
  run(world, 60);
  EXPECT_NEAR(world.linear_velocity(slab).x, g_single * 0.2f, 0.02f);
  EXPECT_FALSE(world.is_awake(other));
  world.set_pair_material(ice, rubber, {});  // the friction of 0.6 of Material{} stops them
  run(world, 120);
  EXPECT_LT(length(world.linear_velocity(slab)), 1e-3f);
}

TEST(MaterialPairs, ApplyToParticlesLikeCombineRules) {
  const auto speed_after = [](const Material& of_ground, MaterialId of_set) {
    World world(without_sleep());
    world.set_pair_material(ice, rubber, {.friction = 0.0f});
    add_ground(world, of_ground);
    ParticleSetDef def;
    def.collides = true;
    def.friction = 0.5f;
    def.material = of_set;
    const ParticleSetHandle set = world.create_particle_set(def);
    Particle particle;
    particle.position = {0, 0.001, 0};
    particle.velocity = {4, 0, 0};
    world.add_particle(set, particle);
    run(world, 30);
    return world.particles(set).velocities[0].x;
  };
  EXPECT_NEAR(speed_after(Material{0.5f}, {}), 4 - 0.5 * 9.81 / 2, 0.02);
  EXPECT_NEAR(speed_after(ruled(0.1f, CombineRule::Minimum), {}), 4 - 0.1 * 9.81 / 2, 0.02);
  EXPECT_NEAR(speed_after(named(ice), rubber), 4, 1e-3);
}

TEST(MaterialDefinitions, RejectInvalidValues) {
  World world{WorldOptions{}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const PairMaterial& bad :
       {PairMaterial{.friction = -0.1f}, PairMaterial{.friction = nan},
        PairMaterial{.static_friction = 0.5f},
        PairMaterial{.friction = 0.5f, .static_friction = 0.4f}, PairMaterial{.restitution = 1.5f},
        PairMaterial{.rolling_resistance = 2e3f}, PairMaterial{.spinning_resistance = -1.0f}})
    EXPECT_DEATH(world.set_pair_material(ice, rubber, bad), "is_valid");
  EXPECT_DEATH(world.set_pair_material(ice, {}, {.friction = 0.5f}), "value > 0");
  for (const Material& bad :
       {sticking(0.5f, 0.6f), sticking(nan, 0), sticking(-1, 0),
        ruled(0.5f, static_cast<CombineRule>(5)), bouncing(0.5f, static_cast<CombineRule>(9))})
    EXPECT_DEATH(add_ground(world, bad), "is_valid");
  for (std::uint32_t i = 1; i <= max_material_pairs; ++i)
    world.set_pair_material({i}, {i}, {.friction = 0.5f});
  world.set_pair_material({5}, {5}, {.friction = 0.6f});
  EXPECT_DEATH(world.set_pair_material(ice, rubber, {.friction = 0.5f}), "max_material_pairs");
}

}  // namespace
}  // namespace jostle::physics
