#pragma once

#include "shared/base/result.h"
#include "shared/sim/simulation.h"
#include "tools/gltf/track.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace jostle::gltf {

/// A run of a simulation as a glTF 2.0 file (Khronos, 2021): y up, metres, a node for each body,
/// and one animation of the moving bodies. Bodies have scale zero before they are created and after
/// they are removed. Positions are 32-bit floats.
class GltfAnimation {
 public:
  /// Adds the state of a tick. Call it for every tick of the animation, in order.
  void add(const sim::Simulation& now);

  /// Returns the number of ticks that were added.
  std::size_t frames() const { return frames_; }
  /// Returns the content of one binary file if `is_binary`, otherwise JSON with embedded data.
  std::string text(bool is_binary) const;

 private:
  std::string name_;
  state::Camera camera_;
  std::vector<Track> tracks_;
  std::map<state::BodyId, std::size_t> open_;  // the tracks of the bodies that exist now
  double first_s_ = 0, last_s_ = 0;
  std::size_t frames_ = 0;
};

}  // namespace jostle::gltf
