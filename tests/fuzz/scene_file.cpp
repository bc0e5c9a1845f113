// Fuzzes the scene parser. Its result must be an error with a position and a reason, or a scene
// within all limits.
#include "shared/base/assert.h"
#include "shared/scene/scene.h"
#include "tests/fuzz/fuzz_input.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace jostle::scene::fuzz_scene_file {
namespace {

void check_error(const SceneError& error) {
  const std::string text = error.text();
  JOSTLE_ASSERT(text.find_first_of("\n\r") == std::string::npos);
  JOSTLE_ASSERT(!error.message.empty());
  JOSTLE_ASSERT(error.line > 0 && error.column > 0);
}

bool is_unit(math::Vec3 v) {
  return std::abs(math::dot(v, v) - 1.0f) < 1e-3f;
}

void check_body(const SceneBody& body) {
  JOSTLE_ASSERT(math::is_finite(body.pose.position) && math::is_finite(body.pose.rotation));
  JOSTLE_ASSERT(math::is_finite(body.linear_velocity) && math::is_finite(body.angular_velocity));
  JOSTLE_ASSERT(std::isfinite(body.mass) && body.mass >= 0);
  JOSTLE_ASSERT(!body.shapes.empty() && body.shapes.size() <= max_body_shapes);
  for (const SceneShape& shape : body.shapes) {
    JOSTLE_ASSERT(std::isfinite(shape.density) && std::isfinite(shape.material.friction));
    JOSTLE_ASSERT(math::is_finite(shape.local.offset));
  }
}

void check_scene(const SceneDef& scene, std::string_view text) {
  JOSTLE_ASSERT(scene.source_text == text);
  JOSTLE_ASSERT(!scene.spawns.empty() && scene.spawns.size() <= max_scene_spawns);
  JOSTLE_ASSERT(scene.name.size() <= max_scene_name_bytes);
  JOSTLE_ASSERT(scene.description.size() <= max_description_bytes);
  JOSTLE_ASSERT(scene.bodies.size() <= max_scene_bodies);
  JOSTLE_ASSERT(scene.joints.size() <= max_scene_joints);
  JOSTLE_ASSERT(scene.pushes.size() <= max_scene_pushes);
  JOSTLE_ASSERT(scene.fields.size() <= max_scene_fields);
  JOSTLE_ASSERT(scene.explosions.size() <= max_scene_explosions);
  JOSTLE_ASSERT(scene.particles.size() <= max_scene_particle_sets);
  JOSTLE_ASSERT(scene.world.substeps > 0 && math::is_finite(scene.world.gravity));
  std::for_each(scene.bodies.begin(), scene.bodies.end(), check_body);
  for (const SceneJoint& joint : scene.joints) {
    JOSTLE_ASSERT(joint.body_a < scene.bodies.size() && joint.body_b < scene.bodies.size());
    JOSTLE_ASSERT(math::is_finite(joint.anchor) && is_unit(joint.axis));
  }
  for (const SceneForce& force : scene.fields) {
    JOSTLE_ASSERT(forces::is_valid(force.field));
    JOSTLE_ASSERT(!force.body || *force.body < scene.bodies.size());
  }
  for (const SceneExplosion& blast : scene.explosions)
    JOSTLE_ASSERT(forces::is_valid(blast.explosion));
  for (const SceneLabel& label : scene.labels)
    JOSTLE_ASSERT(label.body < scene.bodies.size());
}

/// Removes digits so that no number has more than two consecutive digits. Otherwise a short text
/// could request 200,000 bodies, which is valid but takes a second.
std::string with_short_numbers(std::string_view text) {
  std::string shortened;
  int digits = 0;
  for (const char letter : text) {
    digits = letter >= '0' && letter <= '9' ? digits + 1 : 0;
    if (digits <= 2) shortened += letter;
  }
  return shortened;
}

}  // namespace

JOSTLE_FUZZ_TARGET(scene_file, data, size) {
  const std::string text =
      with_short_numbers(std::string_view(reinterpret_cast<const char*>(data), size));
  const auto scene = parse_scene(text, "fuzzed.scene.json");
  if (!scene) {
    check_error(scene.error());
    return 0;
  }
  check_scene(*scene, text);
  // Parsing the same text again must yield the same scene.
  const auto again = parse_scene(text, "another.scene.json");
  JOSTLE_ASSERT(again.has_value() && *again == *scene && hash(*again) == hash(*scene));
  return 0;
}

}  // namespace jostle::scene::fuzz_scene_file
