#pragma once

#include "shared/math/transform.h"
#include "shared/math/trig.h"
#include "shared/math/vec3.h"
#include "shared/scene/scene.h"

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::scene::detail {

/// The location of a value in a scene, e.g. bodies[12].shape.box. Each part points to its parent,
/// which must outlive it. The text is created only if an error needs it.
class Path {
 public:
  Path() = default;
  Path field(std::string_view name) const { return {this, name, no_index}; }
  Path entry(std::size_t index) const { return {this, {}, index}; }
  std::string text() const;

 private:
  static constexpr std::size_t no_index = static_cast<std::size_t>(-1);
  Path(const Path* parent, std::string_view name, std::size_t index)
      : parent_(parent), name_(name), index_(index) {}

  const Path* parent_ = nullptr;
  std::string_view name_;
  std::size_t index_ = no_index;
};

inline constexpr float radians_per_degree = math::pi / 180.0f;

/// The allowed range of a number.
struct Range {
  double low = 0, high = 0;
  bool is_low_excluded = false;
  double least = 0;  // values below `least` are rejected too; equal to `low`: no further limit
};
constexpr Range between(double low, double high) {
  return {low, high, false, low};
}
constexpr Range above(double low, double high) {
  return {low, high, true, low};
}
/// Returns the range of numbers above 0 and up to `high`. Numbers below `least` are rejected too,
/// because they are too small for the engine.
constexpr Range positive(double least, double high) {
  return {0, high, true, least};
}
constexpr Range within(double limit) {
  return {-limit, limit, false, -limit};
}

using Numbers = flatbuffers::Vector<double>;

/// A reader of values from a wire::Scene that checks them. It stores only the first error. The
/// caller must discard all values if has_failed().
class ValueReader {
 public:
  bool has_failed() const { return error_.has_value(); }
  const std::optional<SceneError>& error() const { return error_; }
  void fail(const Path& path, std::string message);

  /// Returns the value as a float, or `fallback` if it is missing. Fails the reader if the value is
  /// outside of `range`.
  float number(std::optional<double> value, const Path& path, Range range, float fallback);
  std::optional<float> optional_number(std::optional<double> value, const Path& path, Range range);
  std::uint64_t whole_number(std::optional<double> value, const Path& path, Range range,
                             std::uint64_t fallback);
  /// Reads three numbers, each of which must be in `range`. Returns `fallback` if `numbers` is
  /// null.
  math::Vec3 vector(const Numbers* numbers, const Path& path, Range range, math::Vec3 fallback);
  math::Position position(const Numbers* numbers, const Path& path, math::Position fallback);
  /// Reads `rotation` (quaternion) or `rotation_degrees` (about x, then y, then z of the parent's
  /// frame). At most one may be given. `path` is the path of the table that contains them.
  math::Quat rotation(const Numbers* quaternion, const Numbers* degrees, const Path& path,
                      math::Quat fallback);
  /// Reads a text of 1 to `max_bytes` bytes without control characters. Returns an empty string if
  /// `text` is null.
  std::string line(const flatbuffers::String* text, const Path& path, std::size_t max_bytes);
  /// Reads a line of at most max_scene_name_bytes.
  std::string name(const flatbuffers::String* text, const Path& path);

  double checked(double value, const Path& path, Range range);
  /// Fails the reader with an error that names the range and the value. `kind` is empty, or the
  /// kind of number that is accepted, such as "a whole number ".
  void fail_range(const Path& path, Range range, double value, std::string_view kind = {});

 private:
  bool has_count(const Numbers* numbers, const Path& path, std::size_t count);

  std::optional<SceneError> error_;
};

/// Formats a number for messages, in the shortest form that reads back as the same value.
std::string shown(double value);
std::string shown(float value);

}  // namespace jostle::scene::detail
