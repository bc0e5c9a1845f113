#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/tables.h"

#include <jostle/physics/events.h>

using namespace jostle;
using namespace jostle::api;

namespace {

/// Implements a function that lists events: `list(world)` returns those of the engine, and
/// `make(event)` converts one.
template <typename Event, typename List, typename Make>
jostle_result list_events(const char* function, jostle_world world, Event* events,
                          std::size_t stride, std::size_t capacity, std::size_t* count,
                          const List& list, const Make& make) {
  return read_world(function, world, [&](const physics::World& found) {
    const auto output = list_output(events, stride, capacity, count);
    const auto all = list(found);
    write_list(output, all.size(), [&](std::size_t i) { return make(all[i]); });
  });
}

jostle_shape_pair pair_of_contact(const auto& event) {
  return {to_c(event.a), to_c(event.b)};
}
jostle_shape_pair pair_of_sensor(const auto& event) {
  return {to_c(event.sensor), to_c(event.visitor)};
}

jostle_contact contact_of(const physics::World& world, const physics::ContactView& view) {
  jostle_contact contact{};
  contact.a = to_c(view.a);
  contact.b = to_c(view.b);
  contact.body_a = to_c(world.body_of(view.a));
  contact.body_b = to_c(world.body_of(view.b));
  contact.normal = to_c(view.normal);
  contact.point_count = static_cast<std::uint32_t>(view.point_count);
  for (std::uint32_t i = 0; i < contact.point_count; ++i) {
    const physics::ContactPointView& point = view.points[i];
    contact.points[i] = {to_c(point.position), point.separation, point.normal_impulse};
  }
  return contact;
}

static_assert(sizeof(jostle_contact::points) / sizeof(jostle_contact_point) ==
              physics::max_manifold_points);

}  // namespace

jostle_result jostle_world_get_contact_begins(jostle_world world, jostle_shape_pair* events,
                                              size_t stride, size_t capacity, size_t* count) {
  return list_events(
      __func__, world, events, stride, capacity, count,
      [](const physics::World& found) { return found.contact_begins(); },
      [](const physics::ContactBegin& event) { return pair_of_contact(event); });
}
jostle_result jostle_world_get_contact_ends(jostle_world world, jostle_shape_pair* events,
                                            size_t stride, size_t capacity, size_t* count) {
  return list_events(
      __func__, world, events, stride, capacity, count,
      [](const physics::World& found) { return found.contact_ends(); },
      [](const physics::ContactEnd& event) { return pair_of_contact(event); });
}
jostle_result jostle_world_get_sensor_begins(jostle_world world, jostle_shape_pair* events,
                                             size_t stride, size_t capacity, size_t* count) {
  return list_events(
      __func__, world, events, stride, capacity, count,
      [](const physics::World& found) { return found.sensor_begins(); },
      [](const physics::SensorBegin& event) { return pair_of_sensor(event); });
}
jostle_result jostle_world_get_sensor_ends(jostle_world world, jostle_shape_pair* events,
                                           size_t stride, size_t capacity, size_t* count) {
  return list_events(
      __func__, world, events, stride, capacity, count,
      [](const physics::World& found) { return found.sensor_ends(); },
      [](const physics::SensorEnd& event) { return pair_of_sensor(event); });
}
jostle_result jostle_world_get_contact_hits(jostle_world world, jostle_contact_hit* events,
                                            size_t stride, size_t capacity, size_t* count) {
  return list_events(
      __func__, world, events, stride, capacity, count,
      [](const physics::World& found) { return found.contact_hits(); },
      [](const physics::ContactHit& event) {
        return jostle_contact_hit{to_c(event.a), to_c(event.b), to_c(event.point),
                                  to_c(event.normal), event.approach_speed};
      });
}
jostle_result jostle_world_get_sleep_changes(jostle_world world, jostle_sleep_change* events,
                                             size_t stride, size_t capacity, size_t* count) {
  return list_events(
      __func__, world, events, stride, capacity, count,
      [](const physics::World& found) { return found.sleep_changes(); },
      [](const physics::SleepChange& event) {
        return jostle_sleep_change{to_c(event.body), to_c(event.is_awake)};
      });
}
jostle_result jostle_world_get_joint_breaks(jostle_world world, jostle_joint_break* events,
                                            size_t stride, size_t capacity, size_t* count) {
  return list_events(
      __func__, world, events, stride, capacity, count,
      [](const physics::World& found) { return found.joint_breaks(); },
      [](const physics::JointBreak& event) {
        return jostle_joint_break{to_c(event.joint), to_c(event.body_a), to_c(event.body_b)};
      });
}
jostle_result jostle_world_get_contacts(jostle_world world, jostle_contact* contacts, size_t stride,
                                        size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto output = list_output(contacts, stride, capacity, count);
    const auto views = found.contacts();
    write_list(output, views.size(), [&](std::size_t i) { return contact_of(found, views[i]); });
  });
}
