#include "client/render/camera.h"

#include <gtest/gtest.h>

namespace jostle::render {
namespace {

constexpr Size window_size{800, 600};

TEST(Camera, LooksFromTheGivenEyeAtTheTarget) {
  CameraRig rig;
  rig.set({.eye = {3, 4, 12}, .target = {0, 1, 0}});
  const View view = rig.view();
  EXPECT_NEAR(view.eye.x, 3, 1e-4);
  EXPECT_NEAR(view.eye.y, 4, 1e-4);
  EXPECT_NEAR(view.eye.z, 12, 1e-4);
  const auto centre = project(view, window_size, {0, 1, 0});
  ASSERT_TRUE(centre);
  EXPECT_NEAR(centre->x, 400, 0.1);
  EXPECT_NEAR(centre->y, 300, 0.1);
}

TEST(Camera, CastsRaysConsistentWithProjection) {
  CameraRig rig;
  rig.set({.eye = {-7, 3, 5}, .target = {1, 0, 2}});
  const View view = rig.view();
  for (const ScreenPoint pixel : {ScreenPoint{10, 20}, {790, 30}, {400, 590}, {123, 456}}) {
    SCOPED_TRACE(pixel.x);
    const Ray ray = ray_through(view, window_size, pixel);
    const auto seen = project(view, window_size, ray.origin + ray.direction * 9.0f);
    ASSERT_TRUE(seen);
    EXPECT_NEAR(seen->x, pixel.x, 0.05);
    EXPECT_NEAR(seen->y, pixel.y, 0.05);
  }
}

TEST(Camera, ProjectsNothingBehindTheEye) {
  CameraRig rig;
  rig.set({.eye = {0, 0, 10}, .target = {0, 0, 0}});
  EXPECT_FALSE(project(rig.view(), window_size, {0, 0, 20}));
}

TEST(Camera, ProjectsTheSameFarFromTheOrigin) {
  const math::Position far{4e6, 0, -4e6};
  CameraRig near_rig, far_rig;
  near_rig.set({.eye = {3, 4, 12}, .target = {0, 1, 0}});
  far_rig.set({.eye = far + math::Vec3{3, 4, 12}, .target = far + math::Vec3{0, 1, 0}});
  const auto near_point = project(near_rig.view(), window_size, {0.3, 0.7, -0.2});
  const auto far_point = project(far_rig.view(), window_size, far + math::Vec3{0.3f, 0.7f, -0.2f});
  ASSERT_TRUE(near_point && far_point);
  EXPECT_NEAR(near_point->x, far_point->x, 0.01);
  EXPECT_NEAR(near_point->y, far_point->y, 0.01);
}

TEST(Camera, KeepsTheTargetWhenOrbitingAndTheEyeWhenFlying) {
  CameraRig rig;
  rig.set({.eye = {0, 2, 10}, .target = {0, 1, 0}});
  const math::Position target = rig.target();
  rig.turn(0.7f, 0.2f);
  EXPECT_EQ(rig.target(), target);

  rig.set_mode(CameraMode::Fly);
  const math::Position eye = rig.view().eye;
  rig.turn(-0.4f, 0.1f);
  EXPECT_LT(math::length(rig.view().eye - eye), 1e-4f);
}

TEST(Camera, MovesTheEyeNearerWhenZoomingIn) {
  CameraRig rig;
  rig.set({.eye = {0, 0, 10}, .target = {0, 0, 0}});
  rig.zoom(3);
  EXPECT_NEAR(rig.distance(), 7.29f, 1e-3f);
}

TEST(Camera, ReachesTheFollowedBody) {
  CameraRig rig;
  rig.set_mode(CameraMode::Follow);
  for (int i = 0; i < 120; ++i)
    rig.follow({5, 6, 7}, 1.0f / 60);
  EXPECT_LT(math::length(rig.target() - math::Position{5, 6, 7}), 1e-3f);
}

}  // namespace
}  // namespace jostle::render
