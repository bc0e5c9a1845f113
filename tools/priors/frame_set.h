#pragma once

#include "protocol/context/held_input.h"
#include "protocol/context/references.h"
#include "protocol/quantize.h"
#include "shared/scene/scene.h"

#include <string>
#include <vector>

namespace jostle::priors {

/// States of the same bodies in successive ticks; the first body is the player's.
struct FrameSet {
  std::vector<std::vector<protocol::QuantizedBody>> frames;
  /// What the player held in each; none of files.
  std::vector<protocol::context::HeldInput> inputs;
};

/// The two kinds of body of the 901-cube scene, the player's cube first.
std::vector<protocol::context::BodyFacts> facts_of_cubes(std::size_t count);

/// The format of the public coders of the 901-cube scene: per body eight little-endian int32,
/// largest component, three components 0..511, position (z up) in 1/512 m, interacting. Our y is
/// up: (x, y, z) is written as (x, -z, y). Ends the program when the file cannot be read or
/// written.
FrameSet read_frames(const std::string& path);
void write_frames(const FrameSet& set, const std::string& path);

/// The scene with its bodies further apart or nearer. Ends the program when it is none.
scene::SceneDef read_scene(const std::string& path, double spacing);

/// A run of the scene with one player that acts by the seed; `activity` 0..2. With
/// `keeps_interacting`, awake stands for "interacting": until 100 ticks after a body fell asleep.
FrameSet make_frames(const std::string& scene_path, double spacing, std::uint64_t seed,
                     int activity, int ticks, bool keeps_interacting);

}  // namespace jostle::priors
