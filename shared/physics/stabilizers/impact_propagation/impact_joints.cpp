#include "shared/physics/stabilizers/impact_propagation/impact_joints.h"

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace jostle::physics {

using math::Vec3;
using tree::Velocity;

namespace {

/// Returns M⁻¹·impulse.
Velocity changed_by(const OwnMass& mass, const Velocity& impulse) {
  const double(&m)[3] = mass.inverse_mass;
  const double(&i)[6] = mass.inverse_inertia;
  const double x = impulse[3], y = impulse[4], z = impulse[5];
  return {m[0] * impulse[0],
          m[1] * impulse[1],
          m[2] * impulse[2],
          i[0] * x + i[1] * y + i[2] * z,
          i[1] * x + i[3] * y + i[4] * z,
          i[2] * x + i[4] * y + i[5] * z};
}

TreePart part_of(const ColouredJoint& joint) {
  constexpr auto lanes = static_cast<std::uint32_t>(lane_count);
  return {joint.place / lanes, joint.place % lanes, joint.joint_class, true, false};
}

ImpactRow coordinate_row(const CoordinateBundle& bundle, std::size_t coordinate,
                         std::uint32_t lane) {
  const Coordinate& row = bundle.coordinates[coordinate];
  const auto both = [&](const Lanes(&force)[3], const Lanes(&torque)[3]) {
    const math::Vec3d f = math::widened(vector_of(force, lane)),
                      t = math::widened(vector_of(torque, lane));
    return Velocity{f.x, f.y, f.z, t.x, t.y, t.z};
  };
  return {0, 0, both(row.force_a, row.torque_a), both(row.force_b, row.torque_b)};
}

/// Calls `visit(row)` for the rows of a joint, whose bodies are not set.
template <typename Visit>
void for_each_row(const Cluster& cluster, const ImpactJoint& joint, const Visit& visit) {
  const JointArrays& arrays = cluster.joint_solver;
  if (joint.has_coordinates) {
    const CoordinateBundle& bundle = arrays.coordinates.bundles[joint.index];
    for (std::size_t k = 0; k < max_coordinates; ++k)
      if (bundle.coordinates[k].is_held[joint.lane] != 0.0f)
        visit(coordinate_row(bundle, k, joint.lane));
    return;
  }
  const TreePart part = part_of(arrays.coloured[joint.index]);
  const JointBundle& bundle = arrays.bundles[part.bundle];
  JointDirections directions;
  const std::size_t count = find_directions(cluster, part, directions);
  const Vec3 arm_a = vector_of(bundle.arm_a, part.lane), arm_b = vector_of(bundle.arm_b, part.lane);
  for (std::size_t k = 0; k < count; ++k)
    visit(ImpactRow{0, 0, row_of(directions[k], arm_a, -1), row_of(directions[k], arm_b, 1)});
}

/// Returns the joints in the order in which a breadth-first search over the bodies reaches them.
std::vector<ImpactJoint> in_order(std::span<const ImpactJoint> joints,
                                  std::span<const std::uint32_t> places, std::size_t body_count) {
  std::vector<ImpactJoint> ordered;
  std::vector<std::vector<std::uint32_t>> of_body(body_count);
  for (std::uint32_t i = 0; i < joints.size(); ++i)
    for (const std::uint32_t body : {places[joints[i].a], places[joints[i].b]})
      if (body != 0) of_body[body].push_back(i);
  std::vector<bool> is_taken(joints.size()), is_reached(body_count);
  std::vector<std::uint32_t> reached;
  const auto reach = [&](std::uint32_t body) {
    if (body == 0 || is_reached[body]) return;
    is_reached[body] = true;
    reached.push_back(body);
  };
  for (std::uint32_t root = 1; root < body_count; ++root) {
    reach(root);
    for (std::size_t i = reached.size() - 1; i < reached.size(); ++i) {
      for (const std::uint32_t joint : of_body[reached[i]]) {
        if (is_taken[joint]) continue;
        is_taken[joint] = true;
        ordered.push_back(joints[joint]);
        reach(places[joints[joint].a]);
        reach(places[joints[joint].b]);
      }
    }
  }
  return ordered;
}

}  // namespace

std::vector<ImpactJoint> rigid_joints(const Cluster& cluster) {
  std::vector<ImpactJoint> joints;
  if (cluster.joints.empty()) return joints;
  const JointArrays& arrays = cluster.joint_solver;
  for (std::uint32_t i = 0; i < arrays.coloured.size(); ++i)
    joints.push_back({false, i, 0, arrays.coloured[i].a, arrays.coloured[i].b});
  const std::vector<CoordinateBundle>& bundles = arrays.coordinates.bundles;
  for (std::uint32_t i = 0; i < bundles.size(); ++i) {
    for (std::uint32_t lanes = bundles[i].used_lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      joints.push_back({true, i, lane, bundles[i].a[lane], bundles[i].b[lane]});
    }
  }
  std::erase_if(joints, [&](const ImpactJoint& joint) {
    bool is_rigid = false;
    for_each_row(cluster, joint, [&](const ImpactRow&) { is_rigid = true; });
    return !is_rigid;
  });
  return joints;
}

void apply_impulse(std::span<const OwnMass> masses, const ImpactRow& row, double size,
                   std::span<Velocity> changes) {
  tree::add_times(changes[row.a], changed_by(masses[row.a], row.of_a), size);
  tree::add_times(changes[row.b], changed_by(masses[row.b], row.of_b), size);
}

ImpactJoints::ImpactJoints(const Cluster& cluster, std::span<const ImpactJoint> joints,
                           std::span<const std::uint32_t> places, std::span<const OwnMass> masses)
    : masses_(masses) {
  for (const ImpactJoint& joint : in_order(joints, places, masses.size()))
    add_rows(cluster, joint, places);
  factor();
}

void ImpactJoints::add_rows(const Cluster& cluster, const ImpactJoint& joint,
                            std::span<const std::uint32_t> places) {
  Block block{joint, rows_.size()};
  for_each_row(cluster, joint, [&](ImpactRow row) {
    row.a = places[joint.a];
    row.b = places[joint.b];
    rows_.push_back(row);
  });
  block.count = rows_.size() - block.first;
  blocks_.push_back(block);
}

/// Computes the Cholesky factor of J·M⁻¹·Jᵀ. Rows that depend on earlier ones get zeros.
void ImpactJoints::factor() {
  constexpr double rounding = 1e-10;
  std::vector<std::size_t> first_of_body(masses_.size(), rows_.size());
  std::vector<Velocity> changes(masses_.size());
  for (const Block& block : blocks_) {
    std::size_t first = block.first;
    for (const std::uint32_t body : {rows_[block.first].a, rows_[block.first].b}) {
      if (body == 0) continue;
      first_of_body[body] = std::min(first_of_body[body], block.first);
      first = std::min(first, first_of_body[body]);
    }
    for (std::size_t i = block.first; i < block.first + block.count; ++i) {
      first_.push_back(first);
      lines_.push_back(factor_.size());
      factor_.resize(factor_.size() + i + 1 - first);
      apply_impulse(masses_, rows_[i], 1, changes);
      double* row = line(i);
      double whole = 0;
      for (std::size_t k = first; k <= i; ++k) {
        double sum = whole = rows_[k].speed(changes);
        for (std::size_t j = std::max(first, first_[k]); j < k; ++j)
          sum -= row[j] * line(k)[j];
        row[k] = k < i ? sum * line(k)[k] : sum;
      }
      row[i] = row[i] > rounding * whole ? 1.0 / std::sqrt(row[i]) : 0.0;
      changes[rows_[i].a] = changes[rows_[i].b] = {};
    }
  }
  impulses_.resize(rows_.size());
}

void ImpactJoints::project(std::span<Velocity> changes) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    double sum = -rows_[i].speed(changes);
    for (std::size_t k = first_[i]; k < i; ++k)
      sum -= line(i)[k] * impulses_[k];
    impulses_[i] = sum * line(i)[i];
  }
  for (std::size_t i = rows_.size(); i > 0; --i) {
    const double* row = line(i - 1);
    impulses_[i - 1] *= row[i - 1];
    for (std::size_t k = first_[i - 1]; k + 1 < i; ++k)
      impulses_[k] -= row[k] * impulses_[i - 1];
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    apply_impulse(masses_, rows_[i], impulses_[i], changes);
}

void ImpactJoints::add_impulses(Cluster& cluster) const {
  JointArrays& arrays = cluster.joint_solver;
  for (const Block& block : blocks_) {
    Velocity sum{};
    for (std::size_t i = block.first; i < block.first + block.count; ++i)
      tree::add_times(sum, rows_[i].of_b, impulses_[i]);
    const math::Vec3d force{sum[0], sum[1], sum[2]}, torque{sum[3], sum[4], sum[5]};
    const auto add_to = [&](auto& bundle, std::uint32_t lane, bool has_torque) {
      add(bundle.step_linear, lane, force);
      const math::Vec3d arm = math::widened(vector_of(bundle.arm_b, lane));
      if (has_torque) add(bundle.step_angular, lane, torque - cross(arm, force));
    };
    if (block.joint.has_coordinates) {
      add_to(arrays.coordinates.bundles[block.joint.index], block.joint.lane, true);
    } else {
      const TreePart part = part_of(arrays.coloured[block.joint.index]);
      add_to(arrays.bundles[part.bundle], part.lane, has_frames(joint_classes[part.joint_class]));
    }
  }
}

}  // namespace jostle::physics
