#pragma once

#include "protocol/context/quantized_input.h"
#include "protocol/quantize.h"
#include "shared/base/result.h"
#include "shared/state/snapshot.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace jostle::snapshots {

/// Number of bodies in the public 901-cube frames (Fiedler, "Snapshot Compression", 2015): the
/// player's cube first, then 900 small ones.
inline constexpr std::size_t bodies_per_frame = 901;

using Frame = std::vector<protocol::QuantizedBody>;

/// A sequence of frames, one tick apart.
struct FrameSet {
  std::vector<Frame> frames;  // bodies_per_frame bodies each
  /// The player's input in the tick of each frame. The list is empty for files, which have no
  /// inputs.
  std::vector<protocol::context::QuantizedInput> inputs;
  /// The full states of the bodies in each frame, ordered by id. Only play_with_states() sets them.
  std::vector<std::vector<state::BodyState>> states;
};

// The file format of public snapshot coders. For each frame and body it has eight little-endian
// int32: {largest component of the rotation 0–3, the other three 0–511, position in 1/512 m,
// interacting flag 0/1}. Its z axis points up: our (x, y, z) is its (x, −z, y). Writing a file that
// was read gives the same bytes. In the file, the value 0 of a rotation component lies between two
// steps; in our snapshots, 0 is a step. Converted rotations are therefore wrong by up to one step.

/// Parses a file. The error is one line with the problem and its position.
base::Result<FrameSet, std::string> parse_frames(std::span<const std::byte> bytes);
std::vector<std::byte> write_frames(const FrameSet& set);

/// Returns the number of bodies whose pose in `frame` differs from that in `baseline`.
std::size_t count_changed(const Frame& frame, const Frame& baseline);

}  // namespace jostle::snapshots
