#include "shared/scene/detail/push_reader.h"

#include "shared/scene/detail/limits.h"

#include <set>
#include <string>

namespace jostle::scene::detail {
namespace {

using Names = Tables<flatbuffers::String>;

constexpr Range impulse_range = within(1e9);              // N·s
constexpr Range point_range = within(1e3);                // m
constexpr Range period_range = positive(0.001, 1e6);      // s
constexpr Range phase_range = within(1e3);                // turns
constexpr Range stiffness_range = above(0, 1e6);          // 1/s²
constexpr Range push_acceleration_range = above(0, 1e6);  // m/s²

std::uint32_t read_body(ValueReader& reader, const flatbuffers::String* text, const Path& path,
                        const SceneDef& scene, const BodyNames& names) {
  const std::uint32_t body = names.find(reader, text, path);
  if (reader.has_failed()) return body;
  const state::MotionType motion = scene.bodies[body].motion;
  if (motion != state::MotionType::Dynamic) {
    reader.fail(path, "\"" + scene.bodies[body].name + "\" is " +
                          (motion == state::MotionType::Static ? "static" : "kinematic") +
                          "; only a dynamic body can be pushed");
  }
  return body;
}

std::vector<std::uint32_t> read_bodies(ValueReader& reader, const wire::Push& table,
                                       const Path& path, const SceneDef& scene,
                                       const BodyNames& names) {
  if ((table.body() != nullptr) == (table.bodies() != nullptr)) {
    reader.fail(path, "must have either body (a name) or bodies (a list of names)");
    return {};
  }
  if (table.body() != nullptr)
    return {read_body(reader, table.body(), path.field("body"), scene, names)};
  const Path list = path.field("bodies");
  if (table.bodies()->size() == 0) reader.fail(list, "must not be empty");
  std::vector<std::uint32_t> bodies;
  std::set<std::uint32_t> known;
  for (flatbuffers::uoffset_t i = 0; i < table.bodies()->size() && !reader.has_failed(); ++i) {
    const Path entry = list.entry(i);
    bodies.push_back(read_body(reader, table.bodies()->Get(i), entry, scene, names));
    if (!known.insert(bodies.back()).second) reader.fail(entry, "is already in the list");
  }
  return bodies;
}

double read_moment(ValueReader& reader, std::optional<double> value, const Path& path, Range range,
                   double fallback) {
  return value ? reader.checked(*value, path, range) : fallback;
}

/// Reads the swing of a wire::PushVelocity or wire::PushFollow.
template <typename Table>
state::Swing read_swing(ValueReader& reader, const Table& table, const Path& path,
                        Range amplitude_range) {
  state::Swing swing;
  swing.amplitude =
      reader.vector(table.amplitude(), path.field("amplitude"), amplitude_range, swing.amplitude);
  swing.period = reader.vector(table.period(), path.field("period"), period_range, swing.period);
  swing.phase = reader.vector(table.phase(), path.field("phase"), phase_range, swing.phase);
  return swing;
}

state::ImpulsePush read_impulse(ValueReader& reader, const wire::Push& table, const Path& path) {
  state::ImpulsePush push;
  push.impulse = reader.vector(table.impulse(), path.field("impulse"), impulse_range, {});
  push.point = reader.vector(table.point(), path.field("point"), point_range, {});
  push.every = read_moment(reader, table.interval(), path.field("interval"), every_range, 0);
  push.count = static_cast<std::uint32_t>(
      reader.whole_number(table.count(), path.field("count"), count_range, 0));
  if (table.count() && !table.interval())
    reader.fail(path.field("count"), "requires interval, the period in seconds");
  return push;
}

state::VelocityPush read_velocity(ValueReader& reader, const wire::PushVelocity& table,
                                  const Path& path, const SceneWorld& world) {
  if (table.amplitude() == nullptr) reader.fail(path.field("amplitude"), "is missing");
  state::VelocityPush push{read_swing(reader, table, path, velocity_range)};
  if (length(push.swing.amplitude) > world.max_linear_speed) {
    reader.fail(path.field("amplitude"),
                "exceeds the world's limit of " + shown(world.max_linear_speed));
  }
  return push;
}

void read_axes(ValueReader& reader, const Numbers* numbers, const Path& path,
               std::array<bool, 3>& axes) {
  const math::Vec3 values = reader.vector(numbers, path, within(1e6), {1, 1, 1});
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const float value = values[static_cast<int>(i)];
    if (value != 0 && value != 1) reader.fail(path.entry(i), "must be 0 or 1, is " + shown(value));
    axes[i] = value == 1;
  }
}

state::FollowPush read_follow(ValueReader& reader, const wire::PushFollow& table,
                              const Path& path) {
  state::FollowPush push;
  push.centre = reader.position(table.centre(), path.field("centre"), push.centre);
  push.swing = read_swing(reader, table, path, local_offset_range);
  if (!table.stiffness()) reader.fail(path.field("stiffness"), "is missing");
  push.stiffness = reader.number(table.stiffness(), path.field("stiffness"), stiffness_range, 0);
  push.damping = reader.number(table.damping(), path.field("damping"), damping_range, 0);
  if (!table.max_acceleration()) reader.fail(path.field("max_acceleration"), "is missing");
  push.max_acceleration = reader.number(table.max_acceleration(), path.field("max_acceleration"),
                                        push_acceleration_range, 0);
  read_axes(reader, table.axes(), path.field("axes"), push.axes);
  return push;
}

/// Fails the reader if a field of impulses is given for another kind of push.
void refuse_fields_of_impulses(ValueReader& reader, const wire::Push& table, const Path& path) {
  const auto refuse = [&](bool is_there, const char* name) {
    if (is_there) reader.fail(path.field(name), "is only used by an impulse");
  };
  refuse(table.point() != nullptr, "point");
  refuse(table.interval().has_value(), "interval");
  refuse(table.count().has_value(), "count");
}

state::Push read_push(ValueReader& reader, const wire::Push& table, const Path& path,
                      const SceneDef& scene, const BodyNames& names) {
  state::Push push;
  push.bodies = read_bodies(reader, table, path, scene, names);
  const int kinds = (table.impulse() != nullptr ? 1 : 0) + (table.velocity() != nullptr ? 1 : 0) +
                    (table.follow() != nullptr ? 1 : 0);
  if (kinds != 1) {
    reader.fail(path, "must have exactly one of impulse, velocity and follow");
    return push;
  }
  push.start = read_moment(reader, table.start(), path.field("start"), moment_range, push.start);
  push.end = read_moment(reader, table.end(), path.field("end"), moment_range, push.end);
  if (!(push.end > push.start)) {
    reader.fail(path.field("end"),
                "must be above start (" + shown(push.start) + "), is " + shown(push.end));
  }
  if (table.impulse() != nullptr) {
    push.kind = read_impulse(reader, table, path);
    return push;
  }
  refuse_fields_of_impulses(reader, table, path);
  if (table.velocity() != nullptr)
    push.kind = read_velocity(reader, *table.velocity(), path.field("velocity"), scene.world);
  if (table.follow() != nullptr)
    push.kind = read_follow(reader, *table.follow(), path.field("follow"));
  return push;
}

}  // namespace

std::vector<state::Push> read_pushes(ValueReader& reader, const Tables<wire::Push>* tables,
                                     const Path& path, const SceneDef& scene,
                                     const BodyNames& names) {
  std::vector<state::Push> pushes;
  if (tables == nullptr || reader.has_failed()) return pushes;
  if (tables->size() > max_scene_pushes) {
    reader.fail(path, "may have at most " + std::to_string(max_scene_pushes) + " entries, has " +
                          std::to_string(tables->size()));
    return pushes;
  }
  std::size_t bodies = 0;
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const wire::Push& table = *tables->Get(i);
    bodies += table.bodies() != nullptr ? table.bodies()->size() : 1;
    if (bodies > max_pushed_bodies) {
      reader.fail(path.entry(i), "brings actuators to more than " +
                                     std::to_string(max_pushed_bodies) + " bodies in total");
    }
    if (!reader.has_failed())
      pushes.push_back(read_push(reader, table, path.entry(i), scene, names));
  }
  return pushes;
}

}  // namespace jostle::scene::detail
