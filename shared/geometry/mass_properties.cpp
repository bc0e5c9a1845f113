#include "shared/geometry/mass_properties.h"

#include "shared/geometry/detail/polyhedron.h"
#include "shared/math/trig.h"
#include "shared/math/vec3d.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::geometry {

using math::Mat3;
using math::Vec3;
using state::Shape;
using state::ShapeKind;

namespace {

constexpr float ball_volume(float radius) {
  return 4.0f / 3.0f * math::pi * radius * radius * radius;
}
constexpr float cylinder_volume(float radius, float half_length) {
  return 2.0f * math::pi * radius * radius * half_length;
}

/// Returns the principal moments of a capsule: the sum of a cylinder and two half balls whose flat
/// sides are at ±half_segment on the y axis.
Vec3 capsule_inertia(const Shape& shape, float density) {
  const float r = shape.radius, l = shape.half_segment;
  const float cylinder = density * cylinder_volume(r, l);
  const float ball = density * ball_volume(r);
  const float axial = 0.5f * cylinder * r * r + 0.4f * ball * r * r;
  // The centre of a half ball lies 3/8·r from its flat side. About that centre its inertia per mass
  // is 2/5·r² − (3/8·r)², and the parallel axis theorem moves it to the middle of the capsule.
  const float arm = l + 0.375f * r;
  const float half_balls = ball * ((0.4f - 0.375f * 0.375f) * r * r + arm * arm);
  const float across = cylinder * (0.25f * r * r + l * l / 3.0f) + half_balls;
  return {across, axial, across};
}

/// Returns the principal moments of a cone about its centre of mass, a quarter of its height above
/// the base. With the full height H they are 3/10·m·r² along the axis and 3/80·m·(4r² + H²) across
/// it.
Vec3 cone_inertia(const Shape& shape, float mass) {
  const float r = shape.radius, height = 2.0f * shape.half_segment;
  const float across = 0.0375f * mass * (4.0f * r * r + height * height);
  return {across, 0.3f * mass * r * r, across};
}

MassProperties hull_properties(const state::ConvexHull& hull, float density) {
  const detail::PolyhedronIntegrals v = detail::integrate(hull);
  const auto scaled = [&](double x) {
    return static_cast<float>(static_cast<double>(density) * x);
  };
  MassProperties properties;
  properties.mass = scaled(v.volume);
  properties.centre = narrowed(v.centre);
  properties.inertia = {{scaled(v.yy + v.zz), scaled(-v.xy), scaled(-v.xz)},
                        {scaled(-v.xy), scaled(v.xx + v.zz), scaled(-v.yz)},
                        {scaled(-v.xz), scaled(-v.yz), scaled(v.xx + v.yy)}};
  return properties;
}

/// Returns m·(|d|²·1 − d·dᵀ), the inertia that a mass at offset d adds (parallel axis theorem).
Mat3 point_inertia(float mass, Vec3 d) {
  const float squared = dot(d, d);
  return Mat3{Vec3{squared - d.x * d.x, -d.x * d.y, -d.x * d.z},
              Vec3{-d.y * d.x, squared - d.y * d.y, -d.y * d.z},
              Vec3{-d.z * d.x, -d.z * d.y, squared - d.z * d.z}} *
         mass;
}

/// Sums of the tetrahedra between the triangles of a mesh and an origin: the volume, and the
/// integrals of x and of x·xᵀ (by rows).
struct MeshIntegrals {
  double volume = 0;
  math::Vec3d first;
  std::array<math::Vec3d, 3> second;
};
MeshIntegrals integrate(const state::TriangleMesh& mesh, Vec3 origin) {
  MeshIntegrals sum;
  const auto from_origin = [&](std::uint32_t i) {
    return math::widened(mesh.vertices[i]) - math::widened(origin);
  };
  for (const auto& triangle : mesh.triangles) {
    const math::Vec3d a = from_origin(triangle[0]), b = from_origin(triangle[1]);
    const math::Vec3d c = from_origin(triangle[2]), all = a + b + c;
    const double volume = math::dot(a, math::cross(b, c)) / 6;
    sum.volume += volume;
    sum.first = sum.first + all * (volume / 4);
    const auto add = [&](std::size_t row, double of_a, double of_b, double of_c, double of_all) {
      sum.second[row] =
          sum.second[row] + (a * of_a + b * of_b + c * of_c + all * of_all) * (volume / 20);
    };
    add(0, a.x, b.x, c.x, all.x);
    add(1, a.y, b.y, c.y, all.y);
    add(2, a.z, b.z, c.z, all.z);
  }
  return sum;
}

}  // namespace

MassProperties mass_properties(const state::TriangleMesh& mesh, float density) {
  if (mesh.vertices.empty()) return {};
  const Vec3 origin = mesh.vertices.front();
  const MeshIntegrals sum = integrate(mesh, origin);
  if (!(sum.volume > 0)) return {};
  const math::Vec3d centre = sum.first * (1 / sum.volume);
  const auto of = [&](std::size_t i) { return i == 0 ? centre.x : i == 1 ? centre.y : centre.z; };
  const auto moment = [&](std::size_t i, std::size_t k) {
    const math::Vec3d& row = sum.second[i];
    return (k == 0 ? row.x : k == 1 ? row.y : row.z) - sum.volume * of(i) * of(k);
  };
  const double trace = moment(0, 0) + moment(1, 1) + moment(2, 2);
  const auto entry = [&](std::size_t i, std::size_t k) {
    const double value = i == k ? trace - moment(i, i) : -moment(i, k);
    return static_cast<float>(static_cast<double>(density) * value);
  };
  MassProperties properties;
  properties.mass = static_cast<float>(static_cast<double>(density) * sum.volume);
  properties.centre = origin + math::narrowed(centre);
  properties.inertia = {{entry(0, 0), entry(1, 0), entry(2, 0)},
                        {entry(1, 0), entry(1, 1), entry(2, 1)},
                        {entry(2, 0), entry(2, 1), entry(2, 2)}};
  return properties;
}

float volume(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return ball_volume(shape.radius);
    case ShapeKind::Box:
      return 8.0f * shape.half_extents.x * shape.half_extents.y * shape.half_extents.z;
    case ShapeKind::Capsule:
      return ball_volume(shape.radius) + cylinder_volume(shape.radius, shape.half_segment);
    case ShapeKind::Cylinder:
      return cylinder_volume(shape.radius, shape.half_segment);
    case ShapeKind::Cone:
      return cylinder_volume(shape.radius, shape.half_segment) / 3.0f;
    case ShapeKind::Hull:
      return static_cast<float>(
          detail::integrate(std::get<state::ConvexHull>(shape.solid->content)).volume);
    case ShapeKind::Plane:
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      return 0.0f;
  }
  return 0.0f;
}

MassProperties mass_properties(const Shape& shape, float density) {
  MassProperties properties;
  properties.mass = density * volume(shape);
  switch (shape.kind) {
    case ShapeKind::Sphere: {
      const float moment = 0.4f * properties.mass * shape.radius * shape.radius;
      properties.inertia = math::diagonal({moment, moment, moment});
      break;
    }
    case ShapeKind::Box: {
      const Vec3 h = shape.half_extents;
      const Vec3 moments{h.y * h.y + h.z * h.z, h.x * h.x + h.z * h.z, h.x * h.x + h.y * h.y};
      properties.inertia = math::diagonal(moments * (properties.mass / 3.0f));
      break;
    }
    case ShapeKind::Capsule:
      properties.inertia = math::diagonal(capsule_inertia(shape, density));
      break;
    case ShapeKind::Cylinder: {
      const float rr = shape.radius * shape.radius, ll = shape.half_segment * shape.half_segment;
      const float across = properties.mass * (0.25f * rr + ll / 3.0f);
      properties.inertia = math::diagonal({across, 0.5f * properties.mass * rr, across});
      break;
    }
    case ShapeKind::Cone:
      properties.centre = {0, -0.5f * shape.half_segment, 0};
      properties.inertia = math::diagonal(cone_inertia(shape, properties.mass));
      break;
    case ShapeKind::Hull:
      return hull_properties(std::get<state::ConvexHull>(shape.solid->content), density);
    case ShapeKind::Plane:
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      break;
  }
  return properties;
}

MassProperties transformed(const MassProperties& properties, const math::Transform& pose) {
  MassProperties result;
  result.mass = properties.mass;
  result.centre = transform_point(pose, properties.centre);
  if (pose.rotation == math::Quat{}) {
    result.inertia = properties.inertia;  // keeps a diagonal tensor exactly diagonal
  } else {
    const Mat3 r = to_matrix(pose.rotation);
    result.inertia = r * properties.inertia * transpose(r);
  }
  return result;
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
  if (a.mass == 0.0f) return b;
  if (b.mass == 0.0f) return a;
  MassProperties result;
  result.mass = a.mass + b.mass;
  result.centre = (a.centre * a.mass + b.centre * b.mass) / result.mass;
  result.inertia = a.inertia + point_inertia(a.mass, a.centre - result.centre) + b.inertia +
                   point_inertia(b.mass, b.centre - result.centre);
  return result;
}

namespace {

/// Returns true if the symmetric matrix is positive definite, by its leading principal minors.
bool is_positive(double xx, double xy, double xz, double yy, double yz, double zz) {
  const double minor = xx * yy - xy * xy;
  const double determinant =
      xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return xx > 0 && minor > 0 && determinant > 0;
}

}  // namespace

bool is_inertia(const math::Mat3& tensor) {
  const bool is_symmetric = tensor == transpose(tensor);
  const double xx = static_cast<double>(tensor.cx.x), yy = static_cast<double>(tensor.cy.y);
  const double zz = static_cast<double>(tensor.cz.z), trace = xx + yy + zz;
  if (!is_symmetric || !(trace > 1e-24) || !(trace < 1e24)) return false;
  const double scale = 1 / trace;
  const double xy = static_cast<double>(tensor.cx.y) * scale;
  const double xz = static_cast<double>(tensor.cx.z) * scale;
  const double yz = static_cast<double>(tensor.cy.z) * scale;
  const double x = xx * scale, y = yy * scale, z = zz * scale;
  // No moment exceeds the sum of the other two if the second moments of mass, ∫r·rᵀdm = ½·tr(I)·1 −
  // I, are positive semidefinite.
  constexpr double least = 1e-6, rounding = 1e-5;
  const double half = 0.5 + rounding;
  return is_positive(x - least, xy, xz, y - least, yz, z - least) &&
         is_positive(half - x, -xy, -xz, half - y, -yz, half - z);
}

}  // namespace jostle::geometry
