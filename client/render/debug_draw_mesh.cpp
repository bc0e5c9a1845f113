#include "client/render/debug_draw_mesh.h"

#include <array>
#include <cmath>

namespace jostle::render {
namespace {

using math::Vec3;
using state::DebugDrawKind;

constexpr float line_pixels = 1.6f, thin_pixels = 1.0f, point_pixels = 5.5f;

class Builder {
 public:
  Builder(const View& view, Size size, std::vector<DebugDrawVertex>& vertices)
      : view_(view),
        radians_per_pixel_(2 * std::tan(view.fov_y * 0.5f) / static_cast<float>(size.height)),
        vertices_(vertices) {}

  void point(Vec3 at, state::Colour colour) {
    const float depth = math::dot(at, view_.forward);
    if (depth <= view_.near) return;
    const float half = 0.5f * point_pixels * radians_per_pixel_ * depth;
    const Vec3 right = view_.right * half, up = view_.up * half;
    quad(at - right - up, at + right - up, at + right + up, at - right + up, colour);
  }

  void line(Vec3 from, Vec3 to, float pixels, state::Colour colour) {
    if (!cut_at_eye(from, to)) return;
    const Vec3 across = math::normalized_or(math::cross(to - from, from), view_.right);
    const float half = 0.5f * pixels * radians_per_pixel_;
    const Vec3 wide_from = across * (half * math::dot(from, view_.forward));
    const Vec3 wide_to = across * (half * math::dot(to, view_.forward));
    quad(from - wide_from, from + wide_from, to + wide_to, to - wide_to, colour);
  }

  /// Adds the twelve edges of the box with two opposite corners `low` and `high`.
  void box(Vec3 low, Vec3 high, state::Colour colour) {
    const auto corner = [&](unsigned i) {
      return Vec3{(i & 1U) != 0 ? high.x : low.x, (i & 2U) != 0 ? high.y : low.y,
                  (i & 4U) != 0 ? high.z : low.z};
    };
    for (unsigned i = 0; i < 8; ++i)
      for (const unsigned bit : {1U, 2U, 4U})
        if ((i & bit) == 0) line(corner(i), corner(i | bit), thin_pixels, colour);
  }

 private:
  /// Clips a line at the near plane; its ends are offsets from the eye. Returns false if nothing
  /// remains.
  bool cut_at_eye(Vec3& from, Vec3& to) const {
    const float near = view_.near;
    const float depth_from = math::dot(from, view_.forward);
    const float depth_to = math::dot(to, view_.forward);
    if (depth_from < near && depth_to < near) return false;
    const auto cut = [&](Vec3 inside, float depth_inside, Vec3 outside, float depth_outside) {
      const float share = (depth_inside - near) / (depth_inside - depth_outside);
      return inside + (outside - inside) * share;
    };
    if (depth_from < near) from = cut(to, depth_to, from, depth_from);
    if (depth_to < near) to = cut(from, depth_from, to, depth_to);
    return true;
  }

  void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, state::Colour colour) {
    for (const Vec3& corner : {a, b, c, a, c, d})
      vertices_.push_back({corner, colour.red, colour.green, colour.blue, 255});
  }

  const View& view_;
  float radians_per_pixel_;
  std::vector<DebugDrawVertex>& vertices_;
};

}  // namespace

state::Colour colour_of(DebugDrawKind kind) {
  // Reds are darker than greens, so that colour-blind users can distinguish them.
  static constexpr std::array<state::Colour, state::debug_draw_kind_count> colours{{
      {120, 190, 255},  // Box
      {255, 230, 60},   // Contact
      {255, 170, 40},   // ContactNormal
      {255, 60, 40},    // ContactImpulse
      {200, 80, 255},   // FrictionImpulse
      {255, 70, 70},    // JointX
      {70, 220, 90},    // JointY
      {70, 130, 255},   // JointZ
      {240, 240, 240},  // JointArm
      {90, 230, 230},   // JointLimit
      {255, 60, 40},    // JointImpulse
      {20, 20, 30},     // Centre
      {80, 230, 120},   // Velocity
      {60, 200, 230},   // AngularVelocity
      {255, 140, 220},  // Island
  }};
  return colours[static_cast<std::size_t>(kind)];
}

void build_debug_draw_mesh(const state::DebugDrawFrame& debug_draw, const View& view, Size size,
                           std::vector<DebugDrawVertex>& vertices) {
  vertices.clear();
  Builder builder(view, size, vertices);
  for (const state::DebugDrawItem& item : debug_draw.items) {
    const Vec3 from = item.from - view.eye, to = item.to - view.eye;
    const state::Colour colour = colour_of(item.kind);
    if (item.kind == DebugDrawKind::Box || item.kind == DebugDrawKind::Island) {
      builder.box(from, to, colour);
    } else if (item.from == item.to) {
      builder.point(from, colour);
    } else {
      builder.line(from, to, line_pixels, colour);
    }
  }
}

}  // namespace jostle::render
