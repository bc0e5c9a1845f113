#include "shared/physics/world/step_events.h"

#include "shared/physics/detail/world_state.h"

#include <algorithm>
#include <tuple>

namespace jostle::physics {
namespace {

template <typename Event>
void sort_by_pair(std::vector<Event>& events) {
  std::stable_sort(events.begin(), events.end(), [](const Event& x, const Event& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  });
}

template <typename Event>
void sort_by_visitor(std::vector<Event>& events) {
  std::sort(events.begin(), events.end(), [](const Event& x, const Event& y) {
    return std::tie(x.sensor, x.visitor) < std::tie(y.sensor, y.visitor);
  });
}

/// Reports the bodies whose sleep state differs from the last reported one.
void report_sleep(WorldState& world) {
  for (const BodyHandle handle : world.maybe_changed_sleep) {
    if (!world.body_pool.is_alive(handle)) continue;
    Body& body = world.bodies[handle.index];
    if (body.is_awake == body.is_reported_awake) continue;
    body.is_reported_awake = body.is_awake;
    world.sleep_changes.push_back({handle, body.is_awake});
  }
  world.maybe_changed_sleep.clear();
  std::sort(world.sleep_changes.begin(), world.sleep_changes.end(),
            [](const SleepChange& x, const SleepChange& y) { return x.body < y.body; });
}

void count(WorldState& world) {
  StepStats& stats = world.stats;
  stats.bodies = world.body_pool.live_count();
  stats.awake_bodies = static_cast<std::uint32_t>(world.awake_bodies.size());
  stats.candidate_pairs = static_cast<std::uint32_t>(world.pairs.size());
  stats.touching_pairs = stats.contact_points = 0;
  for (const ListedContact& entry : world.awake_contacts) {
    // The solver may have found the contact to touch after the narrow phase.
    if (!entry.is_touching && !world.contacts[entry.index].is_touching) continue;
    ++stats.touching_pairs;
    stats.contact_points += entry.point_count;
  }
  stats.quarantined_bodies = world.quarantined_count;
}

}  // namespace

void sort_ends(std::vector<ContactEnd>& ends) {
  sort_by_pair(ends);
}

void sort_ends(std::vector<SensorEnd>& ends) {
  sort_by_visitor(ends);
}

void begin_events(WorldState& world) {
  world.begins.clear();
  world.ends.clear();
  world.hits.clear();
  world.sleep_changes.clear();
  world.sensor_begins.clear();
  world.sensor_ends.clear();
  world.joint_breaks.clear();
}

void finish_events(WorldState& world) {
  world.ends.swap(world.pending_ends);
  world.pending_ends.clear();
  sort_by_pair(world.begins);
  sort_ends(world.ends);
  sort_by_pair(world.hits);
  world.sensor_ends.swap(world.pending_sensor_ends);
  world.pending_sensor_ends.clear();
  sort_by_visitor(world.sensor_begins);
  sort_by_visitor(world.sensor_ends);
  std::sort(world.joint_breaks.begin(), world.joint_breaks.end(),
            [](const JointBreak& x, const JointBreak& y) { return x.joint < y.joint; });
  report_sleep(world);
  count(world);
}

}  // namespace jostle::physics
