#pragma once

#include "client/client.h"
#include "client/render/camera.h"

#include <optional>
#include <span>

namespace jostle::render {

/// Where a ray meets a body.
struct Pick {
  const client::ShownBody* body = nullptr;
  float distance = 0;  // m along the ray
  math::Position position;
  math::Vec3 point_local;  // the same point in the body's frame
};

/// Beyond it nothing is picked; m.
inline constexpr float max_pick_distance = 2'000;

/// The nearest body that the ray meets from outside, bodies of `ignored_owner` left out (null:
/// none). Bodies that the ray starts in do not count.
std::optional<Pick> pick(const Ray& ray, std::span<const client::ShownBody> bodies,
                         state::PlayerId ignored_owner);

}  // namespace jostle::render
