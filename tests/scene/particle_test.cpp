#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace jostle::scene {
namespace {

const std::string particle_bodies = R"("bodies": [
    {"name": "ground", "motion_type": "static", "shape": {"plane": {}}},
    {"name": "crate", "shape": {"sphere": {"radius": 1}}, "integrator": "midpoint"}])";

std::string with_set(const std::string& set) {
  return scene_with(particle_bodies + ", \"particles\": [{" + set + "}]");
}
std::string with_emitter(const std::string& emitter) {
  return with_set("\"emitters\": [{" + emitter + "}]");
}
std::string with_labels(const std::string& labels) {
  return scene_with(particle_bodies + ", \"labels\": [" + labels + "]");
}

TEST(SceneParticles, AreReadWithTheirDefaults) {
  const SceneDef scene = parsed(with_emitter(R"("position": [1, 2, 3], "rate": 5)"));
  SceneParticles expected;
  expected.emitters.emplace_back();
  expected.emitters[0].region.centre = {1, 2, 3};
  expected.emitters[0].rate = 5;
  ASSERT_EQ(scene.particles.size(), 1U);
  EXPECT_EQ(scene.particles[0], expected);
}

TEST(SceneParticles, AreReadWithAllTheirValues) {
  const SceneDef scene = parsed(with_set(
      R"("name": "drops", "max_count": 7, "integrator": "runge_kutta_4", "mass": 2, "radius": 0.5,
         "charge": -3, "gravity_scale": 0.25, "ignores_force_fields": true, "collides": false, "mask": 6,
         "friction": 0.75, "restitution": 0.5, "colour": "#010203", "emitters": [
         {"region": {"centre": [1, 2, 3], "size": [2, 4, 6]}, "rate": 8, "velocity": [4, 5, 6],
          "spread": 9, "lifetime": 10, "min_lifetime_fraction": 0.125, "start": 1, "end": 2, "seed": 11},
         {"region": {"radius": 3}, "rate": 1}])"));
  SceneParticles expected;
  expected.name = "drops";
  expected.max_count = 7;
  expected.integrator = forces::Integrator::RungeKutta4;
  expected.mass = 2;
  expected.radius = 0.5f;
  expected.charge = -3;
  expected.gravity_scale = 0.25f;
  expected.ignores_force_fields = true;
  expected.collides = false;
  expected.mask = 6;
  expected.friction = 0.75f;
  expected.restitution = 0.5f;
  expected.colour = {1, 2, 3};
  const forces::Region box{forces::RegionKind::Box, {1, 2, 3}, {1, 2, 3}, 0};
  const forces::Region ball{forces::RegionKind::Sphere, {}, {}, 3};
  expected.emitters = {{box, 8, {4, 5, 6}, 9, 10, 0.125f, 1, 2, 11},
                       {ball, 1, {}, 0, 0, 1, 0, 0, 0}};
  EXPECT_EQ(scene.particles.at(0), expected);
}

TEST(SceneParticles, BodiesReadTheirIntegrator) {
  for (std::size_t i = 0; i < forces::integrator_names.size(); ++i) {
    const std::string name(forces::integrator_names[i]);
    const SceneDef scene = parsed(scene_with(
        R"("bodies": [{"shape": {"sphere": {"radius": 1}}, "integrator": ")" + name + "\"}]"));
    EXPECT_EQ(scene.bodies.at(0).integrator, static_cast<forces::Integrator>(i)) << name;
    EXPECT_EQ(forces::integrator_named(name), static_cast<forces::Integrator>(i));
  }
  EXPECT_FALSE(parsed(with_labels("")).bodies.at(0).integrator.has_value());
}

TEST(SceneLabels, AreRead) {
  const SceneDef scene = parsed(with_labels(
      R"({"name": "a", "body": "crate"}, {"name": "b", "body": "crate", "kind": "height"})"));
  ASSERT_EQ(scene.labels.size(), 2U);
  EXPECT_EQ(scene.labels[0], (SceneLabel{"a", 1, state::LabelKind::EnergyChange}));
  EXPECT_EQ(scene.labels[1], (SceneLabel{"b", 1, state::LabelKind::Height}));
}

struct Case {
  std::string name, text, error;
};
void PrintTo(const Case& row, std::ostream* out) {
  *out << row.name;
}

const std::vector<Case> particle_cases{
    {"no_emitters", with_set(R"("mass": 1)"),
     "particles[0].emitters: is missing: a particle set needs at least one emitter"},
    {"empty_emitters", with_set(R"("name": "fog", "emitters": [])"),
     "particles[0].emitters: is empty: a particle set needs at least one emitter"},
    {"no_rate", with_emitter(R"("position": [0, 0, 0])"),
     "particles[0].emitters[0].rate: is missing"},
    {"no_place", with_emitter(R"("rate": 1)"),
     "particles[0].emitters[0]: must have exactly one of position and region"},
    {"two_places", with_emitter(R"("rate": 1, "position": [0, 0, 0], "region": {"radius": 1})"),
     "particles[0].emitters[0]: must have exactly one of position and region"},
    {"two_regions", with_emitter(R"("rate": 1, "region": {"radius": 1, "size": [1, 1, 1]})"),
     "particles[0].emitters[0].region: must have exactly one of size, half_extents and radius"},
    {"rate", with_emitter(R"("rate": 0, "position": [0, 0, 0])"),
     "particles[0].emitters[0].rate: must be above 0 and at most 1000000, is 0"},
    {"end", with_emitter(R"("rate": 1, "position": [0, 0, 0], "start": 2, "end": 1)"),
     "particles[0].emitters[0].end: must be after start, which is 2"},
    {"share", with_emitter(R"("rate": 1, "position": [0, 0, 0], "min_lifetime_fraction": 2)"),
     "particles[0].emitters[0].min_lifetime_fraction: must be from 0 to 1, is 2"},
    {"mass", with_set(R"("mass": -1, "emitters": [{"rate": 1, "position": [0, 0, 0]}])"),
     "particles[0].mass: must be from 1e-06 to 1000000000, is -1"},
    {"count", with_set(R"("max_count": 2000000, "emitters": [{"rate": 1, "position": [0, 0, 0]}])"),
     "particles[0].max_count: must be from 1 to 1000000, is 2000000"},
    {"static_body",
     scene_with(
         R"("bodies": [{"motion_type": "static", "shape": {"plane": {}}, "integrator": "midpoint"}])"),
     "bodies[0].integrator: is only allowed for a dynamic body"},
    {"readout_of_nobody", with_labels(R"({"name": "a"})"), "labels[0].body: is missing"},
    {"readout_without_name", with_labels(R"({"body": "crate"})"), "labels[0].name: is missing"},
    {"readout_of_static", with_labels(R"({"name": "a", "body": "ground"})"),
     "labels[0].body: \"ground\" is static; only a moving body has values to display"},
    {"energy_of_kinematic", scene_with(R"("bodies": [{"name": "lift", "motion_type": "kinematic",
                    "shape": {"sphere": {"radius": 1}}}],
                   "labels": [{"name": "a", "body": "lift", "kind": "energy"}])"),
     "labels[0].body: \"lift\" is kinematic; only a dynamic body has an energy"},
};

class SceneParticleErrors : public testing::TestWithParam<Case> {};

TEST_P(SceneParticleErrors, StateTheirPath) {
  EXPECT_EQ(refusal(GetParam().text), "test.scene.json: " + GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(All, SceneParticleErrors, testing::ValuesIn(particle_cases),
                         [](const testing::TestParamInfo<Case>& row) { return row.param.name; });

TEST(SceneParticleErrors, LimitTheNumberOfSetsParticlesAndLabels) {
  std::string sets = R"({"emitters": [{"rate": 1, "position": [0, 0, 0]}]})";
  std::string many = sets;
  for (std::size_t i = 0; i < max_scene_particle_sets; ++i)
    many += ", " + sets;
  EXPECT_EQ(refusal(scene_with(particle_bodies + ", \"particles\": [" + many + "]")),
            "test.scene.json: particles: may have at most 64 entries, has 65");
  const std::string large =
      R"({"max_count": 600000, "emitters": [{"rate": 1, "position": [0, 0, 0]}]})";
  EXPECT_EQ(
      refusal(scene_with(particle_bodies + ", \"particles\": [" + large + ", " + large + "]")),
      "test.scene.json: particles[1].max_count: brings all sets to more than 1000000 particles");
  std::string lines = R"({"name": "a", "body": "crate"})";
  for (std::size_t i = 0; i < state::max_labels; ++i)
    lines += R"(, {"name": "a", "body": "crate"})";
  EXPECT_EQ(refusal(with_labels(lines)),
            "test.scene.json: labels: may have at most 16 entries, has 17");
}

TEST(SceneParticles, EveryValueChangesTheSceneHash) {
  const SceneDef scene = parsed(scene_with(
      particle_bodies + R"(, "particles": [{"emitters": [{"rate": 1, "position": [0, 0, 0]}]}],
                              "labels": [{"name": "a", "body": "crate"}])"));
  const std::vector<std::function<void(SceneDef&)>> changes{
      [](SceneDef& s) { s.particles.clear(); },
      [](SceneDef& s) { s.particles[0].name = "x"; },
      [](SceneDef& s) { ++s.particles[0].max_count; },
      [](SceneDef& s) { s.particles[0].integrator = forces::Integrator::Midpoint; },
      [](SceneDef& s) { s.particles[0].mass *= 2; },
      [](SceneDef& s) { s.particles[0].radius *= 2; },
      [](SceneDef& s) { s.particles[0].charge = 1; },
      [](SceneDef& s) { s.particles[0].gravity_scale = 2; },
      [](SceneDef& s) { s.particles[0].ignores_force_fields = true; },
      [](SceneDef& s) { s.particles[0].collides = false; },
      [](SceneDef& s) { s.particles[0].mask = 1; },
      [](SceneDef& s) { s.particles[0].friction = 1; },
      [](SceneDef& s) { s.particles[0].restitution = 1; },
      [](SceneDef& s) { s.particles[0].colour.blue ^= 1; },
      [](SceneDef& s) { s.particles[0].emitters.emplace_back(); },
      [](SceneDef& s) { s.particles[0].emitters[0].region.kind = forces::RegionKind::Box; },
      [](SceneDef& s) { s.particles[0].emitters[0].region.centre.y = 1; },
      [](SceneDef& s) { s.particles[0].emitters[0].region.half_extents.z = 1; },
      [](SceneDef& s) { s.particles[0].emitters[0].region.radius = 1; },
      [](SceneDef& s) { s.particles[0].emitters[0].rate = 2; },
      [](SceneDef& s) { s.particles[0].emitters[0].velocity.x = 2; },
      [](SceneDef& s) { s.particles[0].emitters[0].spread = 2; },
      [](SceneDef& s) { s.particles[0].emitters[0].lifetime = 2; },
      [](SceneDef& s) { s.particles[0].emitters[0].min_lifetime_fraction = 0.5f; },
      [](SceneDef& s) { s.particles[0].emitters[0].start = 2; },
      [](SceneDef& s) { s.particles[0].emitters[0].end = 2; },
      [](SceneDef& s) { s.particles[0].emitters[0].seed = 2; },
      [](SceneDef& s) { s.labels.clear(); },
      [](SceneDef& s) { s.labels[0].name = "x"; },
      [](SceneDef& s) { s.labels[0].body = 0; },
      [](SceneDef& s) { s.labels[0].kind = state::LabelKind::Speed; },
      [](SceneDef& s) { s.bodies[1].integrator.reset(); },
      [](SceneDef& s) { s.bodies[1].integrator = forces::Integrator::ExplicitEuler; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SceneDef changed = scene;
    changes[i](changed);
    EXPECT_NE(hash(changed), hash(scene)) << i;
  }
}

}  // namespace
}  // namespace jostle::scene
