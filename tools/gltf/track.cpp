#include "tools/gltf/track.h"

#include "shared/base/assert.h"

#include <algorithm>

namespace jostle::gltf {
namespace {

bool is_same_place(const Track::Sample& a, const Track::Sample& b) {
  return a.position == b.position && a.rotation == b.rotation;
}

}  // namespace

void Track::add(double seconds, const math::Pose& pose) {
  Sample sample{static_cast<float>(seconds),
                {static_cast<float>(pose.position.x), static_cast<float>(pose.position.y),
                 static_cast<float>(pose.position.z)},
                pose.rotation};
  if (samples_.empty()) {
    samples_.push_back(sample);
    return;
  }
  const Sample& last = samples_.back();
  JOSTLE_ASSERT(sample.seconds > last.seconds);
  const math::Quat &q = sample.rotation, &p = last.rotation;
  // q and −q are the same rotation. Choose the sign that is nearer to the last sample, because
  // viewers interpolate the four numbers.
  if (math::dot(q, p) < 0) sample.rotation = {-q.x, -q.y, -q.z, -q.w};
  const bool is_resting = samples_.size() > 1 &&
                          is_same_place(samples_[samples_.size() - 2], last) &&
                          is_same_place(last, sample);
  if (is_resting) {
    samples_.back().seconds = sample.seconds;
  } else {
    samples_.push_back(sample);
  }
}

bool Track::has_moved() const {
  return std::any_of(samples_.begin(), samples_.end(),
                     [&](const Sample& one) { return !is_same_place(one, samples_.front()); });
}

}  // namespace jostle::gltf
