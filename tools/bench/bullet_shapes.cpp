#include "tools/bench/detail/bullet_shapes.h"

#include "tools/workload/body_mass.h"

#include <utility>

namespace jostle::bench {
namespace {

using workload::ShapeKind;

/// Tolerance in m: a centre of mass nearer to the origin counts as the origin.
constexpr btScalar centre_tolerance = 1e-5f;

bool is_single_and_centred(const workload::Body& body) {
  const workload::Part& first = body.parts.front();
  return body.parts.size() == 1 && first.local.offset == math::Vec3{} &&
         first.local.rotation == math::Quat{};
}

btVector3 to_vector(const math::Position& p) {
  return {static_cast<btScalar>(p.x), static_cast<btScalar>(p.y), static_cast<btScalar>(p.z)};
}

btMatrix3x3 to_matrix(const std::array<std::array<double, 3>, 3>& rows) {
  btMatrix3x3 matrix;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      matrix[i][j] =
          static_cast<btScalar>(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    }
  }
  return matrix;
}

}  // namespace

BulletShapes::BulletShapes(const workload::Scene& scene) : scene_(scene) {
  for (const workload::Shape& shape : scene.shapes)
    shapes_.push_back(make(shape));
}

std::unique_ptr<btCollisionShape> BulletShapes::make(const workload::Shape& shape) {
  const float r = shape.radius, h = shape.half_segment;
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return std::make_unique<btSphereShape>(r);
    case ShapeKind::Box:
      return std::make_unique<btBoxShape>(to_bullet(shape.half_extents));
    case ShapeKind::Capsule:
      return std::make_unique<btCapsuleShape>(r, 2 * h);
    case ShapeKind::Cylinder:
      return std::make_unique<btCylinderShape>(btVector3(r, h, r));
    case ShapeKind::Cone:
      return std::make_unique<btConeShape>(r, 2 * h);
    case ShapeKind::Plane:
      return std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0.0f);
    case ShapeKind::Hull: {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const math::Vec3& point : shape.points)
        hull->addPoint(to_bullet(point), false);
      hull->recalcLocalAabb();
      return hull;
    }
    case ShapeKind::Mesh:
      break;
  }
  auto mesh = std::make_unique<btTriangleMesh>();
  mesh->preallocateVertices(static_cast<int>(shape.points.size()));
  mesh->preallocateIndices(static_cast<int>(3 * shape.triangles.size()));
  for (const math::Vec3& point : shape.points)
    mesh->findOrAddVertex(to_bullet(point), false);
  for (const auto& t : shape.triangles)
    mesh->addTriangleIndices(static_cast<int>(t[0]), static_cast<int>(t[1]),
                             static_cast<int>(t[2]));
  meshes_.push_back(std::move(mesh));
  return std::make_unique<btBvhTriangleMeshShape>(meshes_.back().get(), true);
}

BulletSolid BulletShapes::solid_of(const workload::Body& body) {
  BulletSolid solid;
  const workload::BodyMass mass = workload::mass_of(scene_, body);
  btMatrix3x3 inertia = to_matrix(mass.inertia);
  // Static and kinematic bodies keep mass and inertia 0; otherwise Bullet would let them rotate.
  if (workload::is_dynamic(body)) {
    solid.mass = static_cast<btScalar>(mass.mass);
    solid.inertia = {inertia[0][0], inertia[1][1], inertia[2][2]};
  }
  const btVector3 centre = to_vector(mass.centre);
  const bool is_about_origin = !workload::is_dynamic(body) || centre.length() < centre_tolerance;
  if (is_single_and_centred(body) && is_about_origin) {
    // Use the shape itself, without the cost of a compound. The products of inertia of a hull are
    // ignored.
    solid.shape = shapes_[body.parts.front().shape].get();
    return solid;
  }
  if (workload::is_dynamic(body)) {
    btMatrix3x3 axes;
    inertia.diagonalize(axes, 1e-6f * (inertia[0][0] + inertia[1][1] + inertia[2][2]), 30);
    solid.inertia = {inertia[0][0], inertia[1][1], inertia[2][2]};
    solid.frame = btTransform(axes, centre);
  }
  auto compound = std::make_unique<btCompoundShape>();
  for (const workload::Part& part : body.parts) {
    compound->addChildShape(
        solid.frame.inverse() * to_bullet(part.local.offset, part.local.rotation),
        shapes_[part.shape].get());
  }
  solid.shape = compound.get();
  shapes_.push_back(std::move(compound));
  return solid;
}

}  // namespace jostle::bench
