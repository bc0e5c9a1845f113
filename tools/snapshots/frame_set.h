#pragma once

#include "protocol/context/held_input.h"
#include "protocol/quantize.h"
#include "shared/base/result.h"
#include "shared/state/snapshot.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace jostle::snapshots {

/// Bodies of the public 901-cube frames (Fiedler, "Snapshot Compression", 2015): the player's cube
/// first, then 900 small ones.
inline constexpr std::size_t bodies_per_frame = 901;

using Frame = std::vector<protocol::QuantizedBody>;

/// Frames one tick apart.
struct FrameSet {
  std::vector<Frame> frames;  // bodies_per_frame bodies each
  /// What the player held in the tick of each frame; none of files, which do not tell.
  std::vector<protocol::context::HeldInput> inputs;
  /// The frames as the engine has them, by id; only where they were asked for.
  std::vector<std::vector<state::BodyState>> states;
};

// The file that public snapshot coders read and write: for each frame and body eight little-endian
// int32, {largest component of the rotation 0–3, the other three 0–511, position in 1/512 m,
// whether the body interacts 0/1}. Its z axis points up: our (x, y, z) is its
// (x, −z, y). Every file comes back as it was; but of a rotation's components 0 lies between two of
// its steps and on one of ours, so that rotations are turned by up to a step.

/// The error is one line that says what and where.
base::Result<FrameSet, std::string> parse_frames(std::span<const std::byte> bytes);
std::vector<std::byte> write_frames(const FrameSet& set);

/// Poses of `frame` that are not those of `baseline`.
std::size_t count_changed(const Frame& frame, const Frame& baseline);

}  // namespace jostle::snapshots
