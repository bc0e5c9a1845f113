#include "protocol/precise/precise_codec.h"

#include "protocol/detail/smallest_three.h"
#include "protocol/precise/detail/adaptive_coder.h"
#include "shared/base/assert.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace jostle::protocol::precise {
namespace {

using detail::BitModel;
using detail::DifferenceModel;
using math::Vec3;

/// Extrapolates a body by its velocities; a sleeping body is returned unchanged. Values that would
/// become infinite or NaN are left unchanged.
state::BodyState carried(const state::BodyState& body, float seconds) {
  if (!body.is_awake) return body;
  state::BodyState next = body;
  const Vec3 step = body.linear_velocity * seconds;
  const Vec3 half = body.angular_velocity * (0.5f * seconds);
  const math::Quat& q = body.pose.rotation;
  const math::Quat spin = math::Quat{half.x, half.y, half.z, 0.0f} * q;
  const math::Quat turned =
      math::normalized({q.x + spin.x, q.y + spin.y, q.z + spin.z, q.w + spin.w});
  if (math::is_finite(step)) next.pose.position = body.pose.position + step;
  if (math::is_finite(spin) && math::is_finite(turned)) next.pose.rotation = turned;
  return next;
}

/// Conversion of bodies to columns of integers, for each profile.
struct FineColumns {
  using Body = FineBody;
  using Row = std::array<std::int64_t, 12>;
  using Coding = protocol::detail::SmallestThreeCoding<fine_rotation_bits>;
  static constexpr bool has_largest = true;

  /// Returns the expected row, with the rotation's components other than `largest`.
  static Row expected(const Body& baseline, float seconds, std::uint8_t largest) {
    const state::BodyState next = carried(from_fine(baseline), seconds);
    Body body = to_fine(next).value_or(baseline);
    if (!baseline.is_awake) body = baseline;
    if (body.largest != largest)
      body.smallest = Coding::pack_without(next.pose.rotation, largest).smallest;
    return row_of(body);
  }
  static std::uint8_t expected_largest(const Body& baseline, float seconds) {
    if (!baseline.is_awake) return baseline.largest & 3U;
    return Coding::pack(carried(from_fine(baseline), seconds).pose.rotation).largest;
  }
  static Row row_of(const Body& body) {
    Row row{};
    for (std::size_t i = 0; i < 3; ++i) {
      row[i] = body.position[i];
      row[3 + i] = body.smallest[i];
      row[6 + i] = body.linear_velocity[i];
      row[9 + i] = body.angular_velocity[i];
    }
    return row;
  }
  static std::optional<Body> body_of(const Row& row, std::uint8_t largest) {
    constexpr auto farthest = static_cast<std::int64_t>(max_fine) * fine_steps;
    Body body;
    body.largest = largest;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_rotation = i / 3 == 1;
      if (is_rotation ? row[i] < 0 || row[i] >= 1 << fine_rotation_bits
                      : row[i] < -farthest || row[i] > farthest)
        return std::nullopt;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      body.position[i] = static_cast<std::int32_t>(row[i]);
      body.smallest[i] = static_cast<std::uint16_t>(row[3 + i]);
      body.linear_velocity[i] = static_cast<std::int32_t>(row[6 + i]);
      body.angular_velocity[i] = static_cast<std::int32_t>(row[9 + i]);
    }
    return body;
  }
};

struct ExactColumns {
  using Body = LosslessBody;
  using Row = std::array<std::int64_t, 13>;
  static constexpr bool has_largest = false;

  static Row expected(const Body& baseline, float seconds, std::uint8_t /*largest*/) {
    const auto state = from_exact(baseline);
    if (!state) return row_of(baseline);
    return row_of(to_exact(carried(*state, seconds)).value_or(baseline));
  }
  static Row row_of(const Body& body) {
    Row row{};
    for (std::size_t i = 0; i < 3; ++i) {
      row[i] = body.position[i];
      row[7 + i] = body.linear_velocity[i];
      row[10 + i] = body.angular_velocity[i];
    }
    for (std::size_t i = 0; i < 4; ++i)
      row[3 + i] = body.rotation[i];
    return row;
  }
  static std::optional<Body> body_of(const Row& row, std::uint8_t /*largest*/) {
    using Limits = std::numeric_limits<std::int32_t>;
    for (std::size_t i = 3; i < row.size(); ++i)
      if (row[i] < Limits::min() || row[i] > Limits::max()) return std::nullopt;
    Body body;
    for (std::size_t i = 0; i < 3; ++i) {
      body.position[i] = row[i];
      body.linear_velocity[i] = static_cast<std::int32_t>(row[7 + i]);
      body.angular_velocity[i] = static_cast<std::int32_t>(row[10 + i]);
    }
    for (std::size_t i = 0; i < 4; ++i)
      body.rotation[i] = static_cast<std::int32_t>(row[3 + i]);
    if (!from_exact(body)) return std::nullopt;
    return body;
  }
};

/// Coder of bodies. Encoder and decoder share this code.
template <class Columns, class Coder>
class BodyCoder {
 public:
  using Body = typename Columns::Body;
  using Row = typename Columns::Row;

  BodyCoder(Coder& coder, float seconds) : coder_(coder), seconds_(seconds) {}

  /// Codes one body; a decoder sets it. Returns false if the decoded numbers are not a valid body.
  bool code(Body& body, const Body& baseline) {
    const int state = (baseline.is_awake ? 1 : 0) + (last_changed_ ? 2 : 0);
    last_changed_ = coder_.bit(changed_[static_cast<std::size_t>(state)], !(body == baseline));
    if (!last_changed_) {
      body = baseline;
      return true;
    }
    const bool is_awake = coder_.bit(awake_[baseline.is_awake ? 1 : 0], body.is_awake);
    std::uint8_t largest = 0;
    if constexpr (Columns::has_largest) {
      const std::uint8_t expected = Columns::expected_largest(baseline, seconds_);
      largest = body.largest;
      if (coder_.bit(other_largest_, largest != expected)) {
        largest = static_cast<std::uint8_t>(coder_.even(largest, 2));
      } else {
        largest = expected;
      }
    }
    Row row = Columns::row_of(body);
    const Row expected = Columns::expected(baseline, seconds_, largest);
    unsigned bits = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::int64_t difference = wrapped(row[i], expected[i], false);
      bits = columns_[i].code(coder_, bits, difference);
      row[i] = wrapped(expected[i], difference, true);
    }
    if constexpr (Coder::decodes) {
      const auto found = Columns::body_of(row, largest);
      if (!found) return false;
      body = *found;
      body.is_awake = is_awake;
    }
    return true;
  }

 private:
  /// Returns a + b or a - b, modulo 2^64.
  static std::int64_t wrapped(std::int64_t a, std::int64_t b, bool adds) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    return static_cast<std::int64_t>(adds ? ua + ub : ua - ub);
  }

  Coder& coder_;
  float seconds_;
  bool last_changed_ = false;
  std::array<BitModel, 4> changed_{};
  std::array<BitModel, 2> awake_{};
  BitModel other_largest_;
  std::array<DifferenceModel, std::tuple_size_v<Row>> columns_{};
};

template <class Columns>
using BodyOf = typename Columns::Body;

template <class Columns>
void check(std::size_t count, const Reference<BodyOf<Columns>>& reference) {
  JOSTLE_ASSERT(reference.baseline.empty() || reference.baseline.size() == count);
  JOSTLE_ASSERT(reference.age_seconds >= 0.0f && reference.age_seconds <= max_age_seconds);
  JOSTLE_ASSERT(count <= max_precise_bodies);
}

template <class Columns>
std::vector<std::byte> encode_as(std::span<const BodyOf<Columns>> bodies,
                                 const Reference<BodyOf<Columns>>& reference) {
  check<Columns>(bodies.size(), reference);
  detail::AdaptiveEncoder coder;
  BodyCoder<Columns, detail::AdaptiveEncoder> body_coder(coder, reference.age_seconds);
  const BodyOf<Columns> resting;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    BodyOf<Columns> body = bodies[i];
    body_coder.code(body, reference.baseline.empty() ? resting : reference.baseline[i]);
  }
  return coder.take();
}

template <class Columns>
base::Result<std::vector<BodyOf<Columns>>, DecodeError> decode_as(
    std::span<const std::byte> bytes, std::size_t count,
    const Reference<BodyOf<Columns>>& reference) {
  check<Columns>(count, reference);
  detail::AdaptiveDecoder coder(bytes);
  BodyCoder<Columns, detail::AdaptiveDecoder> body_coder(coder, reference.age_seconds);
  const BodyOf<Columns> resting;
  std::vector<BodyOf<Columns>> bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_body =
        body_coder.code(bodies[i], reference.baseline.empty() ? resting : reference.baseline[i]);
    if (!is_body || !coder.is_sound()) return DecodeError::OutOfRange;
  }
  if (!coder.is_whole()) return DecodeError::Malformed;
  return bodies;
}

}  // namespace

std::vector<std::byte> encode(std::span<const FineBody> bodies,
                              const Reference<FineBody>& reference) {
  return encode_as<FineColumns>(bodies, reference);
}
std::vector<std::byte> encode(std::span<const LosslessBody> bodies,
                              const Reference<LosslessBody>& reference) {
  return encode_as<ExactColumns>(bodies, reference);
}

base::Result<std::vector<FineBody>, DecodeError> decode(std::span<const std::byte> bytes,
                                                        std::size_t count,
                                                        const Reference<FineBody>& reference) {
  return decode_as<FineColumns>(bytes, count, reference);
}
base::Result<std::vector<LosslessBody>, DecodeError> decode(
    std::span<const std::byte> bytes, std::size_t count, const Reference<LosslessBody>& reference) {
  return decode_as<ExactColumns>(bytes, count, reference);
}

}  // namespace jostle::protocol::precise
