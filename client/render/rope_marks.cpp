#include "client/render/rope_marks.h"

#include "client/render/shown_bodies.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace jostle::render {
namespace {

using math::Position;
using math::Vec3;
using state::RopeKind;

constexpr float rope_radius = 0.018f, wire_radius = 0.009f;  // m
constexpr state::Colour rope_colour{205, 172, 118}, rod_colour{112, 117, 126},
    spring_colour{176, 182, 192};

constexpr std::ptrdiff_t max_coils = 64;
constexpr int turns = 9, pieces_of_turn = 8;
// Radius of a coil as a fraction of the spring's length, and its limits in m.
constexpr float coil_share = 0.05f, least_coil = 0.03f, largest_coil = 0.12f;
/// Fraction of a spring's length that is straight, at each end.
constexpr float end_share = 0.1f;

std::optional<Position> place_of(const state::Rope::End& end,
                                 std::span<const client::ShownBody> bodies) {
  if (end.body.is_null()) return math::to_position(end.point);
  const client::ShownBody* const body = find_body(bodies, end.body);
  if (body == nullptr) return std::nullopt;
  return math::transform_point(body->pose, end.point);
}

void add_line(Position from, Position to, float radius, state::Colour colour,
              std::vector<Mark>& marks) {
  marks.push_back({from, to, colour, radius});
}

void add_coil(Position from, Position to, std::vector<Mark>& marks) {
  const Vec3 way = to - from;
  const float length = math::length(way);
  const Vec3 axis = math::normalized_or(way, {0, 1, 0});
  const Vec3 across = math::normalized_or(
      math::cross(axis, std::abs(axis.y) < 0.9f ? Vec3{0, 1, 0} : Vec3{1, 0, 0}), {1, 0, 0});
  const Vec3 up = math::cross(axis, across);
  const float radius = std::clamp(coil_share * length, least_coil, largest_coil);
  constexpr int pieces = turns * pieces_of_turn;
  Position before = from;
  for (int i = 0; i <= pieces; ++i) {
    const float share = static_cast<float>(i) / pieces;
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / pieces_of_turn;
    const Vec3 aside = (across * std::cos(angle) + up * std::sin(angle)) * radius;
    const Position at = from + way * (end_share + (1 - 2 * end_share) * share) + aside;
    add_line(before, at, wire_radius, spring_colour, marks);
    before = at;
  }
  add_line(before, to, wire_radius, spring_colour, marks);
}

}  // namespace

void add_rope_marks(std::span<const state::Rope> ropes, std::span<const client::ShownBody> bodies,
                    std::vector<Mark>& marks) {
  const auto is_spring = [](const state::Rope& rope) { return rope.kind == RopeKind::Spring; };
  const bool has_coils = std::count_if(ropes.begin(), ropes.end(), is_spring) <= max_coils;
  for (const state::Rope& rope : ropes) {
    if (rope.a == rope.b) continue;  // the rope has not been received yet
    const auto from = place_of(rope.a, bodies), to = place_of(rope.b, bodies);
    if (!from || !to) continue;
    if (is_spring(rope) && has_coils) {
      add_coil(*from, *to, marks);
    } else {
      add_line(*from, *to, rope_radius,
               is_spring(rope)               ? spring_colour
               : rope.kind == RopeKind::Rope ? rope_colour
                                             : rod_colour,
               marks);
    }
  }
}

}  // namespace jostle::render
