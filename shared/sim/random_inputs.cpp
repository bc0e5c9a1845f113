#include "shared/sim/random_inputs.h"

#include <string>

namespace jostle::sim {
namespace {

constexpr std::uint32_t min_mind_ticks = 10, mind_ticks_range = 50;

/// Picks a body uniformly from all bodies of the world. Returns the null id if the picked body is
/// not dynamic.
state::BodyId any_dynamic_body(base::Random& random, const state::WorldDef& def) {
  if (def.bodies.empty()) return {};
  const state::BodyInfo& info =
      def.bodies[random.below(static_cast<std::uint32_t>(def.bodies.size()))];
  return info.motion == state::MotionType::Dynamic ? info.id : state::BodyId{};
}

math::Vec3 any_vector(base::Random& random, float size) {
  const float x = random.between(-size, size);
  const float y = random.between(-size, size);
  const float z = random.between(-size, size);
  return {x, y, z};
}

}  // namespace

RandomInputs::RandomInputs(std::uint64_t seed, std::uint16_t player_count)
    : random_(seed), minds_(player_count) {}

state::TickCommands RandomInputs::next(const Simulation& simulation) {
  state::TickCommands commands;
  commands.tick = simulation.tick() + 1;
  const auto id_of = [](std::size_t i) {
    return state::PlayerId{static_cast<std::uint16_t>(i + 1)};
  };
  // Players join one after the other, so that recordings contain joins while the world moves.
  const auto join_tick = [](std::size_t i) { return 1 + 30 * static_cast<std::uint32_t>(i); };
  for (std::size_t i = 0; i < minds_.size(); ++i) {
    if (commands.tick.number != join_tick(i)) continue;
    commands.commands.emplace_back(
        state::JoinCommand{id_of(i), "random " + std::to_string(id_of(i).value)});
  }
  for (std::size_t i = 0; i < minds_.size() && commands.tick.number >= join_tick(i); ++i) {
    Mind& mind = minds_[i];
    mind.held.actions.clear();
    if (mind.ticks_left == 0) change_mind(mind, simulation);
    --mind.ticks_left;
    if (mind.is_dragging) mind.held.actions.push_back(mind.drag);
    mind.held.tick = commands.tick;
    commands.commands.emplace_back(state::InputCommand{id_of(i), mind.held});
  }
  return commands;
}

void RandomInputs::change_mind(Mind& mind, const Simulation& simulation) {
  mind.ticks_left = min_mind_ticks + random_.below(mind_ticks_range);
  mind.held.buttons = static_cast<std::uint16_t>(random_.below(16));
  const float x = random_.between(-1.0f, 1.0f);
  const float z = random_.between(-1.0f, 1.0f);
  const float size = math::length(math::Vec3{x, 0.0f, z});
  mind.held.move_x = size > 1.0f ? x / size : x;
  mind.held.move_z = size > 1.0f ? z / size : z;
  mind.is_dragging = random_.chance(0.3f);
  const state::BodyId target = any_dynamic_body(random_, simulation.world_def());
  mind.drag = {state::ActionKind::Grab, target, any_vector(random_, 0.3f),
               any_vector(random_, 4.0f) + math::Vec3{0.0f, 5.0f, 0.0f}};
  if (random_.chance(0.5f)) {
    mind.held.actions.push_back(
        {state::ActionKind::Push, target, any_vector(random_, 0.3f), any_vector(random_, 150.0f)});
  }
  if (random_.chance(0.3f)) {
    const math::Vec3 from = any_vector(random_, 5.0f) + math::Vec3{0.0f, 8.0f, 0.0f};
    mind.held.actions.push_back({state::ActionKind::Shoot, {}, from, any_vector(random_, 20.0f)});
  }
}

}  // namespace jostle::sim
