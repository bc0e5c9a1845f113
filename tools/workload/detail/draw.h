#pragma once

#include "tools/workload/random.h"
#include "tools/workload/scene.h"

#include <cstdint>

namespace jostle::workload {

// Functions that draw values and shapes, for random scenes and families.

/// Returns a random integer from 0 to `count` − 1.
std::uint32_t pick(Random& random, std::uint32_t count);
/// Returns a random integer from `low` to `high`, both included.
int draw_count(Random& random, int low, int high);
/// Draws a number from `low` to `low`·2^`octaves`, with every octave equally likely, and clamps it
/// to `high`.
float by_octaves(Random& random, float low, std::uint32_t octaves, float high);
math::Vec3 unit_vector(Random& random);
/// Returns a rotation about the y axis.
math::Quat draw_yaw(Random& random);

/// Makes the hull of 8 to 24 random points on an ellipsoid of these half axes.
Shape random_hull(Random& random, math::Vec3 half);
/// Draws a convex shape of any kind. Its extents are from about 0.6·`size` to `size`, in m.
Shape draw_chunk(Random& random, float size);

}  // namespace jostle::workload
