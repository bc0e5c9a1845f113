#pragma once

#include "shared/scene/scene.h"

#include <string>

namespace jostle::priors {

/// The codecs that have priors: v2, and v3 which foresees.
enum class Codec { Plain, Foreseen };

/// Ticks of each run that the priors of protocol/context were trained on.
inline constexpr int full_ticks = 2'838;
/// The fewest that leave frames to learn from behind `first_frame`.
inline constexpr int least_ticks = 60;

/// Trains on runs of `scene`, which has spawns, by seeds that no score uses: the text of a .inc
/// file, the same each time. Says on stderr how far it is, and what a frame costs after each pass.
std::string train_priors(const scene::SceneDef& scene, Codec codec, int ticks);

}  // namespace jostle::priors
