#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/limits.h"
#include "api/physics/tables.h"

#include <jostle/physics/bodies.h>

#include <array>
#include <vector>

namespace jostle::api {

template <>
jostle_body_arrays default_of() {
  jostle_body_arrays arrays{};
  arrays.size = sizeof arrays;
  return arrays;
}

namespace {

template <typename Number, std::size_t length>
using Row = std::array<Number, length>;

/// Array of the caller with a row of `length` numbers per body; unused if null.
template <typename Number, std::size_t length>
struct Column {
  Number* data = nullptr;
  std::size_t stride = 0;

  Column(Number* array, std::size_t wanted_stride, std::size_t count, const char* name)
      : data(array), stride(stride_of(wanted_stride, length * sizeof(Number), name)) {
    if (data != nullptr) require_array(data, count, stride, name);
  }
  bool is_used() const { return data != nullptr; }
  auto row(std::size_t index) const {
    using Value = std::remove_const_t<Number>;
    return read_element(reinterpret_cast<const Row<Value, length>*>(data), stride, index);
  }
  void set_row(std::size_t index, const Row<Number, length>& row) const {
    write_element(reinterpret_cast<Row<Number, length>*>(data), stride, index, row);
  }
};

struct Columns {
  Column<double, 3> positions;
  Column<float, 4> rotations;
  Column<float, 3> linear, angular;
  Column<std::uint8_t, 1> awake;

  Columns(const jostle_body_arrays& a, std::size_t count)
      : positions(a.positions, a.positions_stride, count, "arrays->positions"),
        rotations(a.rotations, a.rotations_stride, count, "arrays->rotations"),
        linear(a.linear_velocities, a.linear_velocities_stride, count, "arrays->linear_velocities"),
        angular(a.angular_velocities, a.angular_velocities_stride, count,
                "arrays->angular_velocities"),
        awake(a.awake, a.awake_stride, count, "arrays->awake") {}
};

/// Returns the engine's handles of the caller's bodies, or of the first bodies of the world.
std::vector<physics::BodyHandle> find_bodies(const physics::World& world, const jostle_body* bodies,
                                             std::size_t count) {
  if (bodies == nullptr) {
    std::vector<physics::BodyHandle> all = world.bodies();
    if (count > all.size()) {
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "count is %zu, but the world has %zu bodies", count,
             all.size());
    }
    all.resize(count);
    return all;
  }
  require_array(bodies, count, sizeof(jostle_body), "bodies");
  std::vector<physics::BodyHandle> handles;
  handles.reserve(count < world.body_count() ? count : world.body_count());
  for (std::size_t i = 0; i < count; ++i) {
    const physics::BodyHandle handle = to_engine(read_element(bodies, sizeof(jostle_body), i));
    if (!world.is_alive(handle))
      refuse(JOSTLE_ERROR_STALE_HANDLE, "bodies[%zu] does not exist in this world", i);
    handles.push_back(handle);
  }
  return handles;
}

jostle_pose pose_in(const Columns& columns, std::size_t i) {
  const auto p = columns.positions.row(i);
  const auto r = columns.rotations.row(i);
  return {{p[0], p[1], p[2]}, {r[0], r[1], r[2], r[3]}};
}
jostle_vec3 vector_in(const Row<float, 3>& row) {
  return {row[0], row[1], row[2]};
}
Row<float, 3> row_of(math::Vec3 v) {
  return {v.x, v.y, v.z};
}

void read_body_into(const physics::World& world, physics::BodyHandle body, const Columns& columns,
                    std::size_t i) {
  if (columns.positions.is_used() || columns.rotations.is_used()) {
    const math::Pose pose = world.pose(body);
    const math::Position p = pose.position;
    const math::Quat r = pose.rotation;
    if (columns.positions.is_used()) columns.positions.set_row(i, {p.x, p.y, p.z});
    if (columns.rotations.is_used()) columns.rotations.set_row(i, {r.x, r.y, r.z, r.w});
  }
  if (columns.linear.is_used()) columns.linear.set_row(i, row_of(world.linear_velocity(body)));
  if (columns.angular.is_used()) columns.angular.set_row(i, row_of(world.angular_velocity(body)));
  if (columns.awake.is_used())
    columns.awake.set_row(i, {world.is_awake(body) ? std::uint8_t{1} : std::uint8_t{0}});
}

/// Checks all values before any body changes.
void check_values(const Columns& columns, std::size_t count) {
  if (columns.positions.is_used() != columns.rotations.is_used())
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "arrays->positions and arrays->rotations must both be null or both be set");
  if (columns.linear.is_used() != columns.angular.is_used())
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "arrays->linear_velocities and arrays->angular_velocities must both be null or "
                "both be set");
  for (std::size_t i = 0; i < count; ++i) {
    if (columns.positions.is_used()) require_body_pose(pose_in(columns, i), "a pose of the arrays");
    if (!columns.linear.is_used()) continue;
    require_speed(vector_in(columns.linear.row(i)), "a linear velocity of the arrays");
    require_speed(vector_in(columns.angular.row(i)), "an angular velocity of the arrays");
  }
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_body_arrays_init(jostle_body_arrays* arrays, size_t size) {
  return write_default(__func__, arrays, size);
}

jostle_result jostle_bodies_read(jostle_world world, const jostle_body* bodies, size_t count,
                                 const jostle_body_arrays* arrays) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const Columns columns(read_struct(arrays, "arrays"), count);
    const auto handles = find_bodies(found, bodies, count);
    for (std::size_t i = 0; i < handles.size(); ++i)
      read_body_into(found, handles[i], columns, i);
  });
}

jostle_result jostle_bodies_write(jostle_world world, const jostle_body* bodies, size_t count,
                                  const jostle_body_arrays* arrays) {
  return change_world(__func__, world, [&](physics::World& found) {
    const Columns columns(read_struct(arrays, "arrays"), count);
    const auto handles = find_bodies(found, bodies, count);
    check_values(columns, handles.size());
    for (std::size_t i = 0; i < handles.size(); ++i) {
      if (columns.positions.is_used()) found.set_pose(handles[i], to_engine(pose_in(columns, i)));
      if (columns.linear.is_used())
        found.set_velocity(handles[i], to_engine(vector_in(columns.linear.row(i))),
                           to_engine(vector_in(columns.angular.row(i))));
    }
  });
}

jostle_result jostle_bodies_apply_forces(jostle_world world, const jostle_body* bodies,
                                         size_t count, const float* forces, size_t forces_stride,
                                         const float* torques, size_t torques_stride) {
  return change_world(__func__, world, [&](physics::World& found) {
    if (count > 0) require_pointer(forces, "forces");
    const Column<const float, 3> force(forces, forces_stride, count, "forces");
    const Column<const float, 3> torque(torques, torques_stride, count, "torques");
    const auto handles = find_bodies(found, bodies, count);
    for (std::size_t i = 0; i < handles.size(); ++i) {
      require_range(vector_in(force.row(i)), -max_force, max_force, "a force", "N");
      if (torque.is_used())
        require_range(vector_in(torque.row(i)), -max_force, max_force, "a torque", "N·m");
    }
    for (std::size_t i = 0; i < handles.size(); ++i) {
      found.apply_central_force(handles[i], to_engine(vector_in(force.row(i))));
      if (torque.is_used()) found.apply_torque(handles[i], to_engine(vector_in(torque.row(i))));
    }
  });
}
