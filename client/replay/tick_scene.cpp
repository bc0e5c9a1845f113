#include "client/replay/tick_scene.h"

#include <algorithm>
#include <cmath>

namespace jostle::replay {
namespace {

// Minimum difference between a ghost and its body. With a smaller one, the body would hide the
// ghost.
constexpr float least_shown_distance = 1e-3f;  // m
constexpr float least_shown_turn = 0.01f;      // rad

std::vector<client::ShownBody> bodies_of(const sim::Simulation& simulation) {
  const state::Snapshot snapshot = simulation.capture();
  std::vector<client::ShownBody> bodies;
  bodies.reserve(simulation.world_def().bodies.size());
  for (const state::BodyInfo& info : simulation.world_def().bodies)
    bodies.push_back({&info, info.pose, false});
  std::sort(bodies.begin(), bodies.end(),
            [](const auto& a, const auto& b) { return a.info->id < b.info->id; });
  auto next = bodies.begin();
  for (const state::BodyState& body : snapshot.bodies) {
    next = std::find_if(next, bodies.end(),
                        [&](const auto& shown) { return shown.info->id >= body.id; });
    if (next == bodies.end()) break;
    if (next->info->id != body.id) continue;
    next->pose = body.pose;
    next->is_awake = body.is_awake;
  }
  return bodies;
}

float turn_between(math::Quat a, math::Quat b) {
  const float cosine = std::abs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
  return 2 * std::acos(std::min(cosine, 1.0f));
}

}  // namespace

TickScene scene_of(const sim::Simulation& simulation) {
  TickScene scene;
  scene.bodies = bodies_of(simulation);
  scene.ropes = simulation.ropes();
  scene.labels = simulation.labels();
  for (const state::ParticleGroup& group : simulation.capture_particles().groups)
    for (const math::Position& position : group.positions)
      scene.particles.push_back({position, group.radius, group.colour});
  return scene;
}

SceneDifference difference_of(std::span<const client::ShownBody> shown,
                              std::span<const client::ShownBody> other) {
  SceneDifference difference;
  auto a = shown.begin();
  for (const client::ShownBody& b : other) {
    for (; a != shown.end() && a->info->id < b.info->id; ++a)
      ++difference.bodies;
    if (a == shown.end() || a->info->id != b.info->id) {
      ++difference.bodies;
      difference.ghosts.push_back(b);
      continue;
    }
    if (!(a->pose == b.pose)) {
      ++difference.bodies;
      const float distance = math::length(b.pose.position - a->pose.position);
      if (difference.farthest.is_null() || distance > difference.distance) {
        difference.farthest = b.info->id;
        difference.distance = distance;
      }
      if (distance >= least_shown_distance ||
          turn_between(a->pose.rotation, b.pose.rotation) >= least_shown_turn)
        difference.ghosts.push_back(b);
    }
    ++a;
  }
  difference.bodies += static_cast<std::size_t>(shown.end() - a);
  return difference;
}

}  // namespace jostle::replay
