#pragma once

#include "shared/base/result.h"
#include "shared/sim/simulation.h"
#include "tools/gltf/track.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace jostle::gltf {

/// A run of a simulation as glTF 2.0 (Khronos, 2021) has it: y up, metres, a node for each body,
/// one animation with the poses of those that move. Who comes later or goes earlier has the size
/// zero before and after. Positions are 32-bit floats there.
class MovingPicture {
 public:
  /// Every tick that is to be in it, in order.
  void add(const sim::Simulation& now);

  /// One binary file, or JSON with the numbers inside. False: it could not be written.
  bool write(const std::string& path, bool is_binary) const;

 private:
  std::string name_;
  state::Camera camera_;
  std::vector<Track> tracks_;
  std::map<state::BodyId, std::size_t> open_;  // of those that are there now
  double first_s_ = 0, last_s_ = 0;
  bool is_empty_ = true;
};

}  // namespace jostle::gltf
