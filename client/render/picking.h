#pragma once

#include "client/client.h"
#include "client/render/camera.h"

#include <optional>
#include <span>

namespace jostle::render {

/// Intersection of a ray with a body.
struct Pick {
  const client::ShownBody* body = nullptr;
  float distance = 0;  // m along the ray
  math::Position position;
  math::Vec3 point_local;  // the same point in the body's frame
};

/// Maximum distance of a pick, m.
inline constexpr float max_pick_distance = 2'000;

/// Returns the nearest body that the ray enters from outside within max_pick_distance; nothing if
/// there is none. Bodies of `ignored_owner` are skipped (null: none), and so are shapes in which
/// the ray starts.
std::optional<Pick> pick(const Ray& ray, std::span<const client::ShownBody> bodies,
                         state::PlayerId ignored_owner);

}  // namespace jostle::render
