#pragma once

#include "client/render/camera.h"
#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::render {

/// Encodes 8-bit sRGB pixels as a PNG: three bytes per pixel, top row first. The error is libpng's
/// message. Contract: pixels.size() is width · height · 3.
base::Result<std::vector<std::byte>, std::string> encode_png(std::span<const std::uint8_t> pixels,
                                                             Size size);
/// A decoded picture: rows from the top, with one byte each for red, green and blue per pixel.
struct PngPicture {
  Size size;
  std::vector<std::uint8_t> pixels;
};
/// Decodes a PNG. The error says what is wrong, or that a side is longer than `max_side`.
base::Result<PngPicture, std::string> decode_png(std::span<const std::byte> bytes, int max_side);

/// Saves pixels as a PNG file. Returns an error message, or nothing on success.
std::optional<std::string> save_png(net::Io& io, const std::string& path,
                                    std::span<const std::uint8_t> pixels, Size size);
/// Returns e.g. "640 x 360 pixels".
std::string describe(Size size);
/// Returns an error if the name of a picture to write does not end in .png, in upper or lower case,
/// or an empty string. Pictures replace existing files, so the ending protects other files.
std::string picture_fault(const std::string& path);
/// Returns the path of a frame in a folder, such as "FOLDER/frame-000001.png".
std::string frame_path(const std::string& folder, std::uint64_t number);

}  // namespace jostle::render
