#include "shared/base/assert.h"
#include "shared/math/trig.h"
#include "shared/scene/builders.h"

#include <cmath>

namespace jostle::scene {

using math::Position;
using math::Vec3;

namespace {

/// Returns the shortest rotation from the y axis to the unit vector `to`.
math::Quat rotation_from_up(Vec3 to) {
  if (to.y < -0.9999f) return rotation_from_up(-to) * math::Quat{1, 0, 0, 0};
  return normalized(math::Quat{to.z, 0, -to.x, 1.0f + to.y});
}

std::string part_name(const std::string& name, const std::string& part) {
  return name.empty() ? std::string{} : name + "_" + part;
}

/// Returns the `count` + 1 points that divide a polyline into `count` pieces of equal length.
std::vector<Position> cut(const std::vector<Position>& points, std::uint32_t count) {
  float whole = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    whole += math::length(points[i] - points[i - 1]);
  std::vector<Position> places{points.front()};
  std::size_t next = 1;
  float before = 0;  // length up to points[next − 1], m
  for (std::uint32_t k = 1; k <= count; ++k) {
    const float way = whole * static_cast<float>(k) / static_cast<float>(count);
    float piece = math::length(points[next] - points[next - 1]);
    while (next + 1 < points.size() && before + piece < way) {
      before += piece;
      ++next;
      piece = math::length(points[next] - points[next - 1]);
    }
    const float share = piece > 0.0f ? math::min_of((way - before) / piece, 1.0f) : 1.0f;
    places.push_back(points[next - 1] + (points[next] - points[next - 1]) * share);
  }
  return places;
}

SceneBody post_at(const std::string& name, Position at, state::Shape shape, state::Colour colour) {
  SceneBody post;
  post.name = name;
  post.motion = state::MotionType::Static;
  post.pose.position = at;
  post.colour = colour;
  SceneShape part;
  part.shape = std::move(shape);
  post.shapes = {part};
  return post;
}

SceneJoint joint_between(JointKind kind, std::size_t a, std::size_t b, Position at, Vec3 axis) {
  SceneJoint joint;
  joint.kind = kind;
  joint.body_a = static_cast<std::uint32_t>(a);
  joint.body_b = static_cast<std::uint32_t>(b);
  joint.anchor = joint.anchor_b = at;
  joint.axis = axis;
  return joint;
}

}  // namespace

Assembly build_chain(const ChainDef& def) {
  JOSTLE_ASSERT(def.points.size() >= 2 && def.count >= 1);
  Assembly built;
  const std::vector<Position> places = cut(def.points, def.count);
  for (std::uint32_t i = 0; i < def.count; ++i) {
    const Vec3 along = places[i + 1] - places[i];
    const float length = math::length(along);
    SceneBody link;
    link.name = part_name(def.name, std::to_string(i));
    link.pose = {places[i] + along * 0.5f, rotation_from_up(normalized_or(along, {0, 1, 0}))};
    link.colour = def.colour;
    SceneShape shape;
    const float radius = math::min_of(def.radius, 0.45f * length);
    shape.shape = state::capsule(radius, 0.5f * length - radius);
    shape.density = def.density;
    link.shapes = {shape};
    built.bodies.push_back(std::move(link));
    if (i > 0)
      built.joints.push_back(joint_between(JointKind::Ball, i - 1, i, places[i], {0, 1, 0}));
  }
  const auto fix = [&](const char* name, Position at, std::size_t link) {
    built.bodies.push_back(
        post_at(part_name(def.name, name), at, state::sphere(1.5f * def.radius), def.colour));
    built.joints.push_back(
        joint_between(JointKind::Ball, built.bodies.size() - 1, link, at, {0, 1, 0}));
  };
  if (def.is_start_fixed) fix("start", places.front(), 0);
  if (def.is_end_fixed) fix("end", places.back(), def.count - 1);
  return built;
}

Assembly build_bridge(const BridgeDef& def) {
  JOSTLE_ASSERT(def.count >= 1);
  Assembly built;
  const Vec3 way = def.to - def.from;
  const Vec3 along = normalized_or(way, {1, 0, 0});
  const Vec3 across = normalized_or(cross(along, {0, 1, 0}), {0, 0, 1});
  const math::Quat level = math::from_axis_angle({0, 1, 0}, math::atan2(-along.z, along.x));
  const math::Quat rotation =
      level *
      math::from_axis_angle({0, 0, 1},
                            math::atan2(along.y, std::sqrt(along.x * along.x + along.z * along.z)));
  const float length = math::length(way) / static_cast<float>(def.count);
  const auto place = [&](float share) { return def.from + along * (length * share); };
  const auto join = [&](std::size_t a, std::size_t b, Position at) {
    if (!def.ball_joints) {
      built.joints.push_back(joint_between(JointKind::Hinge, a, b, at, across));
      return;
    }
    for (const float side : {-0.5f, 0.5f}) {
      built.joints.push_back(
          joint_between(JointKind::Ball, a, b, at + across * (side * def.width), across));
    }
  };
  for (std::uint32_t i = 0; i < def.count; ++i) {
    SceneBody plank;
    plank.name = part_name(def.name, std::to_string(i));
    plank.pose = {place(static_cast<float>(i) + 0.5f), normalized(rotation)};
    plank.colour = def.colour;
    SceneShape shape;
    shape.shape = state::box({0.48f * length, 0.5f * def.thickness, 0.5f * def.width});
    shape.density = def.density;
    plank.shapes = {shape};
    built.bodies.push_back(std::move(plank));
    if (i > 0) join(i - 1, i, place(static_cast<float>(i)));
  }
  const math::Vec3 post{0.1f, 0.1f, 0.5f * def.width};
  const auto fix = [&](const char* name, float share, std::size_t plank) {
    const Vec3 beside = along * (share == 0.0f ? -post.x : post.x);
    built.bodies.push_back(post_at(part_name(def.name, name), place(share) + beside,
                                   state::box(post), {112, 128, 144}));
    built.bodies.back().pose.rotation = normalized(rotation);
    join(built.bodies.size() - 1, plank, place(share));
  };
  fix("start", 0.0f, 0);
  fix("end", static_cast<float>(def.count), def.count - 1);
  return built;
}

}  // namespace jostle::scene
