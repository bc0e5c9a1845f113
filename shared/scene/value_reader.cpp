#include "shared/scene/detail/value_reader.h"

#include "shared/base/visible_name.h"
#include "shared/math/trig.h"
#include "shared/scene/detail/limits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace jostle::scene::detail {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

template <typename Number>
std::string shortest(Number value) {
  std::array<char, 32> buffer{};
  const Number size = std::abs(value);
  const auto format = size == 0 || (size >= 1e-4 && size < 1e16) ? std::chars_format::fixed
                                                                 : std::chars_format::scientific;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
  return {buffer.data(), end};
}

/// Returns the numbers that a range contains, for error messages.
std::string accepted(Range range) {
  const double least = std::max(range.low, range.least);
  return range.is_low_excluded && least == range.low
             ? "above " + shown(range.low) + " and at most " + shown(range.high)
             : "from " + shown(least) + " to " + shown(range.high);
}

math::Quat from_degrees(math::Vec3 degrees) {
  const math::Quat about_x = math::from_axis_angle({1, 0, 0}, degrees.x * radians_per_degree);
  const math::Quat about_y = math::from_axis_angle({0, 1, 0}, degrees.y * radians_per_degree);
  const math::Quat about_z = math::from_axis_angle({0, 0, 1}, degrees.z * radians_per_degree);
  return math::normalized(about_z * about_y * about_x);
}

}  // namespace

std::string Path::text() const {
  std::string out = parent_ == nullptr ? "" : parent_->text();
  if (index_ != no_index) return out + "[" + std::to_string(index_) + "]";
  if (name_.empty()) return out;
  return out + (out.empty() ? "" : ".") + std::string(name_);
}

std::string shown(double value) {
  return shortest(value);
}

std::string shown(float value) {
  return shortest(value);
}

void ValueReader::fail(const Path& path, std::string message) {
  if (!error_) error_ = SceneError{{}, 0, 0, path.text(), std::move(message)};
}

void ValueReader::fail_range(const Path& path, Range range, double value, std::string_view kind) {
  const std::string actual = std::isnan(value)      ? "not a number"
                             : std::isfinite(value) ? shown(value)
                             : value > 0            ? "too large"
                                                    : "too small";
  fail(path, "must be " + std::string(kind) + accepted(range) + ", is " + actual);
}

double ValueReader::checked(double value, const Path& path, Range range) {
  const bool is_above = range.is_low_excluded ? value > range.low : value >= range.low;
  // NaN fails the comparisons.
  if (is_above && value >= range.least && value <= range.high)
    return value + 0.0;  // −0 becomes 0, so that equal content has equal hashes
  fail_range(path, range, value);
  return range.high;
}

std::optional<float> ValueReader::optional_number(std::optional<double> value, const Path& path,
                                                  Range range) {
  if (!value) return std::nullopt;
  const auto narrow = static_cast<float>(checked(*value, path, range));
  // A small positive double may round to zero in float.
  if (range.is_low_excluded && static_cast<double>(narrow) <= range.low)
    fail_range(path, range, *value);
  return narrow;
}

float ValueReader::number(std::optional<double> value, const Path& path, Range range,
                          float fallback) {
  return optional_number(value, path, range).value_or(fallback);
}

std::uint64_t ValueReader::whole_number(std::optional<double> value, const Path& path, Range range,
                                        std::uint64_t fallback) {
  if (!value) return fallback;
  const double good = checked(*value, path, range);
  if (good != std::floor(good)) fail_range(path, range, good, "a whole number ");
  return static_cast<std::uint64_t>(std::floor(good));
}

bool ValueReader::has_count(const Numbers* numbers, const Path& path, std::size_t count) {
  if (numbers->size() == count) return true;
  fail(path,
       "must have " + std::to_string(count) + " numbers, has " + std::to_string(numbers->size()));
  return false;
}

math::Vec3 ValueReader::vector(const Numbers* numbers, const Path& path, Range range,
                               math::Vec3 fallback) {
  if (numbers == nullptr || !has_count(numbers, path, 3)) return fallback;
  std::array<float, 3> values{};
  for (flatbuffers::uoffset_t i = 0; i < 3; ++i)
    values[i] = number(numbers->Get(i), path.entry(i), range, 0.0f);
  return {values[0], values[1], values[2]};
}

math::Position ValueReader::position(const Numbers* numbers, const Path& path,
                                     math::Position fallback) {
  if (numbers == nullptr || !has_count(numbers, path, 3)) return fallback;
  std::array<double, 3> values{};
  for (flatbuffers::uoffset_t i = 0; i < 3; ++i)
    values[i] = checked(numbers->Get(i), path.entry(i), coordinate_range);
  return {values[0], values[1], values[2]};
}

math::Quat ValueReader::rotation(const Numbers* quaternion, const Numbers* degrees,
                                 const Path& path, math::Quat fallback) {
  if (quaternion != nullptr && degrees != nullptr) {
    fail(path.field("rotation_degrees"), "cannot be combined with rotation; give one of them");
    return fallback;
  }
  if (degrees != nullptr)
    return from_degrees(vector(degrees, path.field("rotation_degrees"), degree_range, {}));
  if (quaternion == nullptr) return fallback;

  const Path own = path.field("rotation");
  if (!has_count(quaternion, own, 4)) return fallback;
  std::array<float, 4> values{};
  for (flatbuffers::uoffset_t i = 0; i < 4; ++i)
    values[i] = number(quaternion->Get(i), own.entry(i), within(1000), 0.0f);
  const math::Quat q{values[0], values[1], values[2], values[3]};
  if (dot(q, q) < min_quaternion_squared) {
    fail(own, "must not be zero; no rotation is [0, 0, 0, 1]");
    return fallback;
  }
  return math::normalized(q);
}

std::string ValueReader::line(const flatbuffers::String* text, const Path& path,
                              std::size_t max_bytes) {
  if (text == nullptr) return "";
  std::string out = text->str();
  if (out.empty()) fail(path, "must not be empty");
  if (out.size() > max_bytes) {
    fail(path, "must have at most " + std::to_string(max_bytes) + " bytes, has " +
                   std::to_string(out.size()));
  }
  if (std::any_of(out.begin(), out.end(), is_control))
    fail(path, "must not contain control characters");
  return out;
}

std::string ValueReader::name(const flatbuffers::String* text, const Path& path) {
  std::string name = line(text, path, max_scene_name_bytes);
  if (text == nullptr || has_failed()) return name;
  if (std::string fault = base::visible_name_fault(name); !fault.empty())
    fail(path, std::move(fault));
  return name;
}

}  // namespace jostle::scene::detail
