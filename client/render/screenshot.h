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

/// A PNG of 8-bit sRGB pixels, three bytes each, top row first; libpng's words on failure.
/// Contract: pixels.size() is width · height · 3.
base::Result<std::vector<std::byte>, std::string> encode_png(std::span<const std::uint8_t> pixels,
                                                             Size size);
/// Rows from the top, red, green and blue in a byte each.
struct PngPicture {
  Size size;
  std::vector<std::uint8_t> pixels;
};
/// The error says why it is none, or that a side is longer than `max_side`.
base::Result<PngPicture, std::string> decode_png(std::span<const std::byte> bytes, int max_side);

/// The same as a file; what went wrong, in words, or nothing.
std::optional<std::string> save_png(net::Io& io, const std::string& path,
                                    std::span<const std::uint8_t> pixels, Size size);
/// "frames/frame-000001.png"
std::string frame_path(const std::string& folder, std::uint64_t number);

}  // namespace jostle::render
