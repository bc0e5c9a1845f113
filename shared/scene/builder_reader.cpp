#include "shared/scene/detail/builder_reader.h"

#include "shared/geometry/mass_properties.h"
#include "shared/geometry/shape_check.h"
#include "shared/math/trig.h"
#include "shared/scene/builders.h"
#include "shared/scene/detail/limits.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace jostle::scene::detail {
namespace {

using Kind = wire::AssemblyKind;

constexpr Range length_range = between(0.01, 1000);  // m
constexpr std::size_t max_points = 10'000;

/// Fails the reader if the assembly has a field that its kind does not use.
void check_fields(ValueReader& reader, const wire::Assembly& table, const Path& path) {
  const Kind kind = *table.kind();
  const auto only = [&](std::string_view field, bool is_given, auto... kinds) {
    if (is_given && ((kind != kinds) && ...))
      reader.fail(path.field(field), "is not used by an assembly of kind \"" +
                                         std::string(wire::EnumNameAssemblyKind(kind)) + "\"");
  };
  only("position", table.position() != nullptr, Kind::ragdoll, Kind::car);
  only("rotation", table.rotation() != nullptr, Kind::ragdoll, Kind::car);
  only("rotation_degrees", table.rotation_degrees() != nullptr, Kind::ragdoll, Kind::car);
  only("height", table.height().has_value(), Kind::ragdoll);
  only("mass", table.mass().has_value(), Kind::ragdoll);
  only("car", table.car() != nullptr, Kind::car);
  only("throttle", table.throttle().has_value(), Kind::car);
  only("steer_angle", table.steer_angle().has_value(), Kind::car);
  only("points", table.points() != nullptr, Kind::chain, Kind::bridge);
  only("count", table.count().has_value(), Kind::chain, Kind::bridge);
  only("density", table.density().has_value(), Kind::chain, Kind::bridge);
  only("radius", table.radius().has_value(), Kind::chain);
  only("start_fixed", table.start_fixed().has_value(), Kind::chain);
  only("end_fixed", table.end_fixed().has_value(), Kind::chain);
  only("width", table.width().has_value(), Kind::bridge);
  only("thickness", table.thickness().has_value(), Kind::bridge);
  only("ball_joints", table.ball_joints().has_value(), Kind::bridge);
}

/// Reads a list of `least` to `most` points, given as x, y, z of one point after the other.
std::vector<math::Position> read_points(ValueReader& reader, const wire::Assembly& table,
                                        const Path& path, std::size_t least, std::size_t most) {
  std::vector<math::Position> points;
  const Path own = path.field("points");
  const std::size_t numbers = table.points() == nullptr ? 0 : table.points()->size();
  if (numbers % 3 != 0 || numbers < 3 * least || numbers > 3 * most) {
    reader.fail(own, "must have x, y, z of " + std::to_string(least) +
                         (most > least ? " to " + std::to_string(most) : std::string{}) +
                         " points, has " + std::to_string(numbers) + " numbers");
    return points;
  }
  float length = 0;
  for (flatbuffers::uoffset_t i = 0; i < numbers; i += 3) {
    const auto at = [&](flatbuffers::uoffset_t k) {
      return reader.checked(table.points()->Get(i + k), own.entry(i + k), coordinate_range);
    };
    points.push_back({at(0), at(1), at(2)});
    if (i > 0) length += math::length(points.back() - points[points.size() - 2]);
  }
  if (!(length >= 0.01f)) reader.fail(own, "must not all be at the same position");
  return points;
}

void read_ends(ValueReader& reader, const wire::Assembly& table, const Path& path,
               std::uint32_t& count, float& density) {
  count = static_cast<std::uint32_t>(
      reader.whole_number(table.count(), path.field("count"), between(1, 10'000), count));
  density = reader.number(table.density(), path.field("density"), density_range, density);
}

Assembly read_chain(ValueReader& reader, const wire::Assembly& table, const Path& path,
                    const std::string& name, state::Colour colour) {
  ChainDef def;
  def.name = name;
  def.colour = colour;
  def.points = read_points(reader, table, path, 2, max_points);
  read_ends(reader, table, path, def.count, def.density);
  def.radius = reader.number(table.radius(), path.field("radius"), between(0.001, 100), def.radius);
  def.is_start_fixed = table.start_fixed().value_or(def.is_start_fixed);
  def.is_end_fixed = table.end_fixed().value_or(def.is_end_fixed);
  return reader.has_failed() ? Assembly{} : build_chain(def);
}

Assembly read_bridge(ValueReader& reader, const wire::Assembly& table, const Path& path,
                     const std::string& name, state::Colour colour) {
  BridgeDef def;
  def.name = name;
  def.colour = colour;
  const std::vector<math::Position> points = read_points(reader, table, path, 2, 2);
  if (!reader.has_failed()) {
    def.from = points[0];
    def.to = points[1];
  }
  read_ends(reader, table, path, def.count, def.density);
  def.width = reader.number(table.width(), path.field("width"), length_range, def.width);
  def.thickness =
      reader.number(table.thickness(), path.field("thickness"), length_range, def.thickness);
  def.ball_joints = table.ball_joints().value_or(def.ball_joints);
  return reader.has_failed() ? Assembly{} : build_bridge(def);
}

Assembly read_assembly(ValueReader& reader, const wire::Assembly& table, const Path& path) {
  const std::string name = reader.name(table.name(), path.field("name"));
  state::Colour colour;
  if (table.colour() != nullptr)
    colour = read_colour(reader, *table.colour(), path.field("colour"));
  const math::Pose pose{reader.position(table.position(), path.field("position"), {}),
                        reader.rotation(table.rotation(), table.rotation_degrees(), path, {})};
  switch (*table.kind()) {
    case Kind::ragdoll: {
      RagdollDef def{.name = name, .pose = pose, .colour = colour};
      def.height =
          reader.number(table.height(), path.field("height"), between(0.1, 100), def.height);
      def.mass = reader.number(table.mass(), path.field("mass"), mass_range, def.mass);
      return build_ragdoll(def);
    }
    case Kind::car: {
      CarBuild def{.name = name, .pose = pose, .car = {}, .colour = colour};
      def.car = read_car(reader, table.car(), path.field("car"));
      def.throttle = reader.number(table.throttle(), path.field("throttle"), within(1), 0);
      // Messages show a limit of 0.6 rad as 34.4 degrees, so the limit is rounded up to accept 34.4
      // too.
      const double most = static_cast<double>(def.car.max_steer) / radians_per_degree;
      const float degrees = reader.number(table.steer_angle(), path.field("steer_angle"),
                                          within(std::ceil(most * 10) / 10), 0);
      def.steer = std::clamp(degrees * radians_per_degree, -def.car.max_steer, def.car.max_steer);
      return reader.has_failed() ? Assembly{} : build_car(def);
    }
    case Kind::chain:
      return read_chain(reader, table, path, name, colour);
    default:
      return read_bridge(reader, table, path, name, colour);
  }
}

/// Fails the reader if a body of an assembly exceeds the limits for bodies in files.
void check_built(ValueReader& reader, const SceneBody& body, const Path& path) {
  const auto refuse = [&](const std::string& why) {
    const std::string named = body.name.empty() ? "" : "\"" + body.name + "\" ";
    reader.fail(path, "creates a body " + named + "that " + why);
  };
  const bool moves = body.motion != state::MotionType::Static;
  double mass = 0;
  for (const SceneShape& shape : body.shapes) {
    if (const auto error = geometry::check_shape(shape.shape))
      return refuse(std::string(geometry::describe(*error)));
    const auto size = static_cast<double>(largest_half_size(shape.shape));
    if (moves && size > max_moving_size) {
      return refuse("is " + shown(2 * size) + " m long; a moving body may be at most " +
                    shown(2 * max_moving_size));
    }
    mass += static_cast<double>(shape.density) * static_cast<double>(geometry::volume(shape.shape));
  }
  if (body.motion != state::MotionType::Dynamic) return;
  if (body.mass != 0.0f) mass = static_cast<double>(body.mass);
  if (!(mass >= min_mass && mass <= mass_range.high)) {
    refuse("weighs " + shown(mass) + " kg: must be from " + shown(min_mass) + " to " +
           shown(mass_range.high));
  }
}

}  // namespace

CarDef read_car(ValueReader& reader, const wire::Car* table, const Path& path) {
  CarDef car;
  if (table == nullptr) return car;
  const auto number = [&](float& to, std::optional<double> from, std::string_view name,
                          Range range) { to = reader.number(from, path.field(name), range, to); };
  car.size = reader.vector(table->size(), path.field("size"), between(0.05, 100), car.size);
  number(car.mass, table->mass(), "mass", positive(0.1, 1e6));
  number(car.wheelbase, table->wheelbase(), "wheelbase", between(0.05, 100));
  number(car.track, table->track_width(), "track_width", between(0.05, 100));
  number(car.wheel_radius, table->wheel_radius(), "wheel_radius", between(0.01, 50));
  number(car.wheel_width, table->wheel_width(), "wheel_width", between(0.01, 50));
  number(car.wheel_mass, table->wheel_mass(), "wheel_mass", positive(0.01, 1e5));
  number(car.wheel_friction, table->wheel_friction(), "wheel_friction", friction_range);
  number(car.suspension_hertz, table->suspension_hertz(), "suspension_hertz", between(0.2, 15));
  number(car.suspension_damping_ratio, table->suspension_damping_ratio(),
         "suspension_damping_ratio", between(0, 10));
  number(car.suspension_travel, table->suspension_travel(), "suspension_travel", between(0, 10));
  car.drive = static_cast<Drive>(table->drive().value_or(wire::Drive::rear));
  number(car.drive_torque, table->drive_torque(), "drive_torque", between(0, 1e9));
  number(car.brake_torque, table->brake_torque(), "brake_torque", between(0, 1e9));
  number(car.max_speed, table->max_speed(), "max_speed", between(0, 1000));
  float degrees = car.max_steer / radians_per_degree;
  number(degrees, table->max_steer_angle(), "max_steer_angle", between(0, 60));
  car.max_steer = degrees * radians_per_degree;
  // With Ackermann steering, the inner wheel turns more than the wheel of the equivalent bicycle.
  // The difference grows with the track width.
  if (std::max(steer_angles(car, car.max_steer).left, 0.0f) > 75 * radians_per_degree ||
      steer_angles(car, car.max_steer).left < 0.0f)
    reader.fail(
        path.field("max_steer_angle"),
        "turns the inner wheel by more than 75 degrees; use a smaller angle or a longer wheelbase");
  return car;
}

std::string too_many_joints(std::size_t count) {
  return "bring the scene to " + std::to_string(count) + " joints; at most " +
         std::to_string(max_scene_joints) + " are allowed";
}

std::vector<SceneJoint> read_builders(ValueReader& reader, const Tables<wire::Assembly>* tables,
                                      const Path& path, BodyList& list) {
  std::vector<SceneJoint> joints;
  if (tables == nullptr) return joints;
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const wire::Assembly& table = *tables->Get(i);
    const Path own = path.entry(i);
    if (!table.kind()) {
      reader.fail(own.field("kind"), "is missing");
      break;
    }
    check_fields(reader, table, own);
    if (reader.has_failed()) break;
    Assembly built = read_assembly(reader, table, own);
    const auto first = static_cast<std::uint32_t>(list.size());
    for (SceneBody& body : built.bodies) {
      if (body.name.size() > max_scene_name_bytes)
        reader.fail(own.field("name"),
                    "is too long: with the suffixes of the parts it exceeds 64 bytes");
      check_built(reader, body, own);
      list.add(reader, std::move(body), own);
    }
    for (SceneJoint& joint : built.joints) {
      joint.body_a += first;
      joint.body_b += first;
      joints.push_back(std::move(joint));
    }
    if (joints.size() > max_scene_joints) reader.fail(path, too_many_joints(joints.size()));
  }
  return joints;
}

}  // namespace jostle::scene::detail
