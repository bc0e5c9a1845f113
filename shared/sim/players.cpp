#include "shared/sim/players.h"

#include "shared/base/assert.h"
#include "shared/sim/state_bytes.h"

#include <algorithm>

namespace jostle::sim {
namespace {

auto position_of(auto& players, state::PlayerId id) {
  return std::lower_bound(
      players.begin(), players.end(), id,
      [](const Player& player, state::PlayerId wanted) { return player.id < wanted; });
}

void write_input(base::ByteWriter& writer, const state::PlayerInput& input) {
  writer.u32(input.tick.number);
  writer.f32(input.move_x);
  writer.f32(input.move_z);
  writer.u16(input.buttons);
  writer.u8(static_cast<std::uint8_t>(input.actions.size()));
  for (const state::Action& action : input.actions) {
    writer.u8(static_cast<std::uint8_t>(action.kind));
    writer.u32(action.body.value);
    write_vec3(writer, action.point);
    write_vec3(writer, action.vector);
  }
  writer.u8(static_cast<std::uint8_t>(input.custom.size()));
  writer.raw(input.custom);
}

state::PlayerInput read_input(base::ByteReader& reader) {
  state::PlayerInput input;
  input.tick.number = reader.u32();
  input.move_x = reader.f32();
  input.move_z = reader.f32();
  input.buttons = reader.u16();
  const std::uint8_t action_count = reader.u8();
  if (action_count > state::max_actions_per_input) reader.fail();
  for (int i = 0; i < action_count && reader.ok(); ++i) {
    state::Action action;
    const std::uint8_t kind = reader.u8();
    if (kind >= state::action_kind_count) reader.fail();
    action.kind = static_cast<state::ActionKind>(kind);
    action.body.value = reader.u32();
    action.point = read_vec3(reader);
    action.vector = read_vec3(reader);
    input.actions.push_back(action);
  }
  const std::uint8_t custom_count = reader.u8();
  if (custom_count > state::max_custom_bytes) reader.fail();
  const auto custom = reader.raw(custom_count);
  input.custom.assign(custom.begin(), custom.end());
  return input;
}

}  // namespace

Player* Players::find(state::PlayerId id) {
  const auto it = position_of(players_, id);
  return it != players_.end() && it->id == id ? &*it : nullptr;
}

const Player* Players::find(state::PlayerId id) const {
  const auto it = position_of(players_, id);
  return it != players_.end() && it->id == id ? &*it : nullptr;
}

Player& Players::insert(Player player) {
  const auto it = position_of(players_, player.id);
  JOSTLE_ASSERT(it == players_.end() || it->id != player.id);
  return *players_.insert(it, std::move(player));
}

void Players::erase(state::PlayerId id) {
  const auto it = position_of(players_, id);
  JOSTLE_ASSERT(it != players_.end() && it->id == id);
  players_.erase(it);
}

void Players::save(base::ByteWriter& writer) const {
  writer.u32(static_cast<std::uint32_t>(players_.size()));
  for (const Player& player : players_) {
    writer.u16(player.id.value);
    writer.text(player.name);
    writer.u32(player.spawn);
    writer.u32(player.body.value);
    write_input(writer, player.input);
  }
}

void Players::restore(base::ByteReader& reader) {
  players_.clear();
  constexpr std::size_t min_player_bytes = 30;
  const std::uint32_t count = reader.count(min_player_bytes);
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    Player player;
    player.id.value = reader.u16();
    player.name = reader.text(max_player_name_bytes);
    player.spawn = reader.u32();
    player.body.value = reader.u32();
    player.input = read_input(reader);
    if (!players_.empty() && !(players_.back().id < player.id)) reader.fail();
    players_.push_back(std::move(player));
  }
}

}  // namespace jostle::sim
