#include "shared/sim/particles.h"

#include "shared/sim/labels.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

scene::SceneDef with_particles(float rate) {
  scene::SceneDef scene = small_scene();
  scene::SceneParticles set;
  set.max_count = 50'000;
  set.radius = 0.07f;
  set.mass = 0.5f;
  set.charge = 3;
  set.colour = {1, 2, 3};
  set.gravity_scale = 0.5f;
  scene::SceneEmitter emitter;
  emitter.region = {forces::RegionKind::Box, {0, 5, 0}, {1, 1, 1}, 0};
  emitter.rate = rate;
  emitter.velocity = {1, 0, 0};
  emitter.seed = 3;
  set.emitters = {emitter};
  scene.particles = {set, set};
  scene.particles[1].colour = {4, 5, 6};
  return scene;
}

TEST(SceneParticles, AreCreatedWithTheScenesValues) {
  const auto simulation = simulate(with_particles(600));
  step_many(*simulation, 30);
  const physics::World& world = simulation->world();
  ASSERT_EQ(world.particle_sets().size(), 2U);
  const physics::ParticleView view = world.particles(world.particle_sets()[1]);
  EXPECT_EQ(view.size(), 300U);
  EXPECT_EQ(view.masses[7], 0.5f);
  EXPECT_EQ(view.radii[7], 0.07f);
  EXPECT_EQ(view.charges[7], 3.0f);
  const physics::ParticleSetDef& def = world.particle_set_def(world.particle_sets()[0]);
  EXPECT_EQ(def.gravity_scale, 0.5f);
  EXPECT_EQ(def.emitters[0].kind, physics::EmitterKind::Box);
  EXPECT_EQ(def.emitters[0].seed, 3U);
}

TEST(SceneParticles, FramesContainAllParticles) {
  const auto simulation = simulate(with_particles(600));
  step_many(*simulation, 30);
  const state::ParticleFrame frame = simulation->capture_particles();
  EXPECT_EQ(frame.tick, simulation->tick());
  ASSERT_EQ(frame.groups.size(), 2U);
  EXPECT_EQ(frame.groups[1].colour, (state::Colour{4, 5, 6}));
  EXPECT_EQ(frame.groups[1].radius, 0.07f);
  EXPECT_NEAR(frame.groups[1].acceleration.y, -9.81f / 2, 1e-6);
  EXPECT_EQ(frame.groups[1].positions.size(), 300U);
  const physics::World& world = simulation->world();
  EXPECT_EQ(frame.groups[0].positions[8], world.particles(world.particle_sets()[0]).positions[8]);
}

TEST(SceneParticles, FramesSampleTheSetsEvenlyAboveTheLimit) {
  const auto simulation = simulate(with_particles(60'000));
  step_many(*simulation, 10);
  const state::ParticleFrame frame = simulation->capture_particles();
  ASSERT_EQ(frame.groups.size(), 2U);
  EXPECT_EQ(frame.groups[0].positions.size() + frame.groups[1].positions.size(),
            state::max_shown_particles);
  EXPECT_EQ(frame.groups[0].positions.size(), state::max_shown_particles / 2);
}

TEST(SceneParticles, FramesHaveZeroVelocityWhilePaused) {
  const auto simulation = simulate(with_particles(600));
  step_many(*simulation, 30);
  step(*simulation, {state::ControlCommand{state::ControlKind::Pause, 0}});
  const state::ParticleFrame frame = simulation->capture_particles();
  EXPECT_EQ(frame.groups[0].velocities[0], math::Vec3{});
  EXPECT_EQ(frame.groups[0].acceleration, math::Vec3{});
}

TEST(SceneParticles, RestartWithAReset) {
  const auto simulation = simulate(with_particles(600));
  step_many(*simulation, 30);
  step(*simulation, {state::ControlCommand{state::ControlKind::Reset, 0}});
  EXPECT_EQ(simulation->capture_particles().groups[0].positions.size(), 10U);
}

TEST(SceneParticles, ContinueIdenticallyFromASave) {
  const auto simulation = simulate(with_particles(600)), copy = simulate(with_particles(600));
  step_many(*simulation, 40);
  base::ByteWriter writer;
  simulation->save(writer);
  base::ByteReader reader(writer.bytes());
  ASSERT_TRUE(copy->restore(reader).has_value());
  for (int i = 0; i < 60; ++i) {
    step(*simulation);
    step(*copy);
    ASSERT_EQ(simulation->hash(), copy->hash()) << i;
  }
}

TEST(SceneLabels, MatchTheTheoryOfFreeFall) {
  scene::SceneDef scene = small_scene();
  scene.bodies[1].pose.position.y = 100;
  scene.labels = {{"change", 1, state::LabelKind::EnergyChange},
                  {"energy", 1, state::LabelKind::Energy},
                  {"speed", 1, state::LabelKind::Speed},
                  {"height", 1, state::LabelKind::Height}};
  const auto simulation = simulate(scene);
  step_many(*simulation, 60);
  const state::Labels labels = simulation->labels();
  ASSERT_EQ(labels.lines.size(), 4U);
  EXPECT_EQ(labels.lines[1].name, "energy");
  EXPECT_NEAR(labels.lines[0].value, 0, 1e-5);
  EXPECT_NEAR(labels.lines[1].value, 100 * 9.81 * 100, 1);
  EXPECT_NEAR(labels.lines[2].value, 9.81, 1e-3);
  EXPECT_NEAR(labels.lines[3].value, 100 - 9.81 / 2, 1e-3);
}

TEST(SceneLabels, ShowEnergyIfTheInitialEnergyIsZero) {
  scene::SceneDef scene = small_scene();
  scene.world.gravity = {};
  scene.bodies[1].pose.position.y = 50;
  scene.bodies[1].mass = 2;
  scene.fields = {{forces::Acceleration{{}, {3, 0, 0}}, {}}};
  scene.labels = {{"change", 1, state::LabelKind::EnergyChange}};
  const auto simulation = simulate(scene);
  EXPECT_EQ(simulation->labels().lines[0].kind, state::LabelKind::Energy);
  EXPECT_EQ(simulation->labels().lines[0].value, 0);
}

TEST(SceneLabels, EnergyIncludesRotationAndSprings) {
  scene::SceneDef scene = small_scene();
  scene.world.gravity = {};
  scene.bodies[1].pose.position = {3, 50, 0};
  scene.bodies[1].angular_velocity = {0, 2, 0};
  scene.bodies[1].mass = 6;  // a cube of 1 m, so its moment of inertia is 1 kg·m²
  scene.fields = {{forces::Attraction{{0, 50, 0}, {4, 0, 0, -1}}, {}}};
  scene.labels = {{"energy", 1, state::LabelKind::Energy}};
  const auto simulation = simulate(scene);
  EXPECT_NEAR(simulation->labels().lines[0].value, 0.5 * 4 + 6 * 0.5 * 4 * 9, 1e-3);
}

TEST(SceneIntegrators, BodyUsesItsIntegrator) {
  scene::SceneDef scene = small_scene();
  scene.bodies[1].integrator = forces::Integrator::Midpoint;
  const auto simulation = simulate(scene);
  EXPECT_EQ(simulation->world().integrator(*simulation->find_body(crate_id)),
            forces::Integrator::Midpoint);
}

}  // namespace
}  // namespace jostle::sim
