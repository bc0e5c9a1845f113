#include "tests/client_app/golden_picture.h"

#include "client/render/screenshot.h"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace jostle::client_app {
namespace {

constexpr int block_side = 4;
constexpr double seen_difference = 12;
constexpr double most_mean = 1.5;

std::size_t index_of(const Pixels& pixels, int x, int y) {
  return (static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.size.width) +
          static_cast<std::size_t>(x)) *
         3;
}

/// Returns the mean of a channel in the block whose upper left corner is (`left`, `top`). Blocks at
/// the right and lower edges may be smaller.
double mean_of(const Pixels& pixels, int left, int top, std::size_t channel) {
  const int right = std::min(left + block_side, pixels.size.width);
  const int bottom = std::min(top + block_side, pixels.size.height);
  int sum = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x)
      sum += pixels.bytes[index_of(pixels, x, y) + channel];
  return static_cast<double>(sum) / ((right - left) * (bottom - top));
}

double block_difference(const Pixels& a, const Pixels& b, int left, int top) {
  double most = 0;
  for (std::size_t channel = 0; channel < 3; ++channel)
    most =
        std::max(most, std::abs(mean_of(a, left, top, channel) - mean_of(b, left, top, channel)));
  return most;
}

std::optional<Pixels> read_picture(const std::filesystem::path& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return std::nullopt;
  image.format = PNG_FORMAT_RGB;
  Pixels pixels;
  pixels.size = {static_cast<int>(image.width), static_cast<int>(image.height)};
  pixels.bytes.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, pixels.bytes.data(), 0, nullptr) == 0)
    return std::nullopt;
  return pixels;
}

void write_picture(const std::filesystem::path& path, const Pixels& pixels) {
  std::filesystem::create_directories(path.parent_path());
  const auto png = render::encode_png(pixels.bytes, pixels.size);
  ASSERT_TRUE(png) << png.error();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(png->data()), static_cast<std::streamsize>(png->size()));
  ASSERT_TRUE(file.good()) << "cannot write " << path;
}

/// Returns the difference of two pictures: grey where they are equal, differences amplified four
/// times.
Pixels picture_of_difference(const Pixels& a, const Pixels& b) {
  Pixels made{a.size, std::vector<std::uint8_t>(a.bytes.size())};
  for (std::size_t i = 0; i < a.bytes.size(); ++i)
    made.bytes[i] = static_cast<std::uint8_t>(
        std::clamp(128 + 4 * (int{a.bytes[i]} - int{b.bytes[i]}), 0, 255));
  return made;
}

std::string words_of(const PictureDifference& difference, double limit) {
  return "mean " + std::to_string(difference.mean) + " of 255, at most " +
         std::to_string(most_mean) + "; " + std::to_string(difference.share * 100) +
         " % of the blocks differ visibly, at most " + std::to_string(limit * 100) + " %";
}

void report(const std::string& name, const Pixels& drawn, const Pixels& kept, double limit) {
  const std::filesystem::path folder = JOSTLE_BUILD_DIR "/pictures";
  write_picture(folder / (name + "-drawn.png"), drawn);
  write_picture(folder / (name + "-golden.png"), kept);
  write_picture(folder / (name + "-difference.png"), picture_of_difference(drawn, kept));
  ADD_FAILURE() << name << " differs from the golden picture: "
                << words_of(difference_of(drawn, kept), limit) << ".\nLook at "
                << (folder / name).string()
                << "-drawn.png, -golden.png and -difference.png; if the new look is intended, "
                   "update it with JOSTLE_NEW_PICTURES=1 (tests/pictures/README.md)";
}

}  // namespace

Pixels rows_of(const Pixels& pixels, int top, int height) {
  const auto from = pixels.bytes.begin() + static_cast<std::ptrdiff_t>(index_of(pixels, 0, top));
  const auto to =
      pixels.bytes.begin() + static_cast<std::ptrdiff_t>(index_of(pixels, 0, top + height));
  return {{pixels.size.width, height}, {from, to}};
}

bool is_alike(const PictureDifference& difference, double limit) {
  return difference.mean <= most_mean && difference.share <= limit;
}

PictureDifference difference_of(const Pixels& a, const Pixels& b) {
  PictureDifference difference;
  double blocks = 0;
  for (int top = 0; top < a.size.height; top += block_side) {
    for (int left = 0; left < a.size.width; left += block_side, ++blocks) {
      const double here = block_difference(a, b, left, top);
      difference.mean += here;
      difference.share += here > seen_difference ? 1 : 0;
    }
  }
  difference.mean /= blocks;
  difference.share /= blocks;
  return difference;
}

void expect_golden(const std::string& name, const Pixels& drawn,
                   const std::vector<Without>& lacking) {
  expect_golden(name, drawn, lacking, most_share);
}

void expect_golden(const std::string& name, const Pixels& drawn,
                   const std::vector<Without>& lacking, double limit) {
  const auto path = std::filesystem::path(JOSTLE_SOURCE_DIR "/tests/pictures") / (name + ".png");
  const char* const is_new = std::getenv("JOSTLE_NEW_PICTURES");
  if (is_new != nullptr && std::strcmp(is_new, "1") == 0) write_picture(path, drawn);
  const auto kept = read_picture(path);
  ASSERT_TRUE(kept) << "there is no golden picture " << path
                    << "; create it with JOSTLE_NEW_PICTURES=1";
  ASSERT_EQ(kept->size, drawn.size) << path;
  const PictureDifference difference = difference_of(drawn, *kept);
  if (!is_alike(difference, limit)) report(name, drawn, *kept, limit);
  EXPECT_FALSE(lacking.empty()) << name << " lists no item whose absence must be visible";
  testing::Test::RecordProperty(name, std::to_string(difference.share * 100) + " %");
  for (const Without& each : lacking) {
    ASSERT_EQ(each.pixels.size, drawn.size);
    const PictureDifference without = difference_of(each.pixels, *kept);
    EXPECT_FALSE(is_alike(without, limit))
        << name << " looks the same without " << each.what << ": " << words_of(without, limit);
    testing::Test::RecordProperty(name + " without " + each.what,
                                  std::to_string(without.share * 100) + " %");
  }
}

}  // namespace jostle::client_app
