#include "tests/tools/file_scenes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace jostle::bench {
namespace {

scene::SceneDef parsed(const std::string& text) {
  auto scene = scene::parse_scene(text, "test.scene.json");
  if (scene) return *std::move(scene);
  ADD_FAILURE() << scene.error().text();
  return {};
}

}  // namespace

scene::SceneDef shipped_scene(const std::string& name) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json", std::ios::binary);
  return parsed({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

scene::SceneDef scene_of(const std::string& fields) {
  return parsed(R"({"name": "test", "spawns": [{"position": [0, 50, 0]}], )" + fields + "}");
}

scene::SceneDef scene_of_everything() {
  return scene_of(R"(
    "world": {"substeps": 3, "restitution_threshold": 0.5, "time_before_sleep": 0.3},
    "bodies": [
      {"name": "ground", "motion_type": "static", "friction": 0.8, "shape": {"mesh": {
        "vertices": [-30, 0, -30, 30, 0, -30, 30, 0.5, 30, -30, 0.5, 30],
        "triangles": [0, 2, 1, 0, 3, 2]}}},
      {"name": "slope", "motion_type": "static", "position": [-40, 0, -10], "shape": {"height_field": {
        "sample_counts": [2, 2], "cell_size": [10, 20], "heights": [1, 1, 0, 0]}}},
      {"name": "hammer", "position": [0, 3, 0], "rotation_degrees": [10, 20, 30], "restitution": 0.4,
        "angular_velocity": [1, 2, 3], "linear_damping": 0.1, "angular_damping": 0.2, "shapes": [
        {"box": {"size": [0.2, 1, 0.2]}, "density": 600},
        {"cylinder": {"radius": 0.2, "height": 0.8}, "position": [0, 0.5, 0.1],
         "rotation_degrees": [90, 0, 0], "density": 3000, "friction": 0.2}]},
      {"name": "rock", "position": [3, 4, 1], "mass": 300, "shape": {"hull": {"points": [
        0, 0, 0, 1, 0, 0, 0, 1.2, 0, 0, 0, 0.8, 1, 1, 1, 0.4, -0.3, 0.5]}}},
      {"name": "cone", "position": [-3, 3, 2], "shape": {"cone": {"radius": 0.5, "height": 1.2}}},
      {"name": "balloon", "position": [-3, 5, -2], "gravity_scale": -0.1, "density": 10,
        "shape": {"sphere": {"radius": 0.4}}},
      {"name": "roller", "position": [5, 1, 3], "linear_velocity": [0, 0, 2],
        "rolling_resistance": 0.02, "spinning_resistance": 0.01,
        "shape": {"sphere": {"radius": 0.4}}},
      {"name": "upright", "position": [6, 2, -3], "lock_rotation": true, "allow_sleep": false,
        "shape": {"capsule": {"radius": 0.3, "height": 1.5}}},
      {"name": "sleeper", "position": [9, 3, 0], "awake": false, "shape": {"box": {"size": [1, 1, 1]}}},
      {"name": "ghost", "position": [0, 5, 0.2], "filter": {"category": 2, "mask": 1, "group": -3},
        "shape": {"box": {"size": [0.6, 0.6, 0.6]}}},
      {"name": "other_ghost", "position": [0.2, 5.3, 0], "filter": {"group": -3},
        "shape": {"box": {"size": [0.6, 0.6, 0.6]}}},
      {"name": "lift", "motion_type": "kinematic", "position": [2, 1.5, -6],
        "shape": {"box": {"size": [2, 0.2, 2]}},
        "kinematic_motion": {"amplitude": [0, 1, 0.5], "period": 3, "phase": 0.1, "angular_velocity": [0, 1, 0]}},
      {"name": "belt", "motion_type": "kinematic", "position": [-6, 1, -6], "linear_velocity": [0.3, 0, 0],
        "angular_velocity": [0, 0.5, 0], "shape": {"box": {"size": [3, 0.2, 3]}}},
      {"name": "arm", "position": [-6, 6, 0], "shape": {"box": {"size": [1, 0.2, 0.2]}}},
      {"name": "hand", "position": [-5, 6, 0], "shape": {"box": {"size": [0.8, 0.2, 0.2]}}},
      {"name": "bob", "position": [-6, 4.5, 0], "shape": {"sphere": {"radius": 0.2}}},
      {"name": "cage", "position": [-8, 6, 0], "shape": {"box": {"size": [0.4, 0.4, 0.4]}}},
      {"name": "torn", "position": [-8, 5, 2], "shape": {"box": {"size": [0.4, 0.4, 0.4]}}}
    ],
    "generators": [{"kind": "grid", "name": "crate", "counts": [3, 2, 2], "spacing": [1.2, 0.9, 1.2],
      "position": [10, 0.5, 8], "body": {"shape": {"box": {"size": [0.8, 0.8, 0.8]}}}}],
    "joints": [
      {"kind": "ball", "body_a": "ground", "body_b": "arm", "anchor": [-6.5, 6, 0], "axis": [1, 0, 0],
        "cone_angle": 60, "lower": -20, "upper": 50},
      {"kind": "hinge", "body_a": "arm", "body_b": "hand", "anchor": [-5.45, 6, 0], "axis": [0, 0, 1],
        "lower": -30, "upper": 80, "spring_hertz": 2, "spring_damping_ratio": 0.3, "rest": 20},
      {"kind": "distance", "body_a": "arm", "body_b": "bob", "anchor": [-6, 6, 0],
        "anchor_b": [-6, 4.6, 0], "lower": 0.5, "upper": 1.6, "collide_connected": true},
      {"kind": "slider", "body_a": "ground", "body_b": "cage", "anchor": [-8, 6, 0], "axis": [0, 1, 0],
        "lower": -1, "upper": 0.7, "motor_speed": 0.5, "max_motor_force": 2000},
      {"kind": "fixed", "body_a": "cage", "body_b": "torn", "anchor": [-8, 5.5, 1],
        "break_force": 700, "break_torque": 400}
    ],
    "actuators": [
      {"bodies": ["crate_0", "hammer"], "impulse": [0, 900, 0], "point": [0.1, 0, 0.2], "start": 0.5,
        "interval": 0.4, "count": 3},
      {"body": "sleeper", "start": 1, "end": 1.5,
        "velocity": {"amplitude": [1, 0, 1], "period": [2, 1, 2], "phase": [0, 0, 0.25]}},
      {"body": "crate_5", "follow": {"centre": [12, 0, 8], "amplitude": [3, 0, 3], "period": [5, 1, 3],
        "phase": [0, 0, 0.1], "stiffness": 20, "damping": 6, "max_acceleration": 40,
        "axes": [1, 0, 1]}}
    ])");
}

}  // namespace jostle::bench
