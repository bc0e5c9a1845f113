#pragma once

#include "protocol/decode_error.h"
#include "protocol/precise/fine_body.h"
#include "protocol/precise/lossless_body.h"
#include "shared/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::precise {

/// The baseline that bodies are encoded against.
template <class Body>
struct Reference {
  /// States of the bodies in the baseline, one per body. If empty, the baseline is a body at rest
  /// at the origin, for every body.
  std::span<const Body> baseline;
  float age_seconds = 0;  // time from the baseline to the encoded state; 0..max_age_seconds
};
inline constexpr float max_age_seconds = 60;
inline constexpr std::size_t max_precise_bodies = 1U << 20;

/// Encodes bodies in profile fine or lossless. Velocities extrapolate each body from the baseline.
/// The differences are coded with an adaptive binary range coder that learns from the preceding
/// bodies of the same call. The result is bit-exact on every machine and depends only on the
/// arguments.
///
/// A body that has not changed since the baseline takes a small fraction of a bit, if most other
/// bodies have not changed either.
std::vector<std::byte> encode(std::span<const FineBody> bodies,
                              const Reference<FineBody>& reference);
std::vector<std::byte> encode(std::span<const LosslessBody> bodies,
                              const Reference<LosslessBody>& reference);

/// Decodes `count` bodies. The numbers in lossless bodies are finite.
base::Result<std::vector<FineBody>, DecodeError> decode(std::span<const std::byte> bytes,
                                                        std::size_t count,
                                                        const Reference<FineBody>& reference);
base::Result<std::vector<LosslessBody>, DecodeError> decode(
    std::span<const std::byte> bytes, std::size_t count, const Reference<LosslessBody>& reference);

}  // namespace jostle::protocol::precise
