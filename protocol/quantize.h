#pragma once

#include "shared/state/snapshot.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::protocol {

/// Steps per metre of a position on the wire.
inline constexpr int position_steps_per_metre = 512;
/// Bits of each of the three smaller quaternion components, and their largest value.
inline constexpr int rotation_bits = 9;
inline constexpr int rotation_max = (1 << rotation_bits) - 1;

/// A pose as the wire carries it ("smallest three": Fiedler, "Snapshot Compression", 2015):
/// integers only, so that both ends hold the same world exactly.
struct QuantizedBody {
  std::array<std::int32_t, 3> position{};   // 1/512 m
  std::uint8_t largest = 3;                 // index of the dropped component of x, y, z, w
  std::array<std::uint16_t, 3> smallest{};  // 0..rotation_max, the others in order
  bool is_awake = true;

  bool operator==(const QuantizedBody&) const = default;
};

/// `bodies[i]` belongs to the i-th body of world revision `world_revision` that is not static, by
/// id.
struct QuantizedSnapshot {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<state::BodyId> ids;  // sorted
  std::vector<QuantizedBody> bodies;

  bool operator==(const QuantizedSnapshot&) const = default;
};

/// Positions beyond ±4,194,303 m are clamped there. The error is at most 1/1024 m per axis; the
/// angle between a rotation and its image is bounded by the constant that tests/protocol asserts.
QuantizedBody quantize(const math::Pose& pose, bool is_awake);
QuantizedSnapshot quantize(const state::Snapshot& snapshot);
math::Pose dequantize(const QuantizedBody& body);

/// Of tick, revision, ids and bodies: what server and clients print to be compared.
std::uint64_t hash(const QuantizedSnapshot& snapshot);

}  // namespace jostle::protocol
