/* Rules: the game logic of a program, as functions that the server calls. */
#ifndef JOSTLE_SERVER_RULES_H
#define JOSTLE_SERVER_RULES_H

#include <jostle/server/games.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of rules. */
#define JOSTLE_MAX_RULES 64
/** Maximum size of the state of a rule, in bytes. */
#define JOSTLE_MAX_RULE_STATE_BYTES 16777216

/** A function of a rule. `state` is what the rule remembers in this game. */
typedef void (*jostle_rule_function)(void* user, void* state, jostle_game game);
/** A function of a rule that concerns a player. */
typedef void (*jostle_rule_player_function)(void* user, void* state, jostle_game game,
                                            uint32_t player);
/** Creates or destroys what the memory `state` refers to. */
typedef void (*jostle_rule_state_function)(void* user, void* state);
/** Writes the state into the buffer, unless it needs more than `capacity` bytes, and returns the
 *  size in bytes. */
typedef size_t (*jostle_rule_save_function)(void* user, const void* state, void* buffer,
                                            size_t capacity);
/** Sets the state from bytes that the save function wrote. Returns 0 if the bytes are damaged. */
typedef jostle_bool (*jostle_rule_load_function)(void* user, void* state, const void* bytes,
                                                 size_t size);

/** The definition of a rule. Functions may be null.
 *
 *  The library keeps a memory block of `state_size` bytes for each game in which the rule takes
 *  part: that of the server, and copies for replays and sync tests. Everything that the rule
 *  remembers between two calls must be in this block, or must be written by `save`. Otherwise
 *  replays differ from the run. Functions must not throw exceptions.
 *
 *  While the server records, or keeps its game in a folder, threads of the library call `create`,
 *  `destroy`, `save` and `load` for copies of the state, at the same time as functions for the
 *  state of the server itself. These functions must therefore be safe to call at the same time. */
typedef struct jostle_rule_def {
  size_t size;
  const char* name;  /* unique; recordings contain it. 1 to 64 letters, digits, '_', '-' or ' ' */
  void* user;        /* passed to all functions; must not change what the rule does */
  size_t state_size; /* bytes; the block begins as zeros and is aligned for any type */
  jostle_rule_state_function create;  /* called when the block has been made */
  jostle_rule_state_function destroy; /* called before the block is freed */
  jostle_rule_save_function save;     /* null: the bytes of the block are saved as they are */
  jostle_rule_load_function load;     /* must be set if and only if `save` is set */
  /* The scene has restarted, or another one has started. If the function is null, the state becomes
   * that of a new rule, and its values disappear. */
  jostle_rule_function reset;
  jostle_rule_player_function player_joined; /* the player has a body already */
  jostle_rule_player_function player_left;   /* the body still exists */
  jostle_rule_function before_step;          /* before each step of the world */
  jostle_rule_function after_step;           /* after each step of the world */
} jostle_rule_def;

/** Writes a rule without name, state and functions. */
JOSTLE_DEFINE_DEFAULT(jostle_rule_def)

#ifdef __cplusplus
}
#endif

#endif
