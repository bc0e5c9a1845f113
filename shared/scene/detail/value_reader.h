#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/scene/scene.h"

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::scene::detail {

/// Where a value stands in a scene, e.g. bodies[12].shape.box. Each part points to the one before
/// it, which must live longer; the text is made only when an error needs it.
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

/// What a number may be.
struct Range {
  double low = 0, high = 0;
  bool is_low_excluded = false;
  double least = 0;  // with an excluded low end: the smallest value that is of use
};
constexpr Range between(double low, double high) {
  return {low, high, false, low};
}
constexpr Range above(double low, double high) {
  return {low, high, true, low};
}
/// Above 0, but not by less than the engine can use.
constexpr Range positive(double least, double high) {
  return {0, high, true, least};
}
constexpr Range within(double limit) {
  return {-limit, limit, false, -limit};
}

using Numbers = flatbuffers::Vector<double>;

/// Takes values out of a wire::Scene and checks them. The first failure is kept; what is read after
/// it are defaults that nobody will see.
class ValueReader {
 public:
  bool has_failed() const { return error_.has_value(); }
  const std::optional<SceneError>& error() const { return error_; }
  void fail(const Path& path, std::string message);

  /// `fallback` where the file is silent.
  float number(std::optional<double> value, const Path& path, Range range, float fallback);
  std::optional<float> optional_number(std::optional<double> value, const Path& path, Range range);
  std::uint64_t whole_number(std::optional<double> value, const Path& path, Range range,
                             std::uint64_t fallback);
  /// Every element in `range`. Null: `fallback`.
  math::Vec3 vector(const Numbers* numbers, const Path& path, Range range, math::Vec3 fallback);
  math::Position position(const Numbers* numbers, const Path& path, math::Position fallback);
  /// From `rotation` (quaternion) or `rotation_degrees` (about x, then y, then z of the parent's
  /// frame), of which at most one may be given; `path` is that of the table that holds them.
  math::Quat rotation(const Numbers* quaternion, const Numbers* degrees, const Path& path,
                      math::Quat fallback);
  /// Text of 1 to `max_bytes` bytes without control characters. Null: empty.
  std::string line(const flatbuffers::String* text, const Path& path, std::size_t max_bytes);
  /// A line of at most max_scene_name_bytes.
  std::string name(const flatbuffers::String* text, const Path& path);

  double checked(double value, const Path& path, Range range);

 private:
  bool has_count(const Numbers* numbers, const Path& path, std::size_t count);

  std::optional<SceneError> error_;
};

/// A number as a message shows it: the shortest form that reads back the same.
std::string shown(double value);
std::string shown(float value);

}  // namespace jostle::scene::detail
