#pragma once

#include "client/render/instances.h"

#include <vector>

namespace jostle::bench {

/// So many bodies that all move: boxes, balls, capsules and cylinders that bob and turn over a
/// ground, all of them in the picture.
class FrameScene {
 public:
  explicit FrameScene(int bodies);

  /// Where all of them are at that time, in seconds.
  void move_to(float seconds);
  /// Valid until the next move_to().
  render::Picture picture() const;

 private:
  std::vector<state::BodyInfo> infos_;
  std::vector<client::ShownBody> bodies_;
  int columns_;
};

}  // namespace jostle::bench
