#include "api/base/checks.h"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace jostle::api {
namespace {

constexpr double unit_tolerance = 1e-3;
constexpr std::size_t name_bytes = 128;
using Name = std::array<char, name_bytes>;

/// Returns the name of a part of a value, such as "def->gravity.y".
Name part_name(const char* name, const char* part) {
  Name whole{};
  std::snprintf(whole.data(), whole.size(), "%s.%s", name, part);
  return whole;
}

/// Calls `check(component, name)` for the components of a vector.
template <typename Vector, typename Check>
void check_components(const Vector& v, const char* name, const Check& check) {
  check(v.x, part_name(name, "x").data());
  check(v.y, part_name(name, "y").data());
  check(v.z, part_name(name, "z").data());
}

void require_unit_length(double squared, const char* name, const char* kind) {
  if (std::abs(squared - 1.0) < unit_tolerance) return;
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s has the length %g; accepted: %s of length 1", name,
         std::sqrt(squared), kind);
}

}  // namespace

void refuse_number(const char* name, double value, const char* accepted) {
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s is %g; accepted: %s", name, value, accepted);
}

void require_finite(const jostle_vec3& value, const char* name) {
  if (std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z)) return;
  check_components(value, name, [](float part, const char* of) { require_finite(part, of); });
}
void require_finite(const jostle_position& value, const char* name) {
  if (std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z)) return;
  check_components(value, name, [](double part, const char* of) { require_finite(part, of); });
}
void require_finite(const jostle_mat3& value, const char* name) {
  require_finite(value.cx, part_name(name, "cx").data());
  require_finite(value.cy, part_name(name, "cy").data());
  require_finite(value.cz, part_name(name, "cz").data());
}

void require_range(double value, double low, double high, const char* name, const char* unit) {
  if (value >= low && value <= high) return;
  const char* const space = *unit == '\0' ? "" : " ";
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s is %g; accepted: %g to %g%s%s", name, value, low, high,
         space, unit);
}
void require_range(const jostle_vec3& value, double low, double high, const char* name,
                   const char* unit) {
  check_components(value, name,
                   [=](float part, const char* of) { require_range(part, low, high, of, unit); });
}
void require_not_negative(float value, const char* name, const char* unit) {
  if (std::isfinite(value) && value >= 0.0f) return;
  const char* const space = *unit == '\0' ? "" : " ";
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s is %g%s%s; accepted: finite numbers from 0", name,
         static_cast<double>(value), space, unit);
}
void require_positive(float value, const char* name, const char* unit) {
  if (std::isfinite(value) && value > 0.0f) return;
  const char* const space = *unit == '\0' ? "" : " ";
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s is %g%s%s; accepted: finite numbers above 0", name,
         static_cast<double>(value), space, unit);
}
void require_integer(std::int64_t value, std::int64_t low, std::int64_t high, const char* name) {
  if (value >= low && value <= high) return;
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s is %" PRId64 "; accepted: %" PRId64 " to %" PRId64,
         name, value, low, high);
}

bool require_bool(jostle_bool value, const char* name) {
  require_integer(value, 0, 1, name);
  return value == 1;
}
void require_enumerator(std::int32_t value, std::int32_t count, const char* name) {
  require_integer(value, 0, count - 1, name);
}

void require_unit(const jostle_quat& q, const char* name) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  require_unit_length(x * x + y * y + z * z + w * w, name, "quaternions");
}
void require_unit(const jostle_vec3& v, const char* name) {
  const double x = v.x, y = v.y, z = v.z;
  require_unit_length(x * x + y * y + z * z, name, "vectors");
}
void require_pose(const jostle_pose& pose, const char* name, double farthest) {
  require_finite(pose.position, part_name(name, "position").data());
  const auto require_near = [&](double part, const char* part_of) {
    require_range(part, -farthest, farthest, part_name(name, part_of).data(), "m");
  };
  require_near(pose.position.x, "position.x");
  require_near(pose.position.y, "position.y");
  require_near(pose.position.z, "position.z");
  require_unit(pose.rotation, part_name(name, "rotation").data());
}

void require_capacity(std::size_t capacity) {
  if (capacity == 0)
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, "capacity is 0; accepted: at least 1 byte");
}

std::size_t stride_of(std::size_t stride, std::size_t element_bytes, const char* name) {
  if (stride == 0) return element_bytes;
  if (stride < element_bytes) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
           "the stride of %s is %zu bytes; accepted: 0, or at least %zu", name, stride,
           element_bytes);
  }
  return stride;
}

void require_array(const void* array, std::size_t count, std::size_t stride, const char* name) {
  if (count == 0) return;
  require_pointer(array, name);
  if (count > PTRDIFF_MAX / stride)
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s has %zu elements, more than memory can hold", name,
           count);
}

}  // namespace jostle::api
