#pragma once

#include "client/render/instances.h"

#include <vector>

namespace jostle::bench {

/// A scene with a given number of moving bodies: boxes, balls, capsules and cylinders that move up
/// and down and rotate above a ground. All of them are in view.
class FrameScene {
 public:
  explicit FrameScene(int bodies);

  /// Moves all bodies to their poses at time `seconds`.
  void move_to(float seconds);
  /// Returns the scene to draw. The result is valid until the next move_to().
  render::Picture picture() const;

 private:
  std::vector<state::BodyInfo> infos_;
  std::vector<client::ShownBody> bodies_;
  int columns_;
};

}  // namespace jostle::bench
