#include "tests/client_app/fake_scene.h"

#include "shared/base/random.h"
#include "shared/math/trig.h"

#include <cmath>

namespace jostle::render {

using math::Vec3;

namespace {

math::Quat turn(Vec3 axis, float angle) {
  const Vec3 imaginary = axis * std::sin(angle / 2);
  return {imaginary.x, imaginary.y, imaginary.z, std::cos(angle / 2)};
}

}  // namespace

FakeScene::FakeScene(math::Position origin) : origin_(origin) {
  add(state::plane(), {}, {}, state::MotionType::Static, {148, 152, 158});
}

state::BodyInfo& FakeScene::add(state::Shape shape, Vec3 offset, math::Quat rotation,
                                state::MotionType motion, state::Colour colour) {
  state::BodyInfo info;
  info.id = {static_cast<std::uint32_t>(infos_.size() + 1)};
  info.motion = motion;
  info.pose = {origin_ + offset, rotation};
  info.shapes.push_back({shape, {}});
  info.colour = colour;
  infos_.push_back(info);
  return infos_.back();
}

void FakeScene::add_heap(int count) {
  const state::Colour wood[] = {{196, 140, 82}, {182, 122, 66}, {208, 158, 100}, {170, 112, 62}};
  const state::Colour paint[] = {{214, 72, 58}, {52, 122, 204}, {238, 178, 52}, {64, 160, 96}};
  base::Random random(7);
  add(state::box({4, 0.25f, 0.3f}), {-3, 0.25f, -6}, {}, state::MotionType::Static,
      {150, 150, 156});
  for (int layer = 0; layer < 4; ++layer) {
    for (int i = 0; i < 5 - layer; ++i) {
      const Vec3 at{-2.2f + 1.06f * static_cast<float>(i) + 0.53f * static_cast<float>(layer),
                    0.5f + static_cast<float>(layer), -3};
      add(state::box({0.5f, 0.5f, 0.5f}), at, {}, state::MotionType::Dynamic,
          wood[(i + layer) % 4]);
    }
  }
  for (int i = 0; i < count; ++i) {
    const float spread = 9;
    const bool is_high = random.chance(0.25f);
    const float size = random.between(0.28f, 0.62f);
    const Vec3 at{random.between(-spread, spread), is_high ? random.between(1.5f, 7) : size,
                  random.between(-spread * 0.6f, spread * 0.8f)};
    const Vec3 axis = math::normalized_or(
        {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}, {0, 1, 0});
    const math::Quat tumbled = turn(axis, random.between(0, 6));
    const math::Quat turned = turn({0, 1, 0}, random.between(0, 6));
    const auto kind = random.below(10);
    if (kind < 6) {
      add(state::box({size, size, size}), at, is_high ? tumbled : turned,
          state::MotionType::Dynamic, wood[random.below(4)]);
    } else if (kind < 8) {
      add(state::sphere(size), at, tumbled, state::MotionType::Dynamic, paint[random.below(4)]);
    } else {
      const Vec3 lying = is_high ? at : Vec3{at.x, size * 0.6f, at.z};
      const math::Quat flat = turned * turn({1, 0, 0}, math::pi / 2);
      add(state::capsule(size * 0.6f, size), lying, is_high ? tumbled : flat,
          state::MotionType::Dynamic, paint[random.below(4)]);
    }
  }
  state::BodyInfo& player =
      add(state::sphere(0.5f), {1.5f, 0.5f, 4.5f}, {}, state::MotionType::Dynamic, {60, 190, 220});
  player.owner = {1};
  player.name = "ada";
}

std::vector<client::ShownBody> FakeScene::shown() const {
  std::vector<client::ShownBody> bodies;
  for (const state::BodyInfo& info : infos_) {
    bodies.push_back({&info, info.pose, info.id.value % 5 != 0});
  }
  return bodies;
}

}  // namespace jostle::render
