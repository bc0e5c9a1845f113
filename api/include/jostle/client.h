/* A thin client: connects to a server, sends the inputs of a player and reads interpolated poses.
 *
 * The functions are in libjostle-client.so, which does not contain the physics engine.
 * docs/CLIENT_GUIDE.md explains the use. Any thread may call any function; a client is used by one
 * thread at a time, and calls that would break this rule return JOSTLE_ERROR_BUSY.
 */
#ifndef JOSTLE_CLIENT_H
#define JOSTLE_CLIENT_H

#include <jostle/play.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of clients that exist at the same time. */
#define JOSTLE_MAX_CLIENTS 4096

/** A client. */
typedef struct jostle_client {
  uint32_t index, generation;
} jostle_client;

/** The part that a client takes in the game. */
typedef int32_t jostle_role;
enum { JOSTLE_ROLE_PLAYER = 0, JOSTLE_ROLE_SPECTATOR = 1 };

/** The precision in which the server sends poses. */
typedef int32_t jostle_precision;
enum {
  JOSTLE_PRECISION_VISUAL = 0,  /* for drawing; takes the least bandwidth */
  JOSTLE_PRECISION_FINE = 1,    /* docs/WIRE_FORMAT.md has the steps */
  JOSTLE_PRECISION_LOSSLESS = 2 /* the bits of the server */
};

/** The definition of a client. */
typedef struct jostle_client_def {
  size_t size;
  const char* server; /* host name or IP address with an optional port; default "127.0.0.1:7777" */
  const char* name;   /* of the player, UTF-8, 1 to 64 bytes; default "player" */
  jostle_role role;   /* default JOSTLE_ROLE_PLAYER */
  jostle_precision precision;     /* default JOSTLE_PRECISION_VISUAL */
  const char* token;              /* text of a token, or '@' and a file; null: none */
  const char* shared_key_file;    /* for servers with JOSTLE_ACCESS_SHARED_KEY; null: none */
  const char* key_file;           /* key pair of the client; null: a temporary one */
  const char* known_servers_file; /* keys of known servers; null: that of jostle-view */
  double connect_seconds;         /* time without progress after which the client gives up, 1 to
                                     86400; default 10 */
  double reconnect_seconds;       /* the same after a lost connection, 1 to 86400; default 60 */
} jostle_client_def;

/** Writes the default: a player at 127.0.0.1:7777. */
JOSTLE_DEFINE_DEFAULT(jostle_client_def)
/** Creates a client, which connects while it is polled. May wait for a name server. */
JOSTLE_API jostle_result jostle_client_create(const jostle_client_def* def, jostle_client* client);
/** Says goodbye to the server, waits up to half a second for the answer, and destroys the client.
 */
JOSTLE_API jostle_result jostle_client_destroy(jostle_client client);
/** Returns 1 if the client exists, else 0. */
JOSTLE_API jostle_bool jostle_client_is_alive(jostle_client client);

/** Receives messages, sends what is due and updates the poses. Call it at least once per tick of
 * the server. Waits up to `max_wait_seconds` (0 to 60) for the next message. */
JOSTLE_API jostle_result jostle_client_poll(jostle_client client, double max_wait_seconds);
/** Connects again after the state JOSTLE_CLIENT_FAILED. */
JOSTLE_API jostle_result jostle_client_try_again(jostle_client client);

/** The state of a client. */
typedef int32_t jostle_client_state;
enum {
  JOSTLE_CLIENT_CONNECTING = 0, /* also while a lost connection is re-established */
  JOSTLE_CLIENT_JOINING = 1,    /* accepted; the world is being transferred */
  JOSTLE_CLIENT_PLAYING = 2,    /* poses arrive */
  JOSTLE_CLIENT_FAILED = 3      /* until jostle_client_try_again() */
};

/** The reason of a failure. */
typedef int32_t jostle_failure;
enum {
  JOSTLE_FAILURE_NONE = 0,
  JOSTLE_FAILURE_NO_ANSWER = 1,
  JOSTLE_FAILURE_LOST = 2,
  JOSTLE_FAILURE_SHUT_DOWN = 3,
  JOSTLE_FAILURE_FULL = 4,
  JOSTLE_FAILURE_OTHER_VERSION = 5,
  JOSTLE_FAILURE_OTHER_KEY = 6,
  JOSTLE_FAILURE_TOKEN_REQUIRED = 7,
  JOSTLE_FAILURE_TOKEN_EXPIRED = 8,
  JOSTLE_FAILURE_TOKEN_USED = 9,
  JOSTLE_FAILURE_TOKEN_REVOKED = 10,
  JOSTLE_FAILURE_TOKEN_INVALID = 11,
  JOSTLE_FAILURE_SHARED_KEY_REQUIRED = 12,
  JOSTLE_FAILURE_SHARED_KEY_NOT_USED = 13,
  JOSTLE_FAILURE_NOT_ALLOWED = 14,
  JOSTLE_FAILURE_NO_LOCKSTEP = 15,
  JOSTLE_FAILURE_REPLACED = 16,
  JOSTLE_FAILURE_KICKED = 17,
  JOSTLE_FAILURE_BANNED = 18,
  JOSTLE_FAILURE_NO_WORLD = 19,
  JOSTLE_FAILURE_UNREADABLE = 20
};

/** The state of a client and of the scene. */
typedef struct jostle_client_status {
  size_t size;
  jostle_client_state state;   /* of the connection */
  jostle_failure failure;      /* reason of JOSTLE_CLIENT_FAILED */
  uint32_t player;             /* own id; 0 for spectators and before PLAYING */
  jostle_bool is_reconnecting; /* 1: a lost connection is being re-established */
  uint32_t body_count;         /* bodies that are shown now */
  uint32_t world_revision;     /* changes when bodies appear or disappear */
  jostle_bool is_paused;       /* 1: the simulation is paused */
  jostle_bool is_gravity_off;  /* 1: gravity was turned off by a command */
  uint32_t rate_percent;       /* speed of the simulation */
  uint32_t reserved;
  char text[256]; /* the reason of a failure or of a delay, one sentence; may be empty */
} jostle_client_status;

/** Writes the state of a client. Set `status->size` before the call. */
JOSTLE_API jostle_result jostle_client_get_status(jostle_client client,
                                                  jostle_client_status* status);

/** Figures of the connection. */
typedef struct jostle_client_metrics {
  size_t size;
  double server_tick;   /* current tick of the server as estimated, with fraction; 0: unknown */
  double shown_tick;    /* tick that the poses belong to, with fraction */
  double round_trip_ms; /* smoothed */
  double interpolation_delay_ms; /* from the server's current tick to the shown one */
  double input_latency_ms;       /* mean from an input until its effect is shown; 0: no inputs */
  double loss;                   /* share of lost snapshot parts in the last seconds, 0 to 1 */
  double bytes_per_second_down;  /* UDP payload */
  double bytes_per_second_up;    /* UDP payload */
  uint64_t bytes_down;           /* UDP payload since the start */
  uint64_t bytes_up;             /* UDP payload since the start */
  uint64_t snapshots;            /* complete snapshots */
  uint32_t durable_tick; /* newest tick that survives the end of the server's machine, as the server
                            has told; 0: none, or the server keeps no state */
  uint32_t reserved;
} jostle_client_metrics;

/** Writes figures of the connection. Set `metrics->size` before the call. */
JOSTLE_API jostle_result jostle_client_get_metrics(jostle_client client,
                                                   jostle_client_metrics* metrics);

/** Sets the input of the player until the next call. Grab actions are repeated in each tick, other
 *  actions are sent once. Spectators have no inputs. */
JOSTLE_API jostle_result jostle_client_set_input(jostle_client client, const jostle_input* input);
/** Sends an action once, beside the input that was set. Grab actions last, so they are refused
 * here. */
JOSTLE_API jostle_result jostle_client_act(jostle_client client, const jostle_action* action);

/** Arrays of the caller with one element per body. A null pointer leaves its values out. A stride
 * is the distance of two elements in bytes; 0 means that the elements follow each other directly.
 */
typedef struct jostle_client_arrays {
  size_t size;
  uint32_t* ids; /* 1 number: id of the network protocol */
  size_t ids_stride;
  double* positions; /* 3 numbers, m */
  size_t positions_stride;
  float* rotations; /* 4 numbers: x, y, z, w */
  size_t rotations_stride;
  uint8_t* awake; /* 1 number: 1 awake, 0 asleep */
  size_t awake_stride;
} jostle_client_arrays;

/** Writes empty arrays. */
JOSTLE_DEFINE_DEFAULT(jostle_client_arrays)
/** Writes the interpolated poses of all bodies into the arrays, sorted by id, and their number. The
 *  arrays have room for `capacity` bodies; if there are more, the first ones are written. With a
 *  capacity of 0 the function only counts. */
JOSTLE_API jostle_result jostle_client_read(jostle_client client,
                                            const jostle_client_arrays* arrays, size_t capacity,
                                            size_t* count);
/** Writes the interpolated pose of a body. */
JOSTLE_API jostle_result jostle_client_get_pose(jostle_client client, uint32_t body_id,
                                                jostle_pose* pose);

/** The properties of a body that do not change. */
typedef struct jostle_client_body {
  size_t size;
  uint32_t id;              /* of the network protocol */
  int32_t motion;           /* 0: static, 1: kinematic, 2: dynamic */
  uint32_t owner;           /* id of the player whose body it is; 0: none */
  uint32_t shape_count;     /* number of shapes */
  uint8_t red, green, blue; /* colour, 0 to 255 */
  uint8_t is_grabbable;     /* 1: players may push and grab the body */
  uint32_t reserved;
  char name[72]; /* UTF-8, up to 64 bytes and a final zero */
} jostle_client_body;

/** Writes the properties of a body. Set `body->size` before the call. */
JOSTLE_API jostle_result jostle_client_get_body(jostle_client client, uint32_t body_id,
                                                jostle_client_body* body);
/** Writes the id of the first body with this name. */
JOSTLE_API jostle_result jostle_client_find_body(jostle_client client, const char* name,
                                                 uint32_t* body_id);
/** Writes the id of the own player's body. */
JOSTLE_API jostle_result jostle_client_get_own_body(jostle_client client, uint32_t* body_id);

/** A shape of a body, for drawing. */
typedef struct jostle_client_shape {
  int32_t kind; /* 0 sphere, 1 box, 2 capsule, 3 plane, 4 cylinder, 5 cone, 6 hull, 7 mesh, 8 height
                   field; as jostle_shape_kind */
  float radius; /* m */
  float half_height;        /* m, along y; of a capsule without its caps */
  jostle_vec3 half_extents; /* m */
  jostle_transform local;   /* pose in the frame of the body */
} jostle_client_shape;

/** Lists the shapes of a body. */
JOSTLE_API jostle_result jostle_client_get_shapes(jostle_client client, uint32_t body_id,
                                                  jostle_client_shape* shapes, size_t stride,
                                                  size_t capacity, size_t* count);
/** Lists the corners of the triangles of a shape in the frame of the body, three for each triangle,
 *  counter-clockwise seen from outside. A plane has none. */
JOSTLE_API jostle_result jostle_client_get_triangles(jostle_client client, uint32_t body_id,
                                                     size_t shape, jostle_vec3* corners,
                                                     size_t capacity, size_t* count);

/** Lists the values that the rules of the server show to this client, such as a score. */
JOSTLE_API jostle_result jostle_client_get_values(jostle_client client, jostle_value* values,
                                                  size_t stride, size_t capacity, size_t* count);

/** Writes the name of the scene with a final zero, cut to `capacity` bytes. */
JOSTLE_API jostle_result jostle_client_get_scene_name(jostle_client client, char* name,
                                                      size_t capacity);
/** A scene that the server offers. */
typedef struct jostle_client_scene {
  char name[72];         /* up to 64 bytes and a final zero */
  char description[208]; /* up to 200 bytes and a final zero */
} jostle_client_scene;
/** Asks the server for its scenes; they arrive while the client is polled. */
JOSTLE_API jostle_result jostle_client_request_scenes(jostle_client client);
/** Lists the scenes; none until they have arrived. */
JOSTLE_API jostle_result jostle_client_get_scenes(jostle_client client, jostle_client_scene* scenes,
                                                  size_t stride, size_t capacity, size_t* count);
/** Asks the server to load a scene. If the server refuses, a notice says why. */
JOSTLE_API jostle_result jostle_client_load_scene(jostle_client client, const char* name);
/** Asks the server to pause, reset and so on. `number` must be 0 for commands without one. If the
 *  server refuses, a notice says why. */
JOSTLE_API jostle_result jostle_client_control(jostle_client client, jostle_control control,
                                               uint32_t number);
/** Writes the newest notice of the server with a final zero, cut to `capacity` bytes, and forgets
 *  it; an empty text if there is none. */
JOSTLE_API jostle_result jostle_client_take_notice(jostle_client client, char* text,
                                                   size_t capacity);

/** The part of the world that matters to a client. */
typedef struct jostle_interest {
  size_t size;
  jostle_position eye;      /* position of the viewer, m */
  jostle_vec3 forward;      /* unit length; zero: no direction is preferred */
  float half_angle;         /* of the view cone around `forward`, rad, 0 to π */
  float radius;             /* m; bodies beyond it are not sent; 0: no limit */
  uint32_t max_client_rate; /* bytes per second to this client; 0: no limit */
} jostle_interest;

/** Writes an interest in everything. */
JOSTLE_DEFINE_DEFAULT(jostle_interest)
/** Tells the server which part of the world matters. If not all bodies fit into the rate of the
 * link, the server sends the most important ones first. */
JOSTLE_API jostle_result jostle_client_set_interest(jostle_client client,
                                                    const jostle_interest* interest);

#ifdef __cplusplus
}
#endif

#endif
