#pragma once

#include "shared/math/transform.h"
#include "shared/state/world_def.h"

#include <vector>

namespace jostle::gltf {

/// A body while it was there, at times between which it went straight.
class Track {
 public:
  struct Sample {
    float seconds = 0;
    math::Vec3 position;  // m
    math::Quat rotation;
  };

  explicit Track(state::BodyInfo body) : body_(std::move(body)) {}

  /// Contract: later than all before. While it rests there are two samples, of the first moment and
  /// of the last; rotations next to each other are less than half a turn apart as quaternions.
  void add(double seconds, const math::Pose& pose);

  const state::BodyInfo& body() const { return body_; }
  const std::vector<Sample>& samples() const { return samples_; }
  bool has_moved() const;

 private:
  state::BodyInfo body_;
  std::vector<Sample> samples_;
};

}  // namespace jostle::gltf
