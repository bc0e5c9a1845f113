#pragma once

#include "shared/scene/scene.h"

#include <string>

namespace jostle::priors {

/// The codecs that have priors: codec 2, and codec 3 with a prediction by simulation.
enum class Codec { Plain, Predicted };

/// Number of ticks of each run that the priors of protocol/context were trained on.
inline constexpr int full_ticks = 2'838;
/// Minimum number of ticks of a run, so that frames to learn from remain after `first_frame`.
inline constexpr int least_ticks = 60;

/// Trains on runs of `scene`, which needs a spawn, with seeds that no benchmark uses. Returns the
/// text of a .inc file, the same each time. Prints the progress and the cost of a frame after each
/// pass to stderr.
std::string train_priors(const scene::SceneDef& scene, Codec codec, int ticks);

}  // namespace jostle::priors
