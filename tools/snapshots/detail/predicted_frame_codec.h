#pragma once

#include "shared/scene/scene.h"
#include "tools/snapshots/frame_codec.h"

#include <memory>

namespace jostle::snapshots::detail {

/// Makes codec v3: encoder and decoder both simulate the scene
/// (shared/prediction_baseline/prediction_baseline.h).
std::unique_ptr<FrameCodec> make_predicted_codec(const scene::SceneDef& scene);

}  // namespace jostle::snapshots::detail
