#pragma once

#include <cstdint>
#include <ostream>

namespace jostle {

/// A run of a shipped scene with two random players of seed 7, and the hash of its state after
/// `ticks`. The hash is taken while bodies are awake.
struct GalleryGolden {
  const char* scene;
  std::uint32_t ticks;
  std::uint64_t hash;
};

inline void PrintTo(const GalleryGolden& golden, std::ostream* out) {
  *out << golden.scene;
}

// Stored hashes detect changes between builds, which comparisons within one build cannot. They are
// the same for gcc and clang, Debug and Release. Change a hash only together with an intended
// change of behaviour, and state it in the commit.
inline constexpr GalleryGolden gallery_goldens[] = {
    {"balls", 240, 0xDAEFEDAAEFCA15E8ULL},        {"cradle", 240, 0x282221EB4903CD9EULL},
    {"crates", 240, 0x37B1A99CE14B95B8ULL},       {"dominoes", 240, 0xC4A150530FFF21FBULL},
    {"katamari", 120, 0xEBEB39AFB9A6B600ULL},     {"pyramid", 240, 0x607FD19A1AE789E9ULL},
    {"tower", 240, 0xDEADC0E392A330D7ULL},        {"wall", 240, 0xFC5260BF4F70CF5AULL},
    {"shapes", 240, 0x9ACBE1CD5A6B6F02ULL},       {"joints", 240, 0xE06D03A922173368ULL},
    {"hooks", 240, 0xE70C3D3A5526DFE9ULL},        {"walk", 240, 0x84EB8A074B0E2612ULL},
    {"gears", 240, 0xCE70D63CA4C876FDULL},        {"pendulums", 240, 0xA46B24A02C1601F6ULL},
    {"ragdolls", 240, 0x793E9CE73D9240CCULL},     {"cars", 240, 0x43184B023B70580AULL},
    {"bridge", 240, 0x56DA506070125AFBULL},       {"orbit", 240, 0xEBED8EEF6BF3655CULL},
    {"magnets", 240, 0x712047EC2B12ED8FULL},      {"boats", 240, 0x21F0A8C1594562C7ULL},
    {"planar", 240, 0x9FA4F4812D8FA1ADULL},       {"sorter", 400, 0x5673D69442533384ULL},
    {"slow_motion", 240, 0xB81AF1DE1294BDA8ULL},  {"rolling", 240, 0x698CE6E3D8ABFCBEULL},
    {"bullets", 240, 0xA9C1F19ACF6A3DE2ULL},      {"card_house", 240, 0xFCE0C877FE55B07EULL},
    {"chain", 240, 0x6E957C6036DCA71AULL},        {"marble_run", 240, 0x19F3485A3DD747DFULL},
    {"mass_ratios", 240, 0x3549DECBBF3CEBD1ULL},  {"pool", 240, 0x1EA4F56FB1B4170AULL},
    {"spinning_top", 240, 0x61C12030D470ECCBULL}, {"particles", 240, 0x0CA9A9563E9DA23CULL},
    {"integrators", 240, 0x03F60EEBBCAA21B5ULL},
};

}  // namespace jostle
