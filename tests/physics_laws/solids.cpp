// Row 50: bodies that are decomposed into convex hulls have the mass properties of their solid.
#include "shared/math/vec3d.h"
#include "shared/scene/scene.h"
#include "tests/physics_laws/worlds.h"

#include <array>
#include <string>
#include <vector>

namespace jostle::physics::laws {
namespace {

using math::Vec3d;

/// A closed mesh of triangles, counter-clockwise from outside.
struct Mesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<std::size_t, 3>> triangles;
};

/// Returns the mesh of a solid of revolution about the y axis, moved along x. The section is a
/// closed polygon of (radius, height), clockwise.
Mesh turned(const std::vector<std::array<double, 2>>& section, std::size_t sides) {
  Mesh mesh;
  const std::size_t corners = section.size();
  for (const auto& [radius, height] : section) {
    for (std::size_t i = 0; i < sides; ++i) {
      const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(sides);
      mesh.vertices.push_back({0.3 + radius * std::cos(angle), height, radius * std::sin(angle)});
    }
  }
  for (std::size_t k = 0; k < corners; ++k) {
    const std::size_t next = (k + 1) % corners;
    for (std::size_t i = 0; i < sides; ++i) {
      const std::size_t j = (i + 1) % sides;
      const std::size_t a = sides * k + i, b = sides * next + i, c = sides * next + j,
                        d = sides * k + j;
      mesh.triangles.push_back({a, c, b});
      mesh.triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

/// Mass properties of a solid of density 1: the centre, and the moments of inertia about it.
struct Solid {
  double mass = 0;
  Vec3d centre, moments;
};

/// Integrates over the tetrahedra between the origin and each triangle.
Solid integrate(const Mesh& mesh) {
  double mass = 0;
  Vec3d first, second;  // ∫ r dm; ∫ x², y², z² dm
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3d a = mesh.vertices[i], b = mesh.vertices[j], c = mesh.vertices[k];
    const double volume = dot(a, cross(b, c)) / 6;
    mass += volume;
    first = first + (a + b + c) * (volume / 4);
    const auto square = [&](double x, double y, double z) {
      return volume / 10 * (x * x + y * y + z * z + x * y + y * z + z * x);
    };
    second = second + Vec3d{square(a.x, b.x, c.x), square(a.y, b.y, c.y), square(a.z, b.z, c.z)};
  }
  const Vec3d centre = first * (1 / mass);
  const Vec3d about =
      second - Vec3d{centre.x * centre.x, centre.y * centre.y, centre.z * centre.z} * mass;
  return {mass, centre, {about.y + about.z, about.z + about.x, about.x + about.y}};
}

/// Returns the body of a scene whose only body is the decomposed mesh with density 1 and at most
/// `hulls` hulls. `place` is appended to the fields of its shape.
scene::SceneBody decomposed(const Mesh& mesh, int hulls, const std::string& place = {}) {
  std::string vertices, triangles;
  const auto join = [](std::string& list, auto value) {
    list += (list.empty() ? "" : ",") + std::to_string(value);
  };
  for (const Vec3d& vertex : mesh.vertices)
    for (const double x : {vertex.x, vertex.y, vertex.z})
      join(vertices, x);
  for (const auto& triangle : mesh.triangles)
    for (const std::size_t vertex : triangle)
      join(triangles, vertex);
  const std::string text =
      R"({"name": "t", "spawns": [{"position": [0, 9, 0]}], "bodies": [{"shape": {"density": 1,
          "convex_decomposition": {"max_error": 0.5, "max_hulls": )" +
      std::to_string(hulls) + ", \"vertices\": [" + vertices + "], \"triangles\": [" + triangles +
      "]}" + place + "}}]}";
  const auto scene = scene::parse_scene(text, "t.scene.json");
  return scene ? scene->bodies[0] : scene::SceneBody{};
}

/// Returns the largest error of mass, centre and moments of inertia of rings, cups and wheels.
double decomposed_error() {
  const std::vector<std::array<double, 2>> ring{{0.6, 0}, {0.6, 0.5}, {1, 0.5}, {1, 0}},
      cup{{0.1, 0}, {0.1, 0.1}, {0.5, 0.1}, {0.5, 1}, {0.6, 1}, {0.6, 0}},
      wheel{{0.1, 0.2}, {0.1, 0.4}, {0.8, 0.4}, {0.8, 0.6}, {1, 0.6}, {1, 0}, {0.8, 0}, {0.8, 0.2}};
  double worst = 0;
  for (const auto& section : {ring, cup, wheel}) {
    for (const int hulls : {8, 64}) {
      const Mesh mesh = turned(section, 16);
      const Solid solid = integrate(mesh);
      const scene::SceneBody body = decomposed(mesh, hulls);
      if (!body.inertia || !body.centre_of_mass) return 1;
      const math::Mat3 inertia = *body.inertia;
      const Vec3d centre = math::widened(*body.centre_of_mass) - solid.centre;
      const Vec3d moments = math::widened(math::Vec3{inertia.cx.x, inertia.cy.y, inertia.cz.z});
      worst =
          std::max({worst, relative(static_cast<double>(body.mass), solid.mass),
                    length(centre) / 1.2, relative(moments.x, solid.moments.x),
                    relative(moments.y, solid.moments.y), relative(moments.z, solid.moments.z)});
    }
  }
  return worst;
}

/// Returns the largest error of the centre, and of the inertia relative to its trace, of rings
/// whose shape is rotated in its body, against those of the ring that is not rotated.
double rotated_error() {
  const Mesh mesh = turned({{0.6, 0}, {0.6, 0.5}, {1, 0.5}, {1, 0}}, 16);
  const scene::SceneBody straight = decomposed(mesh, 16);
  base::Random random(5);
  double worst = 0;
  for (int i = 0; i < 8; ++i) {
    const math::Quat q = random_rotation(random);
    const std::string place = ", \"rotation\": [" + std::to_string(q.x) + "," +
                              std::to_string(q.y) + "," + std::to_string(q.z) + "," +
                              std::to_string(q.w) + "]";
    const scene::SceneBody body = decomposed(mesh, 16, place);
    if (!body.inertia || !body.centre_of_mass) return 1;
    const math::Mat3 r = to_matrix(q);
    const math::Mat3 expected = r * *straight.inertia * transpose(r), found = *body.inertia;
    const float trace = found.cx.x + found.cy.y + found.cz.z;
    const Vec3 apart = rotate(q, *straight.centre_of_mass) - *body.centre_of_mass;
    for (const Vec3 difference :
         {expected.cx - found.cx, expected.cy - found.cy, expected.cz - found.cz})
      worst = std::max(worst, static_cast<double>(length(difference) / trace));
    worst = std::max(worst, static_cast<double>(length(apart)));
  }
  return worst;
}

constexpr Law laws[]{
    {50, "rotated shapes of decomposed meshes: centre and inertia", "those of the mesh", "", "",
     1e-3, rotated_error},
    {50, "meshes decomposed into 8 and 64 hulls: mass, centre and inertia", "those of the mesh", "",
     "", 1e-3, decomposed_error},
};

}  // namespace

std::span<const Law> solid_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
