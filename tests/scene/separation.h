#pragma once

#include "shared/scene/scene.h"

namespace jostle::scene {

/// A lower bound of the distance between the two closest bodies, in metres; below zero: the depth
/// of the deepest overlap at most. Exact for boxes and spheres; for capsules it may report overlap
/// where there is a small gap. Pairs of which neither is dynamic do not count.
float smallest_separation(const SceneDef& scene);

/// The height of the lowest point of a body's shapes, planes left out, in metres.
double lowest_point(const SceneBody& body);

}  // namespace jostle::scene
