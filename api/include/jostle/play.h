/* Inputs of players, and values that rules show to them: types that the server and the client
 * share.
 */
#ifndef JOSTLE_PLAY_H
#define JOSTLE_PLAY_H

#include <jostle/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of custom bytes in one input. */
#define JOSTLE_MAX_CUSTOM_BYTES 32
/** Maximum number of actions in one input. */
#define JOSTLE_MAX_ACTIONS 4

/** Bits of jostle_input.buttons. */
enum {
  JOSTLE_BUTTON_JUMP = 1,
  JOSTLE_BUTTON_PULL = 2, /* attracts bodies, if the scene defines a pull field */
  JOSTLE_BUTTON_PUSH = 4  /* repels bodies, if the scene defines a push field */
};

/** The kind of an action. */
typedef int32_t jostle_action_kind;
enum {
  JOSTLE_ACTION_PUSH = 0,  /* impulse `vector` (N·s, world frame) at `point` of `body_id` */
  JOSTLE_ACTION_SHOOT = 1, /* launches a ball from `point` at the velocity `vector` (m/s) */
  JOSTLE_ACTION_GRAB = 2,  /* pulls `point` of `body_id` towards the position `vector` */
  JOSTLE_ACTION_SPAWN = 3, /* launches a crate, like SHOOT */
  JOSTLE_ACTION_BLAST = 4  /* pushes bodies away from `point` by up to `vector.x` m/s */
};

/** An action of a player in one tick. */
typedef struct jostle_action {
  jostle_action_kind kind; /* what the action does */
  uint32_t body_id;        /* PUSH and GRAB: the id of the body in the network protocol; else 0 */
  jostle_vec3 point;       /* m; PUSH and GRAB: in the frame of the body, else in the world */
  jostle_vec3 vector;      /* see jostle_action_kind */
} jostle_action;

/** The input of a player in one tick. */
typedef struct jostle_input {
  size_t size;
  float move_x;             /* wanted direction in the horizontal plane; the length is at most 1 */
  float move_z;             /* see move_x */
  uint32_t buttons;         /* JOSTLE_BUTTON bits */
  uint32_t custom_size;     /* number of custom bytes, 0 to JOSTLE_MAX_CUSTOM_BYTES */
  uint8_t custom[32];       /* bytes for the rules of the program; the library does not read them */
  uint32_t action_count;    /* 0 to JOSTLE_MAX_ACTIONS */
  uint32_t reserved;        /* must be 0 */
  jostle_action actions[4]; /* the first `action_count` count */
} jostle_input;

/** Writes an input without movement and actions. */
JOSTLE_DEFINE_DEFAULT(jostle_input)

/** Commands that control the simulation. */
typedef int32_t jostle_control;
enum {
  JOSTLE_CONTROL_PAUSE = 0,
  JOSTLE_CONTROL_RESUME = 1,
  JOSTLE_CONTROL_STEP = 2,   /* `number` steps while paused, 1 to 600 */
  JOSTLE_CONTROL_RATE = 3,   /* `number` steps of the world in 100 ticks, 1 to 1000 */
  JOSTLE_CONTROL_RESET = 4,  /* restarts the scene */
  JOSTLE_CONTROL_GRAVITY = 5 /* `number` 0: off, 1: on */
};

/** The kind of a value. */
typedef int32_t jostle_value_kind;
enum {
  JOSTLE_VALUE_NUMBER = 0,
  JOSTLE_VALUE_DURATION = 1, /* s */
  JOSTLE_VALUE_TEXT = 2
};

/** Maximum number of values that one client sees. */
#define JOSTLE_MAX_VALUES 12

/** A value that the rules of a server show to a client, such as a score. */
typedef struct jostle_value {
  jostle_value_kind kind; /* tells which of the fields below holds the value */
  float number;           /* NUMBER and DURATION */
  char name[28];          /* UTF-8 without control characters, 1 to 24 bytes and a final zero */
  char text[44];          /* TEXT: UTF-8, up to 40 bytes and a final zero */
} jostle_value;

#ifdef __cplusplus
}
#endif

#endif
