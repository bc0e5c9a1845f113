#pragma once

#include "tools/priors/foreseen_frames.h"
#include "tools/priors/train_coder.h"
#include "tools/snapshots/frame_set.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::priors {

/// Goes through every `stride`-th frame of all sets. `foreseen` has as many as `sets`, or none.
template <class Layout>
std::size_t train_pass(TrainCoder<Layout>& coder, const std::vector<snapshots::FrameSet>& sets,
                       const std::vector<ForeseenFrames>& foreseen, std::size_t stride);

/// From the baseline to the frame, and from the previous state to the baseline.
struct Distance {
  std::uint32_t age = 6, gap = 1;
};
/// Mostly as on a link of 100 ms where nothing is lost; some are older, some lost.
Distance distance_of(std::size_t frame);

/// The first frame that has all that `distance_of` may ask for before it.
inline constexpr std::size_t first_frame = 16;

}  // namespace jostle::priors
