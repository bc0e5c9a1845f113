#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/play/input.h"
#include "api/play/value.h"
#include "api/server/callback_rule.h"
#include "api/server/game.h"
#include "shared/sim/rules_of.h"

#include <limits>

namespace jostle::api {
namespace {

static_assert(sizeof(jostle_player::name) > sim::max_player_name_bytes);

template <typename Body>
jostle_result read_game(const char* function, jostle_game handle, const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = games().read(handle);
    body(std::as_const(*access));
  });
}
/// Implements a function that only rules may call.
template <typename Body>
jostle_result change_game(const char* function, jostle_game handle, const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = games().change(handle);
    body(*access);
  });
}

state::PlayerId checked_player_id(std::uint32_t id, std::uint32_t least) {
  require_integer(id, least, std::numeric_limits<std::uint16_t>::max(), "player");
  return {static_cast<std::uint16_t>(id)};
}

const sim::Player& find_player(const Game& game, std::uint32_t id) {
  const sim::Player* const player = game.players().find(checked_player_id(id, 1));
  if (player == nullptr)
    refuse(JOSTLE_ERROR_NOT_FOUND, "player is %u; no player of the game has this id", id);
  return *player;
}

jostle_player player_of(const Game& game, const sim::Player& from) {
  jostle_player player{};
  player.id = from.id.value;
  player.body_id = from.body.value;
  if (const auto body = game.bodies().find(from.body)) player.body = to_c(*body);
  from.name.copy(player.name, sim::max_player_name_bytes);
  return player;
}

jostle_body body_of(const Game& game, state::BodyId id) {
  const auto found = game.bodies().find(id);
  if (!found) refuse(JOSTLE_ERROR_NOT_FOUND, "id is %u; no body of the game has this id", id.value);
  return to_c(*found);
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_game_get_info(jostle_game game, jostle_game_info* info) {
  return read_game(__func__, game, [&](const Game& found) {
    require_output(info, "info");
    jostle_game_info values{};
    values.world = found.world;
    values.tick = found.tick().number;
    values.step_seconds = found.physics_world().options().step_seconds;
    values.player_count = static_cast<std::uint32_t>(found.players().all().size());
    values.body_count = static_cast<std::uint32_t>(found.bodies().world_def().bodies.size());
    write_struct(info, values);
  });
}
jostle_result jostle_game_get_scene_name(jostle_game game, char* name, size_t capacity) {
  return read_game(__func__, game, [&](const Game& found) {
    const std::string& text = found.scene().name;
    write_text(text.data(), text.size(), name, capacity, "name");
  });
}
jostle_result jostle_game_get_hash(jostle_game game, uint64_t* hash) {
  return read_game(__func__, game, [&](const Game& found) {
    require_pointer(hash, "hash");
    if (found.context != nullptr)
      refuse_text(JOSTLE_ERROR_WRONG_STATE, "the tick is not complete while a rule is called");
    *hash = found.simulation->hash().total;
  });
}

jostle_result jostle_game_get_players(jostle_game game, jostle_player* players, size_t stride,
                                      size_t capacity, size_t* count) {
  return read_game(__func__, game, [&](const Game& found) {
    const auto output = list_output(players, stride, capacity, count);
    const std::vector<sim::Player>& all = found.players().all();
    write_list(output, all.size(), [&](std::size_t i) { return player_of(found, all[i]); });
  });
}
jostle_result jostle_game_get_player(jostle_game game, uint32_t id, jostle_player* player) {
  return read_game(__func__, game, [&](const Game& found) {
    require_pointer(player, "player");
    *player = player_of(found, find_player(found, id));
  });
}
jostle_result jostle_game_get_input(jostle_game game, uint32_t player, jostle_input* input) {
  return read_game(__func__, game, [&](const Game& found) {
    require_output(input, "input");
    write_struct(input, api::to_c(find_player(found, player).input));
  });
}

jostle_result jostle_game_find_body(jostle_game game, const char* name, jostle_body* body) {
  return read_game(__func__, game, [&](const Game& found) {
    require_pointer(name, "name");
    require_pointer(body, "body");
    for (const state::BodyInfo& info : found.bodies().world_def().bodies) {
      if (info.name != name) continue;
      *body = body_of(found, info.id);
      return;
    }
    refuse(JOSTLE_ERROR_NOT_FOUND, "name is '%.64s'; no body of the game has this name", name);
  });
}
jostle_result jostle_game_get_body(jostle_game game, uint32_t id, jostle_body* body) {
  return read_game(__func__, game, [&](const Game& found) {
    require_pointer(body, "body");
    *body = body_of(found, {id});
  });
}
jostle_result jostle_game_get_body_id(jostle_game game, jostle_body body, uint32_t* id) {
  return read_game(__func__, game, [&](const Game& found) {
    require_pointer(id, "id");
    const auto handle = require_alive(found.physics_world(), body, "body");
    *id = sim::BodyRegistry::id_of(found.physics_world(), handle).value;
  });
}
jostle_result jostle_game_random(jostle_game game, uint32_t* number) {
  return change_game(__func__, game, [&](Game& found) {
    require_pointer(number, "number");
    constexpr int upper_half = 32;
    *number = static_cast<std::uint32_t>(found.context->random.next() >> upper_half);
  });
}

jostle_result jostle_game_show(jostle_game game, uint32_t player, const jostle_value* value) {
  return change_game(__func__, game, [&](Game& found) {
    require_pointer(value, "value");
    const state::PlayerId id = checked_player_id(player, 0);
    if (!id.is_null()) find_player(found, player);
    if (!found.rule->show({id, checked_value(*value)})) {
      refuse(JOSTLE_ERROR_LIMIT, "a client sees at most %d values; hide one first",
             JOSTLE_MAX_VALUES);
    }
  });
}
jostle_result jostle_game_hide(jostle_game game, uint32_t player, const char* name) {
  return change_game(__func__, game, [&](Game& found) {
    require_pointer(name, "name");
    if (!found.rule->hide(checked_player_id(player, 0), name)) {
      refuse(JOSTLE_ERROR_NOT_FOUND, "the rule shows player %u no value '%.24s'", player, name);
    }
  });
}
jostle_result jostle_game_get_values(jostle_game game, uint32_t player, jostle_value* values,
                                     size_t stride, size_t capacity, size_t* count) {
  return read_game(__func__, game, [&](const Game& found) {
    const auto output = list_output(values, stride, capacity, count);
    const state::PlayerId id = checked_player_id(player, 0);
    std::vector<state::Label> shown;
    if (found.simulation != nullptr) {
      shown = sim::shown_values(*found.simulation, id).lines;
    } else {
      for (const state::ShownValue& value : found.rule->values())
        if (value.player.is_null() || value.player == id) shown.push_back(value.label);
    }
    write_list(output, shown.size(), [&](std::size_t i) { return api::to_c(shown[i]); });
  });
}
