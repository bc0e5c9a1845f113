#pragma once

#include "client/client.h"

#include <vector>

namespace jostle::render {

/// Bodies as a client would display them, without a client.
class FakeScene {
 public:
  /// Creates a scene with a ground plane at y = 0 around `origin`.
  explicit FakeScene(math::Position origin);

  state::BodyInfo& add(state::Shape shape, math::Vec3 offset, math::Quat rotation,
                       state::MotionType motion, state::Colour colour);
  /// Adds a pile of crates, balls and capsules, some in the air, some asleep, with one player.
  void add_heap(int count);

  /// Returns the bodies. Call it after the last add(): ids count up from 1.
  std::vector<client::ShownBody> shown() const;
  math::Position origin() const { return origin_; }

 private:
  math::Position origin_;
  std::vector<state::BodyInfo> infos_;
};

}  // namespace jostle::render
