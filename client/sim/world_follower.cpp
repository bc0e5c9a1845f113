#include "client/sim/world_follower.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::prediction {
namespace {

/// Maximum time to which a velocity error is attributed. An older error would have been corrected
/// by an earlier snapshot.
constexpr std::int64_t max_agreed_ticks = 8;
constexpr std::uint32_t doubt_ticks = 60;
/// Offset above which the offset does not show the error of the velocity, which may be wrong since
/// several snapshots. The snapshots then give the velocity.
constexpr float max_pushed_offset = 0.5f;  // m
/// Distance within which the simulation has set a body to the same place as the server.
constexpr float same_place = 0.05f;  // m
/// Factor of a hysteresis: awake bodies are corrected up to this multiple of the distance for
/// sleeping bodies.
constexpr double farther = 1.5;

/// Returns the body's last state before `newest` and the tick of that state; null if it is more
/// than 12 ticks older or unknown.
std::optional<std::pair<protocol::QuantizedBody, state::Tick>> state_before(
    const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
    state::BodyId id) {
  constexpr std::int64_t oldest = 12;
  const auto& entries = snapshots.entries();
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->tick >= newest.tick) continue;
    if (newest.tick - entry->tick > oldest) break;
    if (const protocol::QuantizedBody* body = entry->find(id)) return {{*body, entry->tick}};
  }
  return std::nullopt;
}

double squared_distance(const protocol::QuantizedBody& a, const protocol::QuantizedBody& b) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double difference = (static_cast<double>(a.position[axis]) - b.position[axis]) /
                              protocol::position_steps_per_metre;
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

WorldFollower::WorldFollower(sim::Simulation start, state::PlayerId player)
    : simulation_(std::move(start)), player_(player) {}

void WorldFollower::handle_commands(state::TickCommands commands) {
  if (commands_.size() >= max_held_commands) {
    has_overflowed_ = true;
  } else {
    commands_.push_back(std::move(commands));
  }
}

bool WorldFollower::is_doubtful(state::BodyId id) const {
  if (!ids_) return false;
  const auto found = std::lower_bound(ids_->begin(), ids_->end(), id);
  return found != ids_->end() && *found == id &&
         doubted_until_[static_cast<std::size_t>(found - ids_->begin())] > simulation_.tick();
}

double WorldFollower::own_reach() const {
  const scene::ScenePlayer& player = simulation_.scene().player;
  const auto body = simulation_.find_body(own_body());
  double reach = static_cast<double>(std::max(player.push_field.outer, player.pull_field.outer));
  if (body) {
    const math::Aabb box = simulation_.world().aabb(*body);
    reach = std::max(reach, static_cast<double>(length(box.upper - box.lower)) / 2);
  }
  return reach;
}

double WorldFollower::own_speed() const {
  const auto body = simulation_.find_body(own_body());
  return body ? static_cast<double>(length(simulation_.world().linear_velocity(*body))) : 0;
}

bool WorldFollower::follow(const client::SnapshotBuffer& snapshots,
                           const client::BufferedSnapshot& newest, const InputHistory& inputs,
                           double reach) {
  followed_ = simulation_.tick();
  teleported_.clear();
  bool has_changed = step_to(newest.tick, inputs);
  know_bodies(newest);
  differing_snapshots_ = are_same_ ? 0 : differing_snapshots_ + 1;

  // In slow motion the server sends poses between two steps. They cannot be compared with this
  // simulation, which has poses only after whole steps.
  const protocol::QuantizedBody* own = newest.find(own_body());
  if (own == nullptr || simulation_.is_slowed()) return has_changed;
  const physics::World& world = simulation_.world();
  for (std::size_t i = 0; i < newest.bodies.size(); ++i) {
    if (!newest.is_decoded[i] || !handles_[i] || world.is_quarantined(*handles_[i]) ||
        !world.is_enabled(*handles_[i])) {
      continue;
    }
    const bool is_awake = world.is_awake(*handles_[i]);
    const double within = is_awake ? reach * farther : reach;
    if (squared_distance(newest.bodies[i], *own) <= within * within) {
      has_changed |= follow_body(snapshots, newest, i);
    } else if (is_awake && world.motion_type(*handles_[i]) == state::MotionType::Dynamic) {
      simulation_.set_awake((*ids_)[i], false);
    }
  }
  return has_changed;
}

void WorldFollower::note_teleports(std::span<const state::BodyId> bodies) {
  for (const state::BodyId body : bodies) {
    const auto place = std::lower_bound(teleported_.begin(), teleported_.end(), body);
    if (place == teleported_.end() || *place != body) teleported_.insert(place, body);
  }
}

bool WorldFollower::step_to(state::Tick tick, const InputHistory& inputs) {
  has_skipped_ = tick - simulation_.tick() > max_steps;
  bool has_changed = has_skipped_;
  if (has_skipped_) simulation_.skip_to(state::previous(tick, 1));
  while (simulation_.tick() < tick) {
    simulation_.step(commands_of(simulation_.tick() + 1, inputs));
    has_changed |= did_commands_;
    note_teleports(simulation_.teleported());
  }
  return has_changed;
}

/// Returns the commands for `tick`: commands from the server for this or earlier ticks, the last
/// inputs of the other players, and the player's own input.
state::TickCommands WorldFollower::commands_of(state::Tick tick, const InputHistory& inputs) {
  state::TickCommands all{tick, {}};
  std::vector<state::Action> own_shots;
  did_commands_ = false;
  for (; !commands_.empty() && commands_.front().tick <= tick; commands_.pop_front()) {
    for (state::Command& command : commands_.front().commands) {
      if (const auto* input = std::get_if<state::InputCommand>(&command)) {
        handle_input(*input, own_shots);
      } else {
        did_commands_ = true;
        if (const auto* leave = std::get_if<state::LeaveCommand>(&command))
          held_.erase(leave->player);
        all.commands.push_back(std::move(command));
      }
    }
  }
  std::optional<state::PlayerInput> own = inputs.at(tick);
  if (!own_shots.empty()) {
    if (!own) own.emplace();
    own->actions.insert(own->actions.begin(), own_shots.begin(), own_shots.end());
  }
  for (state::Command& command : others())
    all.commands.push_back(std::move(command));
  for (auto& [player, input] : held_)
    input.actions.clear();
  if (own) all.commands.emplace_back(state::InputCommand{player_, *std::move(own)});
  return all;
}

/// Processes an input from the server. Of the player's own inputs, only actions that create bodies
/// are used; the rest is known locally.
void WorldFollower::handle_input(const state::InputCommand& received,
                                 std::vector<state::Action>& own_shots) {
  if (received.player != player_) {
    held_[received.player] = received.input;
    did_commands_ = true;
    return;
  }
  for (const state::Action& action : received.input.actions) {
    if (state::makes_body(action.kind)) own_shots.push_back(action);
  }
  did_commands_ |= !own_shots.empty();
}

std::vector<state::Command> WorldFollower::others() const {
  std::vector<state::Command> commands;
  for (const auto& [player, input] : held_)
    commands.emplace_back(state::InputCommand{player, input});
  return commands;
}

void WorldFollower::know_bodies(const client::BufferedSnapshot& newest) {
  const std::uint32_t revision = simulation_.world_def().revision;
  if (newest.ids == ids_ && revision == known_revision_) return;
  ids_ = newest.ids;
  known_revision_ = revision;
  handles_.assign(ids_->size(), std::nullopt);
  agreed_since_.assign(ids_->size(), followed_);
  doubted_until_.assign(ids_->size(), {});
  auto id = ids_->begin();
  are_same_ = true;
  for (const state::BodyInfo& info : simulation_.world_def().bodies) {
    if (info.motion == state::MotionType::Static) continue;
    while (id != ids_->end() && *id < info.id) {
      are_same_ = false;
      ++id;
    }
    if (id == ids_->end() || *id != info.id) {
      are_same_ = false;
      continue;
    }
    handles_[static_cast<std::size_t>(id - ids_->begin())] = simulation_.find_body(info.id);
    ++id;
  }
  are_same_ &= id == ids_->end();
}

state::BodyState WorldFollower::state_of(std::size_t index) const {
  const physics::World& world = simulation_.world();
  const physics::BodyHandle body = *handles_[index];
  return {(*ids_)[index], world.pose(body), world.linear_velocity(body),
          world.angular_velocity(body), world.is_awake(body)};
}

double WorldFollower::seconds(std::int64_t ticks) const {
  return static_cast<double>(ticks) / simulation_.options().tick_rate_hz;
}

bool WorldFollower::follow_body(const client::SnapshotBuffer& snapshots,
                                const client::BufferedSnapshot& newest, std::size_t index) {
  if (set_elsewhere(newest, index)) return true;
  const protocol::QuantizedBody& received = newest.bodies[index];
  const bool is_dynamic =
      simulation_.world().motion_type(*handles_[index]) == state::MotionType::Dynamic;
  if (!received.is_awake && is_dynamic) return put_to_sleep(index, received);
  if (is_dynamic && !simulation_.world().is_awake(*handles_[index]))
    return wake(snapshots, newest, index);
  return correct(snapshots, newest, index);
}

/// Places a body where the server has set it since the last snapshot, at rest, unless the
/// simulation has set it there too. Returns true if the body was placed.
bool WorldFollower::set_elsewhere(const client::BufferedSnapshot& newest, std::size_t index) {
  const auto teleport = newest.teleport_of(index);
  if (!teleport || *teleport <= followed_) return false;
  state::BodyState body = state_of(index);
  const protocol::QuantizedBody& received = newest.bodies[index];
  if (length(deviation(body.pose, received).offset) <= same_place) return false;
  body.pose = protocol::dequantize(received);
  body.linear_velocity = body.angular_velocity = {};
  body.is_awake = received.is_awake;
  simulation_.place(body);
  agreed_since_[index] = newest.tick;
  note_teleports({&body.id, 1});
  return true;
}

bool WorldFollower::put_to_sleep(std::size_t index, const protocol::QuantizedBody& received) {
  state::BodyState body = state_of(index);
  const Deviation apart = deviation(body.pose, received);
  if (!body.is_awake && apart.is_none()) return false;
  body = corrected(body, apart, 1);
  body.is_awake = false;
  simulation_.place(body);
  return true;
}

bool WorldFollower::wake(const client::SnapshotBuffer& snapshots,
                         const client::BufferedSnapshot& newest, std::size_t index) {
  const protocol::QuantizedBody& received = newest.bodies[index];
  state::BodyState body = state_of(index);
  body.pose = protocol::dequantize(received);
  body.is_awake = true;
  const Velocities mean = mean_velocities(snapshots, newest, index).value_or(Velocities{});
  body.linear_velocity = mean.linear;
  body.angular_velocity = mean.angular;
  simulation_.place(body);
  agreed_since_[index] = newest.tick;
  return true;
}

/// Returns the mean velocities of a body between the newest two snapshots; null if they are
/// unknown, or if the body was set elsewhere between them.
std::optional<Velocities> WorldFollower::mean_velocities(const client::SnapshotBuffer& snapshots,
                                                         const client::BufferedSnapshot& newest,
                                                         std::size_t index) const {
  const auto before = state_before(snapshots, newest, (*ids_)[index]);
  const auto teleport = newest.teleport_of(index);
  if (!before || (teleport && *teleport > before->second)) return std::nullopt;
  return velocities_between(before->first, newest.bodies[index],
                            seconds(newest.tick - before->second));
}

bool WorldFollower::correct(const client::SnapshotBuffer& snapshots,
                            const client::BufferedSnapshot& newest, std::size_t index) {
  const state::BodyState body = state_of(index);
  const Deviation apart = deviation(body.pose, newest.bodies[index]);
  if (apart.is_none()) return false;
  const std::int64_t agreed =
      std::clamp<std::int64_t>(newest.tick - agreed_since_[index], 1, max_agreed_ticks);
  agreed_since_[index] = newest.tick;
  doubted_until_[index] = newest.tick + doubt_ticks;
  state::BodyState better = corrected(body, apart, seconds(agreed));
  const auto mean = mean_velocities(snapshots, newest, index);
  const bool is_far = length(apart.offset) > max_pushed_offset;
  if (mean && (is_far || has_skipped_)) {
    better.linear_velocity = mean->linear;
    better.angular_velocity = mean->angular;
  } else if (is_far) {
    better.linear_velocity = body.linear_velocity;
    better.angular_velocity = body.angular_velocity;
  }
  simulation_.place(better);
  return true;
}

}  // namespace jostle::prediction
