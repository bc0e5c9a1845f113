#pragma once

#include <gtest/gtest.h>
#include <jostle/physics.h>

#include <string>

namespace jostle::api_test {

/// Expects that a call succeeds, and shows the message if it fails.
#define JOSTLE_EXPECT_OK(call) EXPECT_EQ(JOSTLE_OK, (call)) << jostle_last_error()
#define JOSTLE_ASSERT_OK(call) ASSERT_EQ(JOSTLE_OK, (call)) << jostle_last_error()
/// Expects that a call fails with `result`, and that the message contains `part`.
#define JOSTLE_EXPECT_ERROR(result, part, call)                               \
  do {                                                                        \
    EXPECT_EQ((result), (call)) << jostle_last_error();                       \
    EXPECT_NE(std::string::npos, std::string(jostle_last_error()).find(part)) \
        << jostle_last_error();                                               \
  } while (false)

/// A world for one test, with functions for what most tests need.
class World {
 public:
  explicit World(jostle_world_def def = defaults()) {
    EXPECT_EQ(JOSTLE_OK, jostle_world_create(&def, &handle)) << jostle_last_error();
  }
  ~World() { jostle_world_destroy(handle); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  operator jostle_world() const { return handle; }  // NOLINT: implicit on purpose

  static jostle_world_def defaults() {
    jostle_world_def def;
    jostle_world_def_default(&def);
    return def;
  }

  jostle_body add_body(jostle_motion motion, jostle_position position) const {
    jostle_body_def def;
    jostle_body_def_default(&def);
    def.motion = motion;
    def.pose.position = position;
    jostle_body body{};
    EXPECT_EQ(JOSTLE_OK, jostle_body_create(handle, &def, &body)) << jostle_last_error();
    return body;
  }
  jostle_shape add_shape(jostle_body body, const jostle_shape_def& def) const {
    jostle_shape shape{};
    EXPECT_EQ(JOSTLE_OK, jostle_shape_create(handle, body, &def, &shape)) << jostle_last_error();
    return shape;
  }
  /// Adds a static plane at y = 0.
  jostle_body add_ground() const {
    const jostle_body body = add_body(JOSTLE_MOTION_STATIC, {0, 0, 0});
    jostle_shape_def shape = shape_of(JOSTLE_SHAPE_PLANE);
    add_shape(body, shape);
    return body;
  }
  /// Adds a dynamic ball with a radius of 0.5 m.
  jostle_body add_ball(jostle_position position) const {
    const jostle_body body = add_body(JOSTLE_MOTION_DYNAMIC, position);
    add_shape(body, shape_of(JOSTLE_SHAPE_SPHERE));
    return body;
  }
  /// Adds a dynamic cube with an edge of 1 m.
  jostle_body add_cube(jostle_position position) const {
    const jostle_body body = add_body(JOSTLE_MOTION_DYNAMIC, position);
    add_shape(body, shape_of(JOSTLE_SHAPE_BOX));
    return body;
  }
  void step(int count) const {
    EXPECT_EQ(JOSTLE_OK, jostle_world_steps(handle, static_cast<std::uint32_t>(count)))
        << jostle_last_error();
  }
  jostle_pose pose(jostle_body body) const {
    jostle_pose pose{};
    EXPECT_EQ(JOSTLE_OK, jostle_body_get_pose(handle, body, &pose)) << jostle_last_error();
    return pose;
  }
  jostle_vec3 velocity(jostle_body body) const {
    jostle_vec3 linear{};
    EXPECT_EQ(JOSTLE_OK, jostle_body_get_velocity(handle, body, &linear, nullptr));
    return linear;
  }
  std::uint64_t hash() const {
    jostle_state_hash hash;
    hash.size = sizeof hash;
    EXPECT_EQ(JOSTLE_OK, jostle_world_get_hash(handle, &hash)) << jostle_last_error();
    return hash.total;
  }

  static jostle_shape_def shape_of(jostle_shape_kind kind) {
    jostle_shape_def def;
    jostle_shape_def_default(&def);
    def.kind = kind;
    return def;
  }

  jostle_world handle{};
};

}  // namespace jostle::api_test
