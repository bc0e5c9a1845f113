#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <string>

namespace jostle::sim {
namespace {

using state::Rope;
using state::RopeKind;

constexpr const char* scene_text = R"({
  "name": "ropes", "spawns": [{"position": [0, 0, 9]}],
  "bodies": [
    {"name": "beam", "motion_type": "static", "position": [0, 5, 0], "shape": {"box": {"size": [9, 0.2, 0.2]}}},
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
     "ground_anchor_a": [-3, 4, 0], "ground_anchor_b": [-1, 4, 0]}]})";

TEST(Ropes, AreCreatedForDistanceJointsAndPulleys) {
  auto parsed = scene::parse_scene(scene_text, "ropes");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
  const auto simulation = simulate(*std::move(parsed));
  const std::vector<Rope> ropes = simulation->ropes();
  ASSERT_EQ(ropes.size(), 6U);
  EXPECT_EQ(ropes[0].kind, RopeKind::Rod);
  EXPECT_EQ(ropes[1].kind, RopeKind::Rope);
  EXPECT_EQ(ropes[2].kind, RopeKind::Spring);
  EXPECT_EQ(ropes[0].a.body, state::BodyId{1});
  EXPECT_LT(length(ropes[0].a.point - math::Vec3{-3, -0.1f, 0}), 1e-6f);
  EXPECT_EQ(ropes[0].b.body, state::BodyId{2});
  EXPECT_LT(length(ropes[0].b.point - math::Vec3{0, 0.3f, 0}), 1e-6f);
  // The pulley's rope has three parts, up, across and down.
  for (std::size_t i = 3; i < 6; ++i)
    EXPECT_EQ(ropes[i].kind, RopeKind::Rope);
  EXPECT_EQ(ropes[3].b, ropes[4].a);
  EXPECT_EQ(ropes[4].b, ropes[5].a);
  EXPECT_EQ(ropes[4].a, (Rope::End{{}, {-3, 4, 0}}));
  EXPECT_EQ(ropes[5].b.body, state::BodyId{3});
  // One of the joints breaks in this second. A broken joint is not drawn.
  step_many(*simulation, 60);
  EXPECT_EQ(simulation->ropes().size(), 5U);
}

}  // namespace
}  // namespace jostle::sim
