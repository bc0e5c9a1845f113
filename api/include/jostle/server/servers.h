/* Servers: a scene with rules, players and a network address. */
#ifndef JOSTLE_SERVER_SERVERS_H
#define JOSTLE_SERVER_SERVERS_H

#include <jostle/server/rules.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of servers that exist at the same time. */
#define JOSTLE_MAX_SERVERS 64

/** A server. */
typedef struct jostle_server {
  uint32_t index, generation;
} jostle_server;

/** The credential that clients need. */
typedef int32_t jostle_access;
enum {
  JOSTLE_ACCESS_OPEN = 0,       /* none */
  JOSTLE_ACCESS_SHARED_KEY = 1, /* the key in `shared_key_file` */
  JOSTLE_ACCESS_TOKEN = 2       /* a token of this server, from `jostle token issue` */
};

/** The time at which ticks in a state folder reach the disk. */
typedef int32_t jostle_durability;
enum {
  JOSTLE_DURABILITY_NONE = 0,  /* when the system decides; survives the end of the process alone */
  JOSTLE_DURABILITY_GROUP = 1, /* every 50 ms */
  JOSTLE_DURABILITY_STRICT = 2 /* before clients see the tick, which waits at most 1 s for that */
};

/** The definition of a server. */
typedef struct jostle_server_def {
  size_t size;
  const char* name;        /* shown to clients; default "jostle" */
  const char* scene_name;  /* name or path of a scene file; used if `scene` is null */
  jostle_scene scene;      /* a scene of jostle_scene_create(); it is copied */
  const char* address;     /* IPv4 or IPv6 address to listen on; default "127.0.0.1" */
  uint32_t port;           /* UDP, 0 to 65535; 0: a free one; default 7777 */
  jostle_access access;    /* default JOSTLE_ACCESS_OPEN */
  jostle_bool is_insecure; /* 1: allows open access from other machines */
  jostle_bool is_on_lan;   /* 1: answers searches on the local network; needs a public address */
  const char* shared_key_file;  /* file of `jostle psk new`, for JOSTLE_ACCESS_SHARED_KEY */
  const char* keys_folder;      /* folder of the keys; null: a temporary key */
  uint64_t seed;                /* of the random numbers of rules */
  int32_t ticks_per_second;     /* 10 to 1000; default 60 */
  int32_t snapshot_interval;    /* ticks between two snapshots, 1 to 60; default 1 */
  uint32_t max_players;         /* 1 to 1000; default 16 */
  uint32_t max_sessions;        /* players and spectators, max_players to 4000; default 64 */
  jostle_bool is_sandbox;       /* 1: every client may pause, reset and change the scene */
  jostle_bool offers_scenes;    /* 1: clients may choose from the installed scenes */
  jostle_bool is_lockstep;      /* 1: clients with the engine may use lockstep; not with rules */
  uint32_t sync_test_ticks;     /* ticks to roll back and repeat in each tick, 0 to 600; 0: none */
  double max_client_rate;       /* bytes per second to one client; 0: no limit */
  double reconnect_seconds;     /* time for which a lost player may return; default 60 */
  const jostle_rule_def* rules; /* array, all elements with the same `size`; may be null */
  size_t rule_count;            /* 0 to JOSTLE_MAX_RULES */
  const char* recording_file;   /* new file ending in .jrec for the whole run; may be null */
  double recent_seconds;   /* time that jostle_server_save_recent() saves, 0 to 86400; 0: off */
  const char* web_address; /* "IP:PORT" (TCP) at which jostle-gate serves browsers; null: none */
  const char* web_page_folder; /* folder of the page; null: the installed page */
  const char* web_embedder;    /* origin of pages that may show the page in a frame; may be null */
  const char* state_folder; /* keeps the game, which continues there after a restart; null: none */
  jostle_durability durability; /* of `state_folder`; default JOSTLE_DURABILITY_GROUP */
  uint32_t reserved;            /* must be 0 */
  uint64_t state_quota; /* bytes from which on the oldest ticks in `state_folder` are deleted; 0: no
                           limit; default 1 GiB */
} jostle_server_def;

/** Writes the default: the scene "crates" at 127.0.0.1:7777, open to this machine. */
JOSTLE_DEFINE_DEFAULT(jostle_server_def)
/** Creates a server. It listens from now on, and simulates in jostle_server_run(),
 *  jostle_server_poll() or jostle_server_step(). If `state_folder` holds a game, the server
 * restores it, and `scene`, `scene_name`, `ticks_per_second` and `seed` do not count. */
JOSTLE_API jostle_result jostle_server_create(const jostle_server_def* def, jostle_server* server);
/** Disconnects all clients, waits up to half a second for their answers, closes the recording and
 *  the state folder, and destroys the server. Returns JOSTLE_ERROR_INVALID_DATA if one of them
 *  is incomplete, because a write failed; the server is destroyed all the same. */
JOSTLE_API jostle_result jostle_server_destroy(jostle_server server);
/** Returns 1 if the server exists, else 0. */
JOSTLE_API jostle_bool jostle_server_is_alive(jostle_server server);

/** Runs the server in the calling thread until jostle_server_stop() is called. */
JOSTLE_API jostle_result jostle_server_run(jostle_server server);
/** Ends jostle_server_run() after the current tick; the next call runs on. May be called by any
 *  thread, by rules and by signal handlers. */
JOSTLE_API jostle_result jostle_server_stop(jostle_server server);
/** For programs with a loop of their own: receives messages, simulates the ticks that are due and
 *  sends snapshots. Waits up to `max_wait_seconds` (0 to 60) for the next message or tick. Writes
 *  the number of simulated ticks unless `ticks` is null. */
JOSTLE_API jostle_result jostle_server_poll(jostle_server server, double max_wait_seconds,
                                            uint32_t* ticks);
/** Simulates `count` ticks at once, without waiting until they are due; for tests and for programs
 *  that keep the time. */
JOSTLE_API jostle_result jostle_server_step(jostle_server server, uint32_t count);

/** Queues a command for the next tick. `number` must be 0 for commands without one. */
JOSTLE_API jostle_result jostle_server_control(jostle_server server, jostle_control control,
                                               uint32_t number);
/** Sets the number of threads and the instruction set of the simulation. */
JOSTLE_API jostle_result jostle_server_set_execution(jostle_server server,
                                                     const jostle_execution* execution);

/** The state of a server. */
typedef struct jostle_server_info {
  size_t size;
  uint32_t port;           /* on which it listens */
  uint32_t tick;           /* the last simulated one */
  uint32_t players;        /* connected players */
  uint32_t sessions;       /* connected players and spectators */
  jostle_bool is_paused;   /* 1: the simulation is paused */
  uint32_t rate_percent;   /* speed of the simulation */
  uint64_t ticks_skipped;  /* ticks that were dropped, because the machine was too slow */
  uint64_t bytes_sent;     /* UDP payload */
  uint64_t bytes_received; /* UDP payload */
  uint64_t sync_tests;     /* ticks that the sync test checked */
  uint32_t sync_mismatch;  /* first tick that a sync test did not reproduce; 0: none */
  uint32_t reserved;
  uint32_t durable_tick;  /* newest tick whose commands are on the disk, in `state_folder`, so that
                             it survives the end of the machine; 0: none */
  uint32_t restored_tick; /* the tick at which the game in `state_folder` continued; 0: it is new */
} jostle_server_info;

/** Writes the state of a server. Set `info->size` before the call. */
JOSTLE_API jostle_result jostle_server_get_info(jostle_server server, jostle_server_info* info);
/** Writes the handle of the server's game, which is valid until the server is destroyed. */
JOSTLE_API jostle_result jostle_server_get_game(jostle_server server, jostle_game* game);
/** Writes the URL of the page that shows the server in a browser, with a final zero, cut to
 *  `capacity` bytes. The URL is empty without `web_address`. */
JOSTLE_API jostle_result jostle_server_get_url(jostle_server server, char* url, size_t capacity);
/** Saves the last `recent_seconds` of the run as a recording in a new file FOLDER/NAME.jrec. Writes
 *  the path with a final zero, cut to `capacity` bytes. */
JOSTLE_API jostle_result jostle_server_save_recent(jostle_server server, const char* folder,
                                                   char* path, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
