#pragma once

#include "client/render/camera.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::client_app {

/// Three bytes a pixel (sRGB), top row first.
struct Pixels {
  render::Size size;
  std::vector<std::uint8_t> bytes;
};

/// The rows from `top` on, so many of them.
Pixels rows_of(const Pixels& pixels, int top, int height);

/// How two pictures of one size differ, by means over blocks of 4 × 4 pixels: drivers put edges
/// and letters elsewhere by parts of a pixel.
struct PictureDifference {
  double mean = 0;   // of all blocks, 0..255: of the channel that differs most
  double share = 0;  // 0..1, of blocks that anybody would see to differ
};
/// Up to which share of such blocks pictures are alike: of surfaces and letters; of thin lines,
/// which drivers without samples in a pixel draw otherwise; of meshes of them.
inline constexpr double most_share = 0.003, most_share_of_lines = 0.025, most_share_of_edges = 0.03;
bool is_alike(const PictureDifference& difference, double most_share);

PictureDifference difference_of(const Pixels& a, const Pixels& b);

/// A picture that lacks one of the things that are to be seen.
struct Lacking {
  std::string what;
  Pixels pixels;
};

/// That `drawn` looks like tests/pictures/NAME.png, and each of `lacking` does not: else the
/// picture would say nothing of that thing. Where it does not, what was drawn, what is kept and how
/// they differ lie in `pictures` beside the build. With JOSTLE_NEW_PICTURES=1 in the environment
/// what was drawn is kept from then on.
void expect_kept(const std::string& name, const Pixels& drawn, const std::vector<Lacking>& lacking);
void expect_kept(const std::string& name, const Pixels& drawn, const std::vector<Lacking>& lacking,
                 double most_share);

}  // namespace jostle::client_app
