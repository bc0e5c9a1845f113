#pragma once

#include "client/client.h"

#include <vector>

namespace jostle::render {

/// Bodies as a client would display them, without a client.
class FakeScene {
 public:
  /// Creates a scene with a horizontal ground plane through `origin`. The offsets of bodies are
  /// relative to `origin`.
  explicit FakeScene(math::Position origin);

  state::BodyInfo& add(state::Shape shape, math::Vec3 offset, math::Quat rotation,
                       state::MotionType motion, state::Colour colour);
  /// Adds a static beam, a stack of 14 crates, `count` random crates, balls and capsules, some of
  /// them in the air, and one player's ball.
  void add_heap(int count);

  /// Returns the bodies, with ids that count up from 1. Every fifth body is asleep. A later add()
  /// invalidates the result.
  std::vector<client::ShownBody> shown() const;
  math::Position origin() const { return origin_; }

 private:
  math::Position origin_;
  std::vector<state::BodyInfo> infos_;
};

}  // namespace jostle::render
