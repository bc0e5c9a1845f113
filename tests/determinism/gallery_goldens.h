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
    {"balls", 240, 0x5596A6E6374EE429ULL},        {"cradle", 240, 0xFF3C2ADE835931F2ULL},
    {"crates", 240, 0xC72428A84E237718ULL},       {"dominoes", 240, 0x149725881037354CULL},
    {"katamari", 120, 0xE0F2ECFD6D4C9618ULL},     {"pyramid", 240, 0x27B1BB9845B5E8D2ULL},
    {"tower", 240, 0x002C3079C01F66C7ULL},        {"wall", 240, 0x666EA0046FCC173AULL},
    {"shapes", 240, 0xBE91C95C4A26001AULL},       {"joints", 240, 0x3F27B130A77288BFULL},
    {"hooks", 240, 0x5B8B86B79F4F9637ULL},        {"walk", 240, 0x230CB2C118D12FABULL},
    {"gears", 240, 0x45E0EA768B79B375ULL},        {"pendulums", 240, 0x832E2632C61A3D7AULL},
    {"ragdolls", 240, 0x69298607843477ACULL},     {"cars", 240, 0x2F27F42B2616E489ULL},
    {"bridge", 240, 0x3D20B0EAF65C35A9ULL},       {"orbit", 240, 0x79DB15B7F3CE16BFULL},
    {"magnets", 240, 0xC859A756BB40EE39ULL},      {"boats", 240, 0xF539515C981C0336ULL},
    {"planar", 240, 0xF33F07080F451336ULL},       {"sorter", 400, 0x6839EEC73F72B4BBULL},
    {"slow_motion", 240, 0x249A5A1C1FBAD92AULL},  {"rolling", 240, 0x8D3B313BC24F7EB9ULL},
    {"bullets", 240, 0x2439F3067695800EULL},      {"card_house", 240, 0xD8A8FF24C9627134ULL},
    {"chain", 240, 0xCED160C390027A6CULL},        {"marble_run", 240, 0x3927A8C65B05C3AAULL},
    {"mass_ratios", 240, 0x26028DF1BB23D6FFULL},  {"pool", 240, 0x90A8F0DC6A0F20C8ULL},
    {"spinning_top", 240, 0x933D71A0DE1AA0EDULL}, {"particles", 240, 0xCA4252451B62E167ULL},
    {"integrators", 240, 0x43F1C0A82C74BC3BULL},
};

}  // namespace jostle
