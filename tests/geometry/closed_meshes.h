#pragma once

#include "shared/math/quat.h"
#include "shared/math/trig.h"
#include "shared/state/solid.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// Closed meshes whose triangles are counter-clockwise seen from outside. They are bit-identical on
/// every machine.
namespace jostle::geometry::testing {

using state::TriangleMesh;

/// A point of a profile that is revolved about the y axis.
struct ProfilePoint {
  float radius = 0, y = 0;
};

inline math::SinCos turn(float share) {
  return math::sin_cos(2 * math::pi * share);
}

/// Revolves a profile about the y axis. In a drawing with the radius to the right and y up, the
/// solid is to the left of the profile's direction. A closed profile does not repeat its first
/// point. An open profile starts and ends on the axis.
inline TriangleMesh revolved(const std::vector<ProfilePoint>& profile, bool is_closed,
                             std::uint32_t segments) {
  TriangleMesh mesh;
  // first vertex of each profile point; points on the axis have only one vertex
  std::vector<std::uint32_t> first;
  for (const ProfilePoint& p : profile) {
    first.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
    const std::uint32_t count = p.radius == 0.0f ? 1 : segments;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto [sine, cosine] = turn(static_cast<float>(i) / static_cast<float>(segments));
      mesh.vertices.push_back({p.radius * cosine, p.y, -p.radius * sine});
    }
  }
  const std::size_t steps = is_closed ? profile.size() : profile.size() - 1;
  for (std::size_t k = 0; k < steps; ++k) {
    const std::size_t next = (k + 1) % profile.size();
    const auto vertex = [&](std::size_t at, std::uint32_t i) {
      return profile[at].radius == 0.0f ? first[at] : first[at] + i % segments;
    };
    for (std::uint32_t i = 0; i < segments; ++i) {
      const std::uint32_t a = vertex(k, i), b = vertex(k, i + 1);
      const std::uint32_t c = vertex(next, i), d = vertex(next, i + 1);
      if (a != b) mesh.triangles.push_back({a, b, d});
      if (c != d) mesh.triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

inline TriangleMesh torus(float radius, float tube, std::uint32_t segments, std::uint32_t sides) {
  std::vector<ProfilePoint> profile;
  for (std::uint32_t i = 0; i < sides; ++i) {
    const auto [sine, cosine] = turn(static_cast<float>(i) / static_cast<float>(sides));
    profile.push_back({radius + tube * cosine, tube * sine});
  }
  return revolved(profile, true, segments);
}

/// Returns points on a circle about the origin, from the lowest point through the fraction `share`
/// of a full turn. Points that are nearly on the axis are placed on it.
inline std::vector<ProfilePoint> arc(float radius, float share, std::uint32_t steps) {
  std::vector<ProfilePoint> points;
  for (std::uint32_t i = 0; i <= steps; ++i) {
    const auto [sine, cosine] = turn(share * static_cast<float>(i) / static_cast<float>(steps));
    const float across = radius * sine;
    points.push_back({across < 1e-5f * radius ? 0.0f : across, -radius * cosine});
  }
  return points;
}

/// Returns the lower half of a hollow sphere with the radii `outer` and `inner`.
inline TriangleMesh bowl(float outer, float inner, std::uint32_t segments, std::uint32_t steps) {
  std::vector<ProfilePoint> profile = arc(outer, 0.25f, steps);
  const std::vector<ProfilePoint> inside = arc(inner, 0.25f, steps);
  profile.insert(profile.end(), inside.rbegin(), inside.rend());
  return revolved(profile, false, segments);
}

inline TriangleMesh ball(float radius, std::uint32_t segments, std::uint32_t steps) {
  return revolved(arc(radius, 0.5f, steps), false, segments);
}

/// Returns unit cells of a grid as one solid. Its faces are those between a filled ('#') and an
/// empty cell. `layers` contains layers of constant z, starting at z = 0. Each layer is a list of
/// rows from the top, and each row runs along x.
inline TriangleMesh cells(const std::vector<std::vector<std::string>>& layers) {
  const auto is_filled = [&](int x, int y, int z) {
    if (z < 0 || z >= static_cast<int>(layers.size())) return false;
    const auto& layer = layers[static_cast<std::size_t>(z)];
    if (y < 0 || y >= static_cast<int>(layer.size())) return false;
    const std::string& row = layer[layer.size() - 1 - static_cast<std::size_t>(y)];
    return x >= 0 && x < static_cast<int>(row.size()) && row[static_cast<std::size_t>(x)] == '#';
  };
  TriangleMesh mesh;
  const auto add = [&](std::array<std::array<int, 3>, 4> loop) {
    std::array<std::uint32_t, 4> v{};
    for (std::size_t i = 0; i < 4; ++i) {
      const math::Vec3 p{static_cast<float>(loop[i][0]), static_cast<float>(loop[i][1]),
                         static_cast<float>(loop[i][2])};
      std::size_t at = 0;
      while (at < mesh.vertices.size() && !(mesh.vertices[at] == p))
        ++at;
      if (at == mesh.vertices.size()) mesh.vertices.push_back(p);
      v[i] = static_cast<std::uint32_t>(at);
    }
    mesh.triangles.push_back({v[0], v[1], v[2]});
    mesh.triangles.push_back({v[0], v[2], v[3]});
  };
  for (int z = 0; z < static_cast<int>(layers.size()); ++z) {
    for (int y = 0; y < static_cast<int>(layers[0].size()); ++y) {
      for (int x = 0; x < static_cast<int>(layers[0][0].size()); ++x) {
        if (!is_filled(x, y, z)) continue;
        const int X = x + 1, Y = y + 1, Z = z + 1;
        if (!is_filled(X, y, z)) add({{{X, y, z}, {X, Y, z}, {X, Y, Z}, {X, y, Z}}});
        if (!is_filled(x - 1, y, z)) add({{{x, y, z}, {x, y, Z}, {x, Y, Z}, {x, Y, z}}});
        if (!is_filled(x, Y, z)) add({{{x, Y, z}, {x, Y, Z}, {X, Y, Z}, {X, Y, z}}});
        if (!is_filled(x, y - 1, z)) add({{{x, y, z}, {X, y, z}, {X, y, Z}, {x, y, Z}}});
        if (!is_filled(x, y, Z)) add({{{x, y, Z}, {X, y, Z}, {X, Y, Z}, {x, Y, Z}}});
        if (!is_filled(x, y, z - 1)) add({{{x, y, z}, {x, Y, z}, {X, Y, z}, {X, y, z}}});
      }
    }
  }
  return mesh;
}

inline TriangleMesh moved(TriangleMesh mesh, math::Quat rotation, math::Vec3 offset) {
  for (math::Vec3& v : mesh.vertices)
    v = rotate(rotation, v) + offset;
  return mesh;
}

}  // namespace jostle::geometry::testing
