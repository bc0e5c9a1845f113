#pragma once

#include "shared/scene/scene.h"

namespace jostle::scene {

/// Returns a lower bound of the distance between the two closest bodies, in m. A negative value is
/// a bound of the depth of the deepest overlap. The sign is exact for boxes and spheres; for other
/// shapes, the result may be an overlap although there is a small gap. Pairs whose bounding spheres
/// do not overlap, sensors, pairs without a dynamic body, and pairs with a joint that excludes
/// their collision do not count. If no pair counts, the result is the largest float.
float smallest_separation(const SceneDef& scene);

/// Returns the height of the lowest point of a body's shapes, except planes, in m.
double lowest_point(const SceneBody& body);

}  // namespace jostle::scene
