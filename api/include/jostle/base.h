/* Types and errors that all parts of the C API share.
 *
 * Conventions of the API:
 *
 * - Units are SI: metres, kilograms, seconds, radians. Axes are right-handed, y points up.
 * - Almost every function returns a jostle_result. JOSTLE_OK is 0. After any other result,
 *   jostle_last_error() describes the error, and no output was written unless the function says so.
 * - The functions check every pointer for null, and every length, enumerator, number and handle.
 *   Invalid arguments cause an error and never end the program. A pointer that is not null must
 *   point to memory of the size that the function expects.
 * - Functions neither throw exceptions nor return memory that the caller must free.
 * - A handle whose bytes are all zero is the null handle. Handles of destroyed objects are stale
 *   and are refused, also when a new object takes the place of the old one.
 * - Definition structs begin with their size. Fill them with the function jostle_..._default() and
 *   then change fields. Structs that a function fills begin with their size, too; set it before the
 *   call. Programs thus keep working with later libraries, which add fields at the end.
 */
#ifndef JOSTLE_BASE_H
#define JOSTLE_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define JOSTLE_API __attribute__((visibility("default")))
#else
#define JOSTLE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Version of these headers. jostle_version() returns that of the library. A larger major version
 *  may change everything. */
#define JOSTLE_VERSION_MAJOR 0
/** A larger minor version adds functions and fields. */
#define JOSTLE_VERSION_MINOR 2
/** A larger patch version mends errors. */
#define JOSTLE_VERSION_PATCH 0

/** Returns the version of the library as text, such as "0.2.0". */
JOSTLE_API const char* jostle_version(void);

/** The result of a call. */
typedef int32_t jostle_result;
enum {
  /** The call succeeded. */
  JOSTLE_OK = 0,
  /** An argument is null, out of range, not finite or not a value of its enumeration. */
  JOSTLE_ERROR_INVALID_ARGUMENT = 1,
  /** A handle is null, or its object was destroyed. */
  JOSTLE_ERROR_STALE_HANDLE = 2,
  /** The object or the world is not in a state that allows the call. */
  JOSTLE_ERROR_WRONG_STATE = 3,
  /** The output does not fit into the caller's array. The count that is needed was written, and
   *  the first elements fill the array. */
  JOSTLE_ERROR_BUFFER_TOO_SMALL = 4,
  /** A text or a saved state is damaged, or not of the expected format. */
  JOSTLE_ERROR_INVALID_DATA = 5,
  /** There is no object with this name, number or hash. */
  JOSTLE_ERROR_NOT_FOUND = 6,
  /** A limit of the library was reached. */
  JOSTLE_ERROR_LIMIT = 7,
  /** Another call is using the world, the solid or the scene. */
  JOSTLE_ERROR_BUSY = 8,
  /** The system has no memory left. Destroy the world that the call changed. */
  JOSTLE_ERROR_OUT_OF_MEMORY = 9,
  /** A bug of the library. */
  JOSTLE_ERROR_INTERNAL = 10,
  /** A function of the caller has ended the call. */
  JOSTLE_ERROR_INTERRUPTED = 11
};

/** Returns the name of a result, such as "JOSTLE_ERROR_STALE_HANDLE". */
JOSTLE_API const char* jostle_result_name(jostle_result result);

/** Returns one line that describes the last call of this thread that failed: the function, the
 *  wrong value and the values that are accepted. It is valid until the next call of this thread. */
JOSTLE_API const char* jostle_last_error(void);

/** Importance of a log line, in rising order. */
typedef int32_t jostle_log_level;
enum {
  /** Details for the search of a fault. */
  JOSTLE_LOG_DEBUG = 1,
  /** Events that are part of a normal run. */
  JOSTLE_LOG_INFO = 2,
  /** Something is wrong, and the library goes on without it. */
  JOSTLE_LOG_WARNING = 3,
  /** Something that was asked for does not work, such as a recording on a full disk. */
  JOSTLE_LOG_ERROR = 4,
  /** As the lowest level: no line at all. */
  JOSTLE_LOG_NONE = 5
};

/** Receives a log line, as `event key=value ...` without its level and without a line feed. The
 * text is valid during the call. Calls come from the threads that call the library and never
 * overlap. The function must not throw exceptions. It may call jostle_set_log(), but no other
 * function of the library that can fail or log; lines that its own calls cause are left out. */
typedef void (*jostle_log_function)(void* user, jostle_log_level level, const char* line);

/** Sends the log lines from the level `lowest` on to a function, or to stderr if it is null. It
 *  applies to both libraries and to the whole process. When it returns, the former function is not
 *  called any more. Without a call, lines from JOSTLE_LOG_INFO on go to stderr. */
JOSTLE_API jostle_result jostle_set_log(jostle_log_level lowest, jostle_log_function function,
                                        void* user);

/** Declares jostle_NAME_init(), which writes the default values of a struct of the given size, and
 *  jostle_NAME_default(), which calls it with the size that this program was compiled with. A later
 *  library thus writes no field that the program does not know. */
#define JOSTLE_DEFINE_DEFAULT(type)                                \
  JOSTLE_API jostle_result type##_init(type* values, size_t size); \
  static inline jostle_result type##_default(type* values) {       \
    return type##_init(values, sizeof(type));                      \
  }

/** A truth value: 0 is false, 1 is true, other values are refused. */
typedef int32_t jostle_bool;

/** A vector: direction, velocity, offset or force. */
typedef struct jostle_vec3 {
  float x, y, z; /* components along the axes */
} jostle_vec3;

/** A position in the world, in m. */
typedef struct jostle_position {
  double x, y, z; /* coordinates, m */
} jostle_position;

/** A rotation as a unit quaternion with the real part w. The identity is {0, 0, 0, 1}. */
typedef struct jostle_quat {
  float x, y, z, w; /* imaginary parts x, y, z and real part w */
} jostle_quat;

/** A position and a rotation in the world. */
typedef struct jostle_pose {
  jostle_position position; /* m */
  jostle_quat rotation;     /* from the frame of the object to that of the world */
} jostle_pose;

/** A pose relative to a body: rotates first, then adds the offset (m). */
typedef struct jostle_transform {
  jostle_vec3 offset;   /* m */
  jostle_quat rotation; /* applied before the offset */
} jostle_transform;

/** A 3×3 matrix, stored by columns. */
typedef struct jostle_mat3 {
  jostle_vec3 cx, cy, cz; /* columns */
} jostle_mat3;

/** A box along the axes of the world. */
typedef struct jostle_aabb {
  jostle_position lower; /* corner with the smallest coordinates, m */
  jostle_position upper; /* corner with the largest coordinates, m */
} jostle_aabb;

#ifdef __cplusplus
}
#endif

#endif
