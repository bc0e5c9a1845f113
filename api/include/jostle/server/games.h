/* Games: the world, the players and the values of a running server, of a replay, or of a rule that
 * is being called.
 */
#ifndef JOSTLE_SERVER_GAMES_H
#define JOSTLE_SERVER_GAMES_H

#include <jostle/physics.h>
#include <jostle/play.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A game. A rule gets the handle with each call and may change the game until it returns. The
 *  handle of jostle_server_get_game() or jostle_recording_get_game() reads the game between two
 *  steps. */
typedef struct jostle_game {
  uint32_t index, generation;
} jostle_game;

/** The properties of a game. */
typedef struct jostle_game_info {
  size_t size;
  jostle_world world; /* for all functions of jostle/physics.h; see the guide for the exceptions */
  uint32_t tick;      /* the tick that is being simulated; between steps the last one */
  float step_seconds; /* duration of a step of the world */
  uint32_t player_count; /* number of players */
  uint32_t body_count;   /* bodies that clients know, including static ones */
} jostle_game_info;

/** Writes the properties of a game. Set `info->size` before the call. */
JOSTLE_API jostle_result jostle_game_get_info(jostle_game game, jostle_game_info* info);
/** Writes the name of the scene with a final zero, cut to `capacity` bytes. */
JOSTLE_API jostle_result jostle_game_get_scene_name(jostle_game game, char* name, size_t capacity);
/** Writes the hash of the whole state: the world, the players and what the rules remember. Refused
 *  while a rule is called, because the tick is not complete. */
JOSTLE_API jostle_result jostle_game_get_hash(jostle_game game, uint64_t* hash);

/** A player. */
typedef struct jostle_player {
  uint32_t id;      /* from 1 on */
  uint32_t body_id; /* the id of the body in the network protocol */
  jostle_body body; /* null if the player has no body */
  char name[72];    /* UTF-8, up to 64 bytes and a final zero */
} jostle_player;

/** Lists the players, in the order of their ids. */
JOSTLE_API jostle_result jostle_game_get_players(jostle_game game, jostle_player* players,
                                                 size_t stride, size_t capacity, size_t* count);
/** Writes the player with this id. Returns JOSTLE_ERROR_NOT_FOUND if there is none. */
JOSTLE_API jostle_result jostle_game_get_player(jostle_game game, uint32_t id,
                                                jostle_player* player);
/** Writes the input of a player in this tick. Set `input->size` before the call. It is empty after
 *  the tick. */
JOSTLE_API jostle_result jostle_game_get_input(jostle_game game, uint32_t player,
                                               jostle_input* input);

/** Writes the first body with this name. Bodies of a scene have the names of its file. */
JOSTLE_API jostle_result jostle_game_find_body(jostle_game game, const char* name,
                                               jostle_body* body);
/** Writes the body with this id of the network protocol. */
JOSTLE_API jostle_result jostle_game_get_body(jostle_game game, uint32_t id, jostle_body* body);
/** Writes the id of a body in the network protocol. Clients and recordings use these ids. */
JOSTLE_API jostle_result jostle_game_get_body_id(jostle_game game, jostle_body body, uint32_t* id);

/** The appearance of a body in clients. */
typedef struct jostle_look {
  size_t size;
  const char* name;         /* may be null */
  uint8_t red, green, blue; /* colour, 0 to 255 */
  uint8_t is_grabbable;     /* 1: players may push and grab the body */
  uint32_t reserved;        /* must be 0 */
} jostle_look;

/** Writes a grey body without a name that players may grab. */
JOSTLE_DEFINE_DEFAULT(jostle_look)

/** Creates a body with `count` shapes and tells all clients. Only rules may do this. `look` may be
 *  null. The user data of the body must be 0, because the game uses them. Coordinates of its
 *  position are at most 1e7 m, the range of the network protocol. */
JOSTLE_API jostle_result jostle_game_spawn(jostle_game game, const jostle_body_def* def,
                                           const jostle_shape_def* shapes, size_t count,
                                           const jostle_look* look, jostle_body* body);
/** Removes a body and tells all clients. Only rules may do this. Bodies of players, and bodies that
 *  they have shot, cannot be removed. */
JOSTLE_API jostle_result jostle_game_despawn(jostle_game game, jostle_body body);
/** Writes a random number from 0 to 2³² − 1. Only rules may do this. The numbers depend on the seed
 *  of the server, and are the same in every replay. */
JOSTLE_API jostle_result jostle_game_random(jostle_game game, uint32_t* number);

/** Shows a value to a player, or to all clients if `player` is 0. Only rules may do this. A value
 *  stays until the rule shows another one of this name to the same receiver, or hides it. It is
 *  saved with the state of the rule. One client sees at most JOSTLE_MAX_VALUES values. */
JOSTLE_API jostle_result jostle_game_show(jostle_game game, uint32_t player,
                                          const jostle_value* value);
/** Hides a value of the rule. Returns JOSTLE_ERROR_NOT_FOUND if it was not shown. */
JOSTLE_API jostle_result jostle_game_hide(jostle_game game, uint32_t player, const char* name);
/** Lists the values that a player sees; those for all clients if `player` is 0. While a rule is
 *  called, these are only its own values. */
JOSTLE_API jostle_result jostle_game_get_values(jostle_game game, uint32_t player,
                                                jostle_value* values, size_t stride,
                                                size_t capacity, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
