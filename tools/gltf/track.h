#pragma once

#include "shared/math/transform.h"
#include "shared/state/world_def.h"

#include <vector>

namespace jostle::gltf {

/// The motion of one body during its lifetime, as samples with linear motion between them.
class Track {
 public:
  struct Sample {
    float seconds = 0;
    math::Vec3 position;  // m
    math::Quat rotation;
  };

  explicit Track(state::BodyInfo body) : body_(std::move(body)) {}

  /// Adds a sample; times must ascend. While the body rests, only the first and the last sample are
  /// kept. Successive quaternions have a non-negative dot product.
  void add(double seconds, const math::Pose& pose);

  const state::BodyInfo& body() const { return body_; }
  const std::vector<Sample>& samples() const { return samples_; }
  bool has_moved() const;

 private:
  state::BodyInfo body_;
  std::vector<Sample> samples_;
};

}  // namespace jostle::gltf
