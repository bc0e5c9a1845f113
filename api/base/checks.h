#pragma once

#include "api/base/error.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace jostle::api {

// Checks of arguments. `name` is the argument as the caller wrote it, such as "def->mass". A check
// that fails throws a Refusal with a message that names the value and what is accepted.

inline void require_pointer(const void* pointer, const char* name) {
  if (pointer == nullptr)
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s is null; a pointer is required", name);
}

[[noreturn]] void refuse_number(const char* name, double value, const char* accepted);

inline void require_finite(double value, const char* name) {
  if (!std::isfinite(value)) refuse_number(name, value, "finite numbers");
}
void require_finite(const jostle_vec3& value, const char* name);
void require_finite(const jostle_position& value, const char* name);
void require_finite(const jostle_mat3& value, const char* name);

/// Requires low <= value <= high; NaN is refused.
void require_range(double value, double low, double high, const char* name, const char* unit);
void require_range(const jostle_vec3& value, double low, double high, const char* name,
                   const char* unit);
void require_not_negative(float value, const char* name, const char* unit);
/// Requires a finite value above zero.
void require_positive(float value, const char* name, const char* unit);
void require_integer(std::int64_t value, std::int64_t low, std::int64_t high, const char* name);

/// Returns the truth value; requires 0 or 1.
bool require_bool(jostle_bool value, const char* name);
/// Requires 0 <= value < count.
void require_enumerator(std::int32_t value, std::int32_t count, const char* name);
/// Requires a finite quaternion whose squared length differs from 1 by at most 1e-3.
void require_unit(const jostle_quat& value, const char* name);
/// Requires a finite vector of length 1, with the same tolerance.
void require_unit(const jostle_vec3& value, const char* name);
/// Requires a unit quaternion, and a position within `farthest` of the origin along each axis, m.
void require_pose(const jostle_pose& pose, const char* name,
                  double farthest = std::numeric_limits<double>::max());

/// Requires room for at least one byte.
void require_capacity(std::size_t capacity);

/// Returns the distance of two elements of the caller's array in bytes.
std::size_t stride_of(std::size_t stride, std::size_t element_bytes, const char* name);
/// Requires an array of `count` elements. A null pointer is accepted if the count is 0.
void require_array(const void* array, std::size_t count, std::size_t stride, const char* name);

}  // namespace jostle::api
