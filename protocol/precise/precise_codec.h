#pragma once

#include "protocol/decode_error.h"
#include "protocol/precise/exact_body.h"
#include "protocol/precise/fine_body.h"
#include "shared/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::precise {

/// What bodies are coded against.
template <class Body>
struct Reference {
  /// As many as bodies, or none: then against bodies at rest in the origin.
  std::span<const Body> baseline;
  float age_seconds = 0;  // from the baseline to what is coded; 0..max_age_seconds
};
inline constexpr float max_age_seconds = 60;
inline constexpr std::size_t max_precise_bodies = 1U << 20;

/// Profiles fine and lossless, version 1: bodies against where their velocities carry them from the
/// baseline, the differences in an adaptive binary range coder that learns from the bodies before
/// in the same bytes. Bit-exact on every machine, and free of anything that was not acknowledged.
///
/// A body that is still as in the baseline takes some 1/20 bit.
std::vector<std::byte> encode(std::span<const FineBody> bodies,
                              const Reference<FineBody>& reference);
std::vector<std::byte> encode(std::span<const ExactBody> bodies,
                              const Reference<ExactBody>& reference);

/// `count` bodies; those of lossless have finite numbers.
base::Result<std::vector<FineBody>, DecodeError> decode(std::span<const std::byte> bytes,
                                                        std::size_t count,
                                                        const Reference<FineBody>& reference);
base::Result<std::vector<ExactBody>, DecodeError> decode(std::span<const std::byte> bytes,
                                                         std::size_t count,
                                                         const Reference<ExactBody>& reference);

}  // namespace jostle::protocol::precise
