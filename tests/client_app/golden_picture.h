#pragma once

#include "client/render/camera.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::client_app {

/// A picture as three bytes per pixel (sRGB), top row first.
struct Pixels {
  render::Size size;
  std::vector<std::uint8_t> bytes;
};

/// Returns `height` rows starting at `top`.
Pixels rows_of(const Pixels& pixels, int top, int height);

/// Difference between two pictures of one size, computed on means of 4 × 4 pixel blocks, because
/// drivers place edges and letters differently by fractions of a pixel.
struct PictureDifference {
  // mean over all blocks of the difference in the block's most different channel, 0..255
  double mean = 0;
  double share = 0;  // fraction of blocks that differ visibly, 0..1
};
/// Maximum fractions of visibly different blocks in pictures that count as equal. The first is for
/// surfaces and letters. The second is for thin lines, which drivers without multisampling draw
/// differently. The third is for meshes of thin lines.
inline constexpr double most_share = 0.003, most_share_of_lines = 0.025, most_share_of_edges = 0.03;
bool is_alike(const PictureDifference& difference, double limit);

PictureDifference difference_of(const Pixels& a, const Pixels& b);

/// A picture in which one of the expected items is missing.
struct Without {
  std::string what;
  Pixels pixels;
};

/// Expects that `drawn` matches tests/pictures/NAME.png, where NAME is `name`. Also expects that no
/// picture of `lacking` matches it: otherwise the golden picture would not test the missing item.
/// On failure, the drawn picture, the golden one and their difference are written to the folder
/// `pictures` of the build. With JOSTLE_NEW_PICTURES=1 in the environment, `drawn` becomes the
/// golden picture.
void expect_golden(const std::string& name, const Pixels& drawn,
                   const std::vector<Without>& lacking);
void expect_golden(const std::string& name, const Pixels& drawn,
                   const std::vector<Without>& lacking, double limit);

}  // namespace jostle::client_app
