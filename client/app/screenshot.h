#pragma once

#include "client/app/camera.h"
#include "shared/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::client_app {

/// A PNG of 8-bit sRGB pixels, three bytes each, top row first; libpng's words on failure.
/// Contract: pixels.size() is width · height · 3.
base::Result<std::vector<std::byte>, std::string> encode_png(std::span<const std::uint8_t> pixels,
                                                             Size size);

}  // namespace jostle::client_app
