#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <string>

namespace jostle::sim {
namespace {

using state::Cord;
using state::CordKind;

constexpr const char* scene_text = R"({
  "name": "cords", "spawns": [{"position": [0, 0, 9]}],
  "bodies": [
    {"name": "beam", "motion": "static", "position": [0, 5, 0], "shape": {"box": {"size": [9, 0.2, 0.2]}}},
    {"name": "a", "position": [-3, 3, 0], "shape": {"sphere": {"radius": 0.3}}},
    {"name": "b", "position": [-1, 3, 0], "shape": {"sphere": {"radius": 0.3}}},
    {"name": "c", "position": [1, 3, 0], "shape": {"sphere": {"radius": 0.3}}},
    {"name": "d", "position": [3, 3, 0], "shape": {"sphere": {"radius": 0.3}}}],
  "joints": [
    {"kind": "ball", "body_a": "beam", "body_b": "d", "anchor": [3, 5, 0]},
    {"kind": "distance", "body_a": "beam", "body_b": "a", "anchor": [-3, 4.9, 0], "anchor_b": [-3, 3.3, 0]},
    {"kind": "distance", "body_a": "beam", "body_b": "b", "anchor": [-1, 4.9, 0], "anchor_b": [-1, 3, 0], "upper": 2},
    {"kind": "distance", "body_a": "beam", "body_b": "c", "anchor": [1, 4.9, 0], "anchor_b": [1, 3, 0],
     "spring_hertz": 1, "break_force": 50},
    {"kind": "pulley", "body_a": "a", "body_b": "b", "anchor": [-3, 3, 0], "anchor_b": [-1, 3, 0],
     "over_a": [-3, 4, 0], "over_b": [-1, 4, 0]}]})";

TEST(Cords, AreCreatedForDistanceJointsAndPulleys) {
  auto parsed = scene::parse_scene(scene_text, "cords");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
  const auto simulation = simulate(*std::move(parsed));
  const std::vector<Cord> cords = simulation->cords();
  ASSERT_EQ(cords.size(), 6U);
  EXPECT_EQ(cords[0].kind, CordKind::Rod);
  EXPECT_EQ(cords[1].kind, CordKind::Rope);
  EXPECT_EQ(cords[2].kind, CordKind::Spring);
  EXPECT_EQ(cords[0].a.body, state::BodyId{1});
  EXPECT_LT(length(cords[0].a.point - math::Vec3{-3, -0.1f, 0}), 1e-6f);
  EXPECT_EQ(cords[0].b.body, state::BodyId{2});
  EXPECT_LT(length(cords[0].b.point - math::Vec3{0, 0.3f, 0}), 1e-6f);
  // The three parts of the pulley's rope: up, across and down.
  for (std::size_t i = 3; i < 6; ++i)
    EXPECT_EQ(cords[i].kind, CordKind::Rope);
  EXPECT_EQ(cords[3].b, cords[4].a);
  EXPECT_EQ(cords[4].b, cords[5].a);
  EXPECT_EQ(cords[4].a, (Cord::End{{}, {-3, 4, 0}}));
  EXPECT_EQ(cords[5].b.body, state::BodyId{3});
  // A broken joint is not drawn any more.
  step_many(*simulation, 60);
  EXPECT_EQ(simulation->cords().size(), 5U);
}

}  // namespace
}  // namespace jostle::sim
