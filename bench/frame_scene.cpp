#include "bench/frame_scene.h"

#include "client/render/camera.h"

#include <cmath>

namespace jostle::bench {
namespace {

constexpr float spacing = 1.3f;  // distance of neighbouring bodies, m
constexpr float bob = 0.4f;      // amplitude of the vertical motion, m
constexpr float turn = 1.5f;     // angular speed, rad/s
constexpr state::Colour colours[] = {{214, 160, 60}, {60, 130, 190}, {200, 80, 70}, {90, 160, 110}};

/// Returns the shape of body `index`. Of every ten bodies, six are boxes, two are balls, one is a
/// capsule and one is a cylinder.
state::Shape shape_of(int index) {
  switch (index % 10) {
    case 3:
    case 7:
      return state::sphere(0.45f);
    case 5:
      return state::capsule(0.3f, 0.3f);
    case 9:
      return state::cylinder(0.4f, 0.45f);
    default:
      return state::box({0.45f, 0.45f, 0.45f});
  }
}

}  // namespace

FrameScene::FrameScene(int bodies)
    : columns_(static_cast<int>(std::ceil(std::sqrt(static_cast<double>(bodies))))) {
  state::BodyInfo ground;
  ground.id = {1};
  ground.motion = state::MotionType::Static;
  ground.shapes = {{state::plane(), {}}};
  ground.colour = {154, 163, 154};
  infos_.push_back(ground);
  for (int i = 0; i < bodies; ++i) {
    state::BodyInfo body;
    body.id = {static_cast<std::uint32_t>(i + 2)};
    body.shapes = {{shape_of(i), {}}};
    body.colour = colours[i % 4];
    infos_.push_back(std::move(body));
  }
  for (const state::BodyInfo& info : infos_)
    bodies_.push_back({&info, info.pose, true});
  move_to(0);
}

void FrameScene::move_to(float seconds) {
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const int index = static_cast<int>(i) - 1;
    const float phase = static_cast<float>(index % 97);
    const float x =
        (static_cast<float>(index % columns_) - static_cast<float>(columns_) / 2) * spacing;
    const float z =
        (static_cast<float>(index / columns_) - static_cast<float>(columns_) / 2) * spacing;
    math::Pose& pose = bodies_[i].pose;
    pose.position = math::to_position({x, 1 + bob * std::sin(2 * seconds + phase), z});
    const float half = 0.5f * turn * (seconds + phase);
    pose.rotation = {0.6f * std::sin(half), 0.8f * std::sin(half), 0, std::cos(half)};
  }
}

render::Picture FrameScene::picture() const {
  const double width = static_cast<double>(columns_) * static_cast<double>(spacing);
  render::CameraRig rig;
  rig.set({{0, 0.55 * width, 0.85 * width}, {0, 0, 0.08 * width}});
  render::Picture picture;
  picture.focus = rig.target();
  picture.view = rig.view();
  picture.bodies = bodies_;
  return picture;
}

}  // namespace jostle::bench
