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
    {"crates", 240, 0xA316BFFA09C3308BULL},       {"dominoes", 240, 0x18A370172D2B7035ULL},
    {"katamari", 120, 0x4B29AC6900C534E7ULL},     {"pyramid", 240, 0x6B5B58EF1F1465EFULL},
    {"tower", 240, 0x03DD3F96FCA7F30BULL},        {"wall", 240, 0xB471BEBA3CF8B7DAULL},
    {"shapes", 240, 0x31171D1EF3B90A64ULL},       {"joints", 240, 0x91EBA5D122B4B0E2ULL},
    {"hooks", 240, 0x91B9AF7D74037E6BULL},        {"walk", 240, 0x110D37C671B9D7FEULL},
    {"gears", 240, 0x018FA44A10FD730BULL},        {"pendulums", 240, 0x278143029308BA10ULL},
    {"ragdolls", 240, 0x9CE4CF497DB19537ULL},     {"cars", 240, 0x648A7ED81CA36710ULL},
    {"bridge", 240, 0x165478B4C39C00A0ULL},       {"orbit", 240, 0x460A18182F0E72D8ULL},
    {"magnets", 240, 0x3A8810592EBFBD72ULL},      {"boats", 240, 0xDA17EA025410D5E3ULL},
    {"planar", 240, 0xB94298BF29D377A9ULL},       {"sorter", 400, 0x7DC86E0EDC2BC834ULL},
    {"slow_motion", 240, 0x15AB86A2DC077471ULL},  {"rolling", 240, 0x885153599238E915ULL},
    {"bullets", 240, 0x9E92272BFDA6BFC3ULL},      {"card_house", 240, 0xA68945E080B40DEAULL},
    {"chain", 240, 0x31D593F25A6B8642ULL},        {"marble_run", 240, 0xE7F7A7244322AB18ULL},
    {"mass_ratios", 240, 0x103FAF9D96206E9BULL},  {"pool", 240, 0xA57111AB60C80A8CULL},
    {"spinning_top", 240, 0xA1077F7B30E55807ULL}, {"particles", 240, 0x1A23659F6467131DULL},
    {"integrators", 240, 0x03F60EEBBCAA21B5ULL},
};

}  // namespace jostle
