#include "shared/physics/solver/joint_rows.h"

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"

namespace jostle::physics {

using math::Vec3;

bool has_acting_rows(const JointDef& def) {
  return def.limits.is_enabled || def.cone.is_enabled || def.spring.is_enabled ||
         def.motor.is_enabled;
}

std::size_t find_directions(const Cluster& cluster, const TreePart& part,
                            JointDirections& directions) {
  const JointArrays& arrays = cluster.joint_solver;
  const JointBundle& bundle = arrays.bundles[part.bundle];
  const JointClass joint_class = joint_classes[part.joint_class];
  constexpr Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  Vec3 frame_y = y, frame_z = z;
  if (has_frames(joint_class)) {
    const math::Quat frame{bundle.frame_a[0][part.lane], bundle.frame_a[1][part.lane],
                           bundle.frame_a[2][part.lane], bundle.frame_a[3][part.lane]};
    const math::Quat rotation = arrays.poses[bundle.a[part.lane]].rotation * frame;
    frame_y = rotate(rotation, y);
    frame_z = rotate(rotation, z);
  }
  if (joint_class.kind == universal_joint) {  // no kind of a definition, so not a case
    directions = {{{x, {}}, {y, {}}, {z, {}}, {{}, vector_of(bundle.locked_axis, part.lane)}}};
    return 4;
  }
  switch (joint_class.kind) {
    case JointKind::Ball:
      directions = {{{x, {}}, {y, {}}, {z, {}}}};
      return 3;
    case JointKind::Hinge:
      directions = {{{x, {}}, {y, {}}, {z, {}}, {{}, frame_y}, {{}, frame_z}}};
      return 5;
    case JointKind::Slider:
      directions = {{{frame_y, {}}, {frame_z, {}}, {{}, x}, {{}, y}, {{}, z}}};
      return 5;
    case JointKind::Fixed:
      directions = {{{x, {}}, {y, {}}, {z, {}}, {{}, x}, {{}, y}, {{}, z}}};
      return 6;
    default:  // distance joints; joints with coordinates are never in a tree
      break;
  }
  const Vec3 apart = vector_of(bundle.apart, part.lane);
  directions[0] = {apart * (1.0f / math::max_of(length(apart), tiny)), {}};
  return bundle.is_rod[part.lane] != 0.0f && length(apart) > tiny ? 1 : 0;
}

tree::Velocity row_of(const TreeDirection& direction, Vec3 arm, double sign) {
  const math::Vec3d n = math::widened(direction.linear);
  const math::Vec3d turn = cross(math::widened(arm), n) + math::widened(direction.angular);
  return {sign * n.x, sign * n.y, sign * n.z, sign * turn.x, sign * turn.y, sign * turn.z};
}

double doubled_energy(const OwnMass& mass, const tree::Velocity& v) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (mass.inverse_mass[i] > 0) sum += v[i] * v[i] / mass.inverse_mass[i];
  const double(&i)[6] = mass.inverse_inertia;
  const math::Vec3d w{v[3], v[4], v[5]}, a{i[0], i[1], i[2]}, b{i[1], i[3], i[4]},
      c{i[2], i[4], i[5]};
  const math::Vec3d bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double determinant = dot(a, bc);
  if (!(determinant > 0)) return sum;
  return sum + (dot(bc, w) * w.x + dot(ca, w) * w.y + dot(ab, w) * w.z) / determinant;
}

OwnMass own_mass(const Cluster& cluster, std::uint32_t body) {
  const auto mass = static_cast<double>(cluster.solver.velocities[body].inverse_mass);
  const Vec3 free = state::free_linear(cluster.solver.bodies[body].locks, {1, 1, 1});
  const math::Vec3d linear = math::widened(free) * mass;
  // Batches of islands must not affect each other, so bodies without joints have the same inertia
  // with and without joints elsewhere in the cluster.
  const JointArrays& joints = cluster.joint_solver;
  const bool is_jointed = !cluster.joints.empty() && joints.is_jointed[body] != 0;
  const SolverInertia& i = (is_jointed ? joints.inertias : cluster.solver.inertias)[body];
  return {{linear.x, linear.y, linear.z}, {i.xx, i.xy, i.xz, i.yy, i.yz, i.zz}};
}

}  // namespace jostle::physics
