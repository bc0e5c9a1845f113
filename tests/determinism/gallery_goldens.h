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
    {"balls", 240, 0x761DCABDC1447B57ULL},        {"cradle", 240, 0x9807E9D015448E26ULL},
    {"crates", 240, 0x8E2876D09002F240ULL},       {"dominoes", 240, 0x8A9FAC32E6E40E3FULL},
    {"katamari", 120, 0x7538B007D971F24EULL},     {"pyramid", 240, 0xD9DA8A4C93787987ULL},
    {"tower", 240, 0xDF38C3D856780E5FULL},        {"wall", 240, 0x2ABA771BC6ED7AF4ULL},
    {"shapes", 240, 0xBFFA7650BE518D96ULL},       {"joints", 240, 0x60E23C84F921D064ULL},
    {"hooks", 240, 0xCC88F1888378ADF7ULL},        {"walk", 240, 0xDA3F7FAE428A66FDULL},
    {"gears", 240, 0x2C3791AF859BB489ULL},        {"pendulums", 240, 0x426477181E208CC7ULL},
    {"ragdolls", 240, 0xE3539022035A6D17ULL},     {"cars", 240, 0x030CA4A444634A63ULL},
    {"bridge", 240, 0x3C4E3E991D217423ULL},       {"orbit", 240, 0xFC7466E35255CC3FULL},
    {"magnets", 240, 0x3A8810592EBFBD72ULL},      {"boats", 240, 0x4DF01B580195BD83ULL},
    {"planar", 240, 0xB94298BF29D377A9ULL},       {"sorter", 400, 0x70BCCF6095FCAF94ULL},
    {"slow_motion", 240, 0x60A192D03C4925E4ULL},  {"rolling", 240, 0x5587DC42F9B6BB56ULL},
    {"bullets", 240, 0xCF4FDC11D99C8FA1ULL},      {"card_house", 240, 0x3EBB7711BDB37725ULL},
    {"chain", 240, 0xDC6871A20CB5FBEFULL},        {"marble_run", 240, 0xE7F7A7244322AB18ULL},
    {"mass_ratios", 240, 0x017CDD097609F72DULL},  {"pool", 240, 0xA57111AB60C80A8CULL},
    {"spinning_top", 240, 0x2DDB8FB60ECB2352ULL}, {"particles", 240, 0x8525AE28B4EFF480ULL},
    {"integrators", 240, 0x03F60EEBBCAA21B5ULL},
};

}  // namespace jostle
