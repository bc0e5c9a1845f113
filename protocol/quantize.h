#pragma once

#include "shared/state/snapshot.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::protocol {

/// Steps per metre of a position on the wire.
inline constexpr int position_steps_per_metre = 512;
/// Number of bits of each of the three smallest quaternion components.
inline constexpr int rotation_bits = 9;
/// Maximum code of a quaternion component.
inline constexpr int rotation_max = (1 << rotation_bits) - 1;

/// A quantised pose (rotation as "smallest three": Fiedler, "Snapshot Compression", 2015). It holds
/// only integers, so that both ends have exactly the same state.
struct QuantizedBody {
  std::array<std::int32_t, 3> position{};   // 1/512 m
  std::uint8_t largest = 3;                 // index of the dropped component of x, y, z, w
  std::array<std::uint16_t, 3> smallest{};  // the other components in order, 0..rotation_max
  bool is_awake = true;

  bool operator==(const QuantizedBody&) const = default;
};

/// A quantised snapshot. `bodies[i]` is the i-th moving body of world revision `world_revision`, in
/// the order of ids.
struct QuantizedSnapshot {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<state::BodyId> ids;  // sorted ids
  std::vector<QuantizedBody> bodies;

  bool operator==(const QuantizedSnapshot&) const = default;
};

/// Quantises a pose. Positions beyond ±4,194,303 m are clamped. The error is at most 1/1024 m per
/// axis; the bound of the rotation error is asserted in tests/protocol.
QuantizedBody quantize(const math::Pose& pose, bool is_awake);
QuantizedSnapshot quantize(const state::Snapshot& snapshot);
math::Pose dequantize(const QuantizedBody& body);

/// Returns the hash of tick, revision, ids and bodies, which server and clients log for comparison.
std::uint64_t hash(const QuantizedSnapshot& snapshot);

}  // namespace jostle::protocol
