#include "shared/sim/simulation.h"

#include "shared/base/assert.h"
#include "shared/base/hash.h"
#include "shared/sim/capture.h"
#include "shared/sim/character_controllers.h"
#include "shared/sim/free_place.h"
#include "shared/sim/particles.h"
#include "shared/sim/prepared_scene.h"
#include "shared/sim/ropes.h"
#include "shared/sim/simulation_state.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace jostle::sim {

void Simulation::State::reset_scene() {
  before_step.reset();
  bodies.clear();
  const physics::Execution execution = world.execution();
  world = physics::World(world_options(scene, options.tick_rate_hz));
  world.set_execution(execution);
  populate(scene, world, bodies, labels);
  restart_players_and_rules();
}

void Simulation::State::restart_players_and_rules() {
  for (Player& player : players.all())
    spawn_player_body(player);
  RuleContext now = stage();
  for (const auto& rule : rules)
    rule->reset(now);
  was_reset = true;
}

void Simulation::State::begin_scene(scene::SceneDef next) {
  const auto built = std::exchange(prepared, nullptr);
  std::swap(scene, next);
  scene_hash = built != nullptr ? built->scene_hash : scene::hash(scene);
  // The previous scene leaves with its world, because its destruction takes long.
  if (built != nullptr) built->scene = std::move(next);
  bodies.world_def().scene_name = scene.name;
  bodies.world_def().camera = scene.camera;
  const bool was_paused = time.is_paused();
  time = TimeControl(static_cast<std::uint32_t>(scene.world.time_percent));
  if (was_paused) time.apply({state::ControlKind::Pause, 0});
  for (Player& player : players.all())
    player.spawn = spawn_of(player.id);
  if (built == nullptr || built->first_body < bodies.next_id()) return reset_scene();
  before_step.reset();
  bodies.adopt(std::move(built->bodies));
  std::swap(world, built->world);
  world.set_execution(built->world.execution());
  labels = std::move(built->labels);
  restart_players_and_rules();
}

void Simulation::State::apply(const state::Command& command) {
  if (const auto* input = std::get_if<state::InputCommand>(&command)) return handle_input(*input);
  if (const auto* join_command = std::get_if<state::JoinCommand>(&command)) {
    return join(*join_command);
  }
  if (const auto* leave_command = std::get_if<state::LeaveCommand>(&command)) {
    return leave(*leave_command);
  }
  control(std::get<state::ControlCommand>(command));
}

void Simulation::State::join(const state::JoinCommand& command) {
  if (command.player.is_null() || players.find(command.player) != nullptr) return;
  Player entering;
  entering.id = command.player;
  entering.name = command.name.substr(0, max_player_name_bytes);
  entering.spawn = spawn_of(command.player);
  Player& player = players.insert(std::move(entering));
  spawn_player_body(player);
  RuleContext now = stage();
  for (const auto& rule : rules)
    rule->player_joined(now, player);
}

void Simulation::State::leave(const state::LeaveCommand& command) {
  Player* player = players.find(command.player);
  if (player == nullptr) return;
  RuleContext now = stage();
  for (const auto& rule : rules)
    rule->player_left(now, *player);
  if (bodies.is_alive(player->body)) bodies.despawn(world, player->body);
  players.erase(command.player);
}

void Simulation::State::control(const state::ControlCommand& command) {
  time.apply(command);
  if (command.kind == state::ControlKind::Reset) reset_scene();
  if (command.kind == state::ControlKind::Gravity) {
    world.set_gravity(command.count == 0 ? math::Vec3{} : scene.world.gravity);
    for (const physics::BodyHandle body : world.bodies()) {
      if (world.motion_type(body) == state::MotionType::Dynamic) world.set_awake(body, true);
    }
  }
}

void Simulation::State::handle_input(const state::InputCommand& command) {
  Player* player = players.find(command.player);
  if (player == nullptr) return;
  std::vector<state::Action> waiting = std::move(player->input.actions);
  player->input = command.input;
  // Actions that wait for a tick with a world step come first. If there are more actions than a
  // tick may have, the newest are dropped.
  waiting.insert(waiting.end(), command.input.actions.begin(), command.input.actions.end());
  if (waiting.size() > state::max_actions_per_input) waiting.resize(state::max_actions_per_input);
  player->input.actions = std::move(waiting);
}

void Simulation::State::spawn_player_body(Player& player) {
  math::Pose place = scene.spawns[player.spawn];
  const auto shares_spawn = [&](const Player& other) {
    return other.id != player.id && other.spawn == player.spawn;
  };
  if (std::any_of(players.all().begin(), players.all().end(), shares_spawn)) {
    const math::Vec3 displacement = free_displacement(
        world, spawn_shapes(scene, place), up_against(scene.world.gravity), scene.world.is_planar);
    place.position = place.position + displacement;
  }
  player.body =
      bodies.spawn(world, body_of_player(scene, player.id, player.name, place), player.id);
}

void Simulation::State::step_world() {
  before_step.reset();
  if (time.fraction()) before_step = sim::capture(world, bodies, tick);
  RuleContext now = stage();
  for (const auto& rule : rules)
    rule->before_step(now);
  world.step();
  for (const auto& rule : rules)
    rule->after_step(now);
}

void Simulation::State::forget_inputs(bool is_keeping_actions) {
  for (Player& player : players.all()) {
    std::vector<state::Action> actions;
    if (is_keeping_actions) actions = std::move(player.input.actions);
    player.input = {};
    player.input.actions = std::move(actions);
  }
}

void Simulation::State::save_rules_part(base::ByteWriter& writer) const {
  players.save(writer);
  time.save(writer);
  writer.u64(random.state());
  for (const auto& rule : rules)
    rule->save(writer);
}

Simulation::Simulation(scene::SceneDef scene, const SimulationOptions& options,
                       std::vector<std::unique_ptr<Rule>> rules)
    : state_(std::make_unique<State>(std::move(scene), options, std::move(rules))) {
  JOSTLE_ASSERT(options.tick_rate_hz >= state::min_tick_rate_hz &&
                options.tick_rate_hz <= state::max_tick_rate_hz);
  JOSTLE_ASSERT(!state_->scene.spawns.empty());
  state_->bodies.world_def().scene_name = state_->scene.name;
  state_->bodies.world_def().camera = state_->scene.camera;
  state_->bodies.begin_tick();
  populate(state_->scene, state_->world, state_->bodies, state_->labels);
  (void)state_->bodies.end_tick(true);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::step(const state::TickCommands& commands) {
  State& s = *state_;
  JOSTLE_ASSERT(commands.tick == s.tick + 1);
  s.tick = commands.tick;
  s.was_reset = false;
  s.bodies.begin_tick();
  if (s.next_scene) s.begin_scene(*std::exchange(s.next_scene, std::nullopt));
  for (const state::Command& command : commands.commands)
    s.apply(command);
  const int steps = s.time.advance();
  for (int i = 0; i < steps; ++i) {
    s.step_world();
    // An action takes effect in one step only; held buttons apply to every step of the tick.
    for (Player& player : s.players.all())
      player.input.actions.clear();
  }
  s.forget_inputs(steps == 0 && !s.time.is_paused());
  s.last_change = s.bodies.end_tick(s.was_reset);
}

void Simulation::load(scene::SceneDef scene) {
  JOSTLE_ASSERT(!scene.spawns.empty());
  state_->next_scene = std::move(scene);
  state_->prepared = nullptr;
}

void Simulation::load(const std::shared_ptr<PreparedScene>& scene) {
  load(std::move(scene->scene));
  state_->prepared = scene;
}

state::Tick Simulation::tick() const {
  return state_->tick;
}
const SimulationOptions& Simulation::options() const {
  return state_->options;
}
const scene::SceneDef& Simulation::scene() const {
  return state_->scene;
}
std::uint64_t Simulation::scene_hash() const {
  return state_->scene_hash;
}
const physics::World& Simulation::world() const {
  return state_->world;
}
const Players& Simulation::players() const {
  return state_->players;
}
const BodyRegistry& Simulation::bodies() const {
  return state_->bodies;
}
const std::vector<std::unique_ptr<Rule>>& Simulation::rules() const {
  return state_->rules;
}
const state::WorldDef& Simulation::world_def() const {
  return state_->bodies.world_def();
}
const std::optional<state::WorldChange>& Simulation::last_change() const {
  return state_->last_change;
}
const std::vector<state::BodyId>& Simulation::teleported() const {
  return state_->bodies.teleported();
}
bool Simulation::was_reset() const {
  return state_->was_reset;
}
bool Simulation::is_paused() const {
  return state_->time.is_paused();
}
std::uint32_t Simulation::rate_percent() const {
  return state_->time.rate_percent();
}
bool Simulation::is_gravity_off() const {
  return state_->world.options().gravity == math::Vec3{} &&
         state_->scene.world.gravity != math::Vec3{};
}
bool Simulation::is_slowed() const {
  return !state_->time.is_paused() && state_->time.scale() < 1.0f;
}

std::vector<state::BodyState> Simulation::capture_awake() const {
  return sim::capture_awake(state_->world, state_->bodies);
}

state::Snapshot Simulation::capture() const {
  state::Snapshot now = sim::capture(state_->world, state_->bodies, state_->tick);
  if (state_->time.is_paused() || state_->time.scale() == 1.0f) return now;
  const std::optional<float> fraction = state_->time.fraction();
  if (fraction && state_->before_step) {
    const float farthest =
        state_->scene.world.max_linear_speed * state_->world.options().step_seconds;
    show_between(*state_->before_step, *fraction, farthest, now);
  }
  // Convert the velocities from simulated time to real time.
  for (state::BodyState& body : now.bodies) {
    body.linear_velocity *= state_->time.scale();
    body.angular_velocity *= state_->time.scale();
  }
  return now;
}

state::ParticleFrame Simulation::capture_particles() const {
  const float scale = state_->time.is_paused() ? 0.0f : state_->time.scale();
  state::ParticleFrame frame =
      sim::capture_particles(state_->world, state_->scene, state_->tick, scale);
  frame.world_revision = world_def().revision;
  return frame;
}

state::Labels Simulation::labels() const {
  state::Labels labels = state_->labels.read(state_->world, state_->scene, state_->tick);
  labels.world_revision = world_def().revision;
  return labels;
}

std::vector<state::Rope> Simulation::ropes() const {
  return capture_ropes(state_->world);
}

std::optional<physics::BodyHandle> Simulation::find_body(state::BodyId id) const {
  return state_->bodies.find(id);
}

state::BodyId Simulation::player_body(state::PlayerId player) const {
  const Player* found = state_->players.find(player);
  return found == nullptr ? state::BodyId{} : found->body;
}

void Simulation::copy_from(const Simulation& other) {
  State& s = *state_;
  const State& o = *other.state_;
  JOSTLE_ASSERT(s.rules.size() == o.rules.size() && s.options == o.options);
  s.tick = o.tick;
  s.world.copy_from(o.world);
  // The descriptions are large and rarely change, so they are copied only if they differ.
  if (s.bodies.hash() != o.bodies.hash() || s.bodies.handles() != o.bodies.handles())
    s.bodies = o.bodies;
  s.bodies.begin_tick();
  s.players = o.players;
  s.time = o.time;
  s.random = o.random;
  base::ByteWriter kept;
  for (const auto& rule : o.rules)
    rule->save(kept);
  base::ByteReader reader(kept.bytes());
  for (const auto& rule : s.rules)
    rule->restore(reader, s.bodies);
  // If a rule refuses what it has saved, the hashes of the two states differ.
  s.next_scene = o.next_scene;
  s.before_step = o.before_step;
  s.last_change = o.last_change;
  s.labels = o.labels;
  s.was_reset = o.was_reset;
}

void Simulation::place(const state::BodyState& body) {
  State& s = *state_;
  const physics::BodyHandle handle = s.bodies.handle(body.id);
  s.world.set_pose(handle, body.pose);
  const math::Vec3 none;
  s.world.set_velocity(handle, body.is_awake ? body.linear_velocity : none,
                       body.is_awake ? body.angular_velocity : none);
  if (s.world.motion_type(handle) == state::MotionType::Dynamic)
    s.world.set_awake(handle, body.is_awake);
  RuleContext now = s.stage();
  for (const auto& rule : s.rules)
    rule->body_placed(now, body.id);
}

void Simulation::set_awake(state::BodyId body, bool is_awake) {
  state_->world.set_awake(state_->bodies.handle(body), is_awake);
}

void Simulation::skip_to(state::Tick tick) {
  State& s = *state_;
  JOSTLE_ASSERT(tick >= s.tick);
  std::uint32_t steps = 0;
  for (; s.tick < tick; s.tick = s.tick + 1)
    steps += static_cast<std::uint32_t>(s.time.advance());
  if (steps == 0) return;
  RuleContext now = s.stage();
  for (const auto& rule : s.rules)
    rule->skip_steps(now, steps);
}

void Simulation::set_execution(const physics::Execution& execution) {
  state_->world.set_execution(execution);
}

void Simulation::set_stage_hook(std::function<void(physics::Stage)> hook) {
  state_->world.set_stage_hook(std::move(hook));
}

void Simulation::set_stage_clock(physics::StageClock clock) {
  state_->world.set_stage_clock(clock);
}

bool Simulation::flip_lowest_bit(state::BodyId body, std::string_view field) {
  const auto handle = find_body(body);
  return handle && state_->world.flip_lowest_bit(*handle, field);
}

SimulationHash Simulation::hash() const {
  const State& s = *state_;
  SimulationHash hash;
  hash.world = s.world.hash();
  base::ByteWriter writer;
  s.save_rules_part(writer);
  base::Hasher rules;
  rules.add(s.bodies.hash());
  rules.add_bytes(writer.bytes());
  hash.rules = rules.finish();
  base::Hasher total;
  total.add(s.tick.number);
  total.add(hash.world.total);
  total.add(hash.rules);
  hash.total = total.finish();
  return hash;
}

void Simulation::save(base::ByteWriter& writer) const {
  const State& s = *state_;
  writer.u64(s.scene_hash);
  writer.u32(static_cast<std::uint32_t>(s.options.tick_rate_hz));
  writer.u32(s.tick.number);
  s.world.save(writer);
  s.bodies.save(writer);
  s.save_rules_part(writer);
}

std::string_view Simulation::refusing_rule() const {
  return state_->refusing_rule;
}

base::Result<base::Ok, physics::RestoreError> Simulation::restore(base::ByteReader& reader) {
  State& s = *state_;
  // Restores into copies first, because an error must leave the simulation unchanged. Rules keep
  // their state internally, so their current state is saved as bytes for a rollback.
  base::ByteWriter before;
  s.save_rules_part(before);
  if (reader.u64() != s.scene_hash ||
      reader.u32() != static_cast<std::uint32_t>(s.options.tick_rate_hz)) {
    return reader.ok() ? physics::RestoreError::Inconsistent : physics::RestoreError::Truncated;
  }
  const state::Tick tick{reader.u32()};
  physics::World world(world_options(s.scene, s.options.tick_rate_hz));
  world.set_execution(s.world.execution());
  add_solids(world, s.scene);
  if (auto restored = world.restore(reader); !restored) return restored.error();
  if (world.particle_sets().size() != s.scene.particles.size())
    return physics::RestoreError::Inconsistent;
  BodyRegistry bodies = s.bodies;
  bodies.restore(reader, world);
  Players players;
  players.restore(reader);
  TimeControl time;
  time.restore(reader);
  const base::Random random(reader.u64());
  for (const Player& player : players.all()) {
    const state::BodyInfo* body = bodies.info(player.body);
    if (player.spawn >= s.scene.spawns.size() || body == nullptr || body->owner != player.id)
      reader.fail();
  }
  s.refusing_rule.clear();
  for (const auto& rule : s.rules) {
    if (!reader.ok()) break;
    rule->restore(reader, bodies);
    if (!reader.ok()) s.refusing_rule = rule->name();
  }
  if (!reader.ok()) {
    base::ByteReader undo(before.bytes());
    Players ignored_players;
    ignored_players.restore(undo);
    TimeControl ignored_time;
    ignored_time.restore(undo);
    (void)undo.u64();
    for (const auto& rule : s.rules)
      rule->restore(undo, s.bodies);
    return physics::RestoreError::Inconsistent;
  }
  s.next_scene.reset();
  s.prepared.reset();
  s.tick = tick;
  s.world = std::move(world);
  s.bodies = std::move(bodies);
  s.players = std::move(players);
  s.time = time;
  s.random = random;
  s.before_step.reset();
  s.last_change.reset();
  s.was_reset = false;
  return base::Ok{};
}

}  // namespace jostle::sim
