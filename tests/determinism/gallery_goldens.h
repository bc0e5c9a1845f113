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
    {"balls", 240, 0x0E3C3F072EC9B63AULL},        {"cradle", 240, 0x282221EB4903CD9EULL},
    {"crates", 240, 0x0572B5F4DAF75B6CULL},       {"dominoes", 240, 0x8A9FAC32E6E40E3FULL},
    {"katamari", 120, 0x42A390C3CDEFB61AULL},     {"pyramid", 240, 0xD9DA8A4C93787987ULL},
    {"tower", 240, 0xDF38C3D856780E5FULL},        {"wall", 240, 0x0857FF4854751AA5ULL},
    {"shapes", 240, 0x8F02147B3D691B1BULL},       {"joints", 240, 0x60E23C84F921D064ULL},
    {"hooks", 240, 0xCC88F1888378ADF7ULL},        {"walk", 240, 0xDA3F7FAE428A66FDULL},
    {"gears", 240, 0x2C3791AF859BB489ULL},        {"pendulums", 240, 0x426477181E208CC7ULL},
    {"ragdolls", 240, 0x3E3112EB90E33CD9ULL},     {"cars", 240, 0x030CA4A444634A63ULL},
    {"bridge", 240, 0x3C4E3E991D217423ULL},       {"orbit", 240, 0xFC7466E35255CC3FULL},
    {"magnets", 240, 0x3A8810592EBFBD72ULL},      {"boats", 240, 0x4DF01B580195BD83ULL},
    {"planar", 240, 0xB94298BF29D377A9ULL},       {"sorter", 400, 0x70BCCF6095FCAF94ULL},
    {"slow_motion", 240, 0x60A192D03C4925E4ULL},  {"rolling", 240, 0x5587DC42F9B6BB56ULL},
    {"bullets", 240, 0xCBFC4978616BF968ULL},      {"card_house", 240, 0x3EBB7711BDB37725ULL},
    {"chain", 240, 0xB475FE0EFFAA6B5EULL},        {"marble_run", 240, 0x8380EC5AF0F47242ULL},
    {"mass_ratios", 240, 0x6AF2A0B2C3C25543ULL},  {"pool", 240, 0x589E357C1BDCBA4EULL},
    {"spinning_top", 240, 0x2DDB8FB60ECB2352ULL}, {"particles", 240, 0x8525AE28B4EFF480ULL},
    {"integrators", 240, 0x03F60EEBBCAA21B5ULL},
};

}  // namespace jostle
