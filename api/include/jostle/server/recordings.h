/* Recordings: runs of a server that can be replayed, verified and compared.
 *
 * A recording contains the inputs, and the hash of every state. It can be replayed by a program
 * that has the same rules; pass them as for the server.
 */
#ifndef JOSTLE_SERVER_RECORDINGS_H
#define JOSTLE_SERVER_RECORDINGS_H

#include <jostle/server/rules.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of recordings that are open at the same time. */
#define JOSTLE_MAX_RECORDINGS 256

/** An open recording with its replay. */
typedef struct jostle_recording {
  uint32_t index, generation;
} jostle_recording;

/** Opens a recording. Its game is in the state before the first recorded tick. `rules` is an array
 *  of `rule_count` elements of the same `size`, in the order of the server. */
JOSTLE_API jostle_result jostle_recording_open(const char* path, const jostle_rule_def* rules,
                                               size_t rule_count, jostle_recording* recording);
/** Closes a recording. */
JOSTLE_API jostle_result jostle_recording_close(jostle_recording recording);
/** Returns 1 if the recording is open, else 0. */
JOSTLE_API jostle_bool jostle_recording_is_alive(jostle_recording recording);

/** The state of a recording. */
typedef struct jostle_recording_info {
  size_t size;
  uint32_t tick;            /* of the current state */
  uint32_t first_tick;      /* of the first state, before any recorded tick */
  uint32_t last_tick;       /* last recorded tick */
  int32_t ticks_per_second; /* of the server */
  uint64_t seed;            /* of the server */
  jostle_bool is_closed;    /* 0: the program that wrote it ended early; the end is missing */
  jostle_bool differs;      /* 1: the current state is not the recorded one */
  uint64_t differing_ticks; /* ticks replayed so far whose states are not the recorded ones */
} jostle_recording_info;

/** Writes the state of a recording. Set `info->size` before the call. */
JOSTLE_API jostle_result jostle_recording_get_info(jostle_recording recording,
                                                   jostle_recording_info* info);
/** Simulates the next recorded tick. Returns JOSTLE_ERROR_WRONG_STATE after the last one. */
JOSTLE_API jostle_result jostle_recording_step(jostle_recording recording);
/** Goes to the state after a tick, from first_tick to last_tick. */
JOSTLE_API jostle_result jostle_recording_seek(jostle_recording recording, uint32_t tick);
/** Writes the handle of the replayed game, which is valid until the recording is closed. */
JOSTLE_API jostle_result jostle_recording_get_game(jostle_recording recording, jostle_game* game);

/** The result of jostle_recording_verify(). */
typedef struct jostle_verification {
  size_t size;
  jostle_bool is_same;     /* 1: all hashes agree */
  uint32_t differing_tick; /* the first tick that differs; 0 if none does */
  uint64_t ticks;          /* number of ticks that agree, from the start */
  uint64_t last_hash;      /* hash after the last one */
} jostle_verification;

/** Replays all ticks of a file and compares their hashes. Writes the differing parts, such as
 *  "bodies, rules", with a final zero unless `text` is null. Set `verification->size` before the
 *  call. */
JOSTLE_API jostle_result jostle_recording_verify(const char* path, const jostle_rule_def* rules,
                                                 size_t rule_count,
                                                 jostle_verification* verification, char* text,
                                                 size_t capacity);

/** The result of jostle_recording_compare(). */
typedef struct jostle_comparison {
  size_t size;
  jostle_bool is_equal;   /* 1: equal in inputs and states */
  uint32_t inputs_differ; /* first tick with different inputs, up to states_differ; 0: none */
  uint32_t states_differ; /* first tick with different states; 0: none */
  uint32_t reserved;
  uint64_t ticks;   /* compared ticks */
  uint64_t numbers; /* numbers of the states that differ after the tick states_differ */
} jostle_comparison;

/** Compares two recordings of one scene. Writes the cause and the first number that differs with a
 *  final zero unless `text` is null. Set `comparison->size` before the call. */
JOSTLE_API jostle_result jostle_recording_compare(const char* path_a, const char* path_b,
                                                  const jostle_rule_def* rules, size_t rule_count,
                                                  jostle_comparison* comparison, char* text,
                                                  size_t capacity);

/** Answers whether a replay goes on: 1, or 0 to end it. */
typedef jostle_bool (*jostle_replay_function)(void* user);
/** Sets the function that jostle_recording_step(), jostle_recording_seek(),
 *  jostle_recording_verify() and jostle_recording_compare() call in this thread after each tick
 *  that they replay, for example to show progress or to look for a signal; null, the default: none.
 *  If it returns 0, the call ends with JOSTLE_ERROR_INTERRUPTED, and an open recording goes back to
 *  a saved state before that tick. jostle_recording_main() then returns 2 and prints nothing. The
 * function must not throw exceptions and must not use the recording. */
JOSTLE_API void jostle_set_replay_function(jostle_replay_function function, void* user);

/** A complete main() for the recordings of a program with rules of its own. The command
 *  `verify FILE` replays a recording and compares every hash. `diff A B` finds the first difference
 *  of two recordings. `show FILE TICK` prints the players and the values after a tick.
 *
 *  `bisect FILE COMMAND...` replays a recording in this program and in another build of it, and
 *  finds the first tick, stage and number that differ. COMMAND is the command line of the other
 *  build up to the name of a command, such as `./old_game` or `python3 old_game.py`. It runs
 *  `COMMAND... trace FILE`, which prints the hash of each tick, or the hashes or numbers within a
 *  tick.
 *
 *  Returns the exit code: 0: equal, 1: different, 2: an error, which was printed. */
JOSTLE_API int jostle_recording_main(int argc, char** argv, const jostle_rule_def* rules,
                                     size_t rule_count);

#ifdef __cplusplus
}
#endif

#endif
