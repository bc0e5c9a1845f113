#include "client/render/screenshot.h"

#include "shared/base/assert.h"
#include "shared/base/file_name.h"

#include <png.h>

#include <array>
#include <cstdio>

namespace jostle::render {

base::Result<std::vector<std::byte>, std::string> encode_png(std::span<const std::uint8_t> pixels,
                                                             Size size) {
  JOSTLE_ASSERT(size.width > 0 && size.height > 0);
  JOSTLE_ASSERT(pixels.size() ==
                static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 3);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(size.width);
  image.height = static_cast<png_uint_32>(size.height);
  image.format = PNG_FORMAT_RGB;

  std::vector<std::byte> bytes(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t used = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &used, 0, pixels.data(), 0, nullptr) == 0) {
    return std::string(&image.message[0]);
  }
  bytes.resize(used);
  return bytes;
}

base::Result<PngPicture, std::string> decode_png(std::span<const std::byte> bytes, int max_side) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
    return std::string(&image.message[0]);
  const auto most = static_cast<png_uint_32>(max_side);
  if (image.width > most || image.height > most) {
    png_image_free(&image);
    return "larger than " + std::to_string(max_side) + " pixels";
  }
  image.format = PNG_FORMAT_RGB;
  PngPicture picture{{static_cast<int>(image.width), static_cast<int>(image.height)}, {}};
  picture.pixels.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0)
    return std::string(&image.message[0]);
  return picture;
}

std::string describe(Size size) {
  return std::to_string(size.width) + " x " + std::to_string(size.height) + " pixels";
}

std::string picture_fault(const std::string& path) {
  if (base::has_ending(path, ".png")) return {};
  return "'" + path + "' does not end with .png; did you mean '" + path + ".png'?";
}

std::string frame_path(const std::string& folder, std::uint64_t number) {
  std::array<char, 40> name{};
  std::snprintf(name.data(), name.size(), "/frame-%06llu.png",
                static_cast<unsigned long long>(number));
  return folder + name.data();
}

std::optional<std::string> save_png(net::Io& io, const std::string& path,
                                    std::span<const std::uint8_t> pixels, Size size) {
  const auto png = encode_png(pixels, size);
  if (!png) return "cannot encode the screenshot: " + png.error();
  if (const auto written = io.write_file(path, *png); !written)
    return "cannot write '" + path + "': " + std::string(net::describe(written.error()));
  return std::nullopt;
}

}  // namespace jostle::render
