#pragma once

#include "tools/priors/predicted_frames.h"
#include "tools/priors/train_coder.h"
#include "tools/snapshots/frame_set.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::priors {

/// Trains on every `stride`-th frame of all sets. `predicted` has one entry per set; it is empty
/// for codec 2. Returns the number of frames.
template <class Layout>
std::size_t train_pass(TrainCoder<Layout>& coder, const std::vector<snapshots::FrameSet>& sets,
                       const std::vector<PredictedFrames>& predicted, std::size_t stride);

/// The number of frames from the baseline to the frame, and from the previous state to the
/// baseline.
struct Distance {
  std::uint32_t age = 6, gap = 1;
};
/// Returns the distance that is used for a frame. Usually, it is that of a link with 100 ms
/// round-trip time and no loss. Some frames have a shorter or longer distance, and some a longer
/// gap, as after packet loss.
Distance distance_of(std::size_t frame);

/// The first frame to train on. It must be at least the largest `age` + `gap` that distance_of()
/// returns, which is 11.
inline constexpr std::size_t first_frame = 16;

}  // namespace jostle::priors
