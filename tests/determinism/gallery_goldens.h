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
    {"balls", 240, 0x64FB8F6CA394BFF3ULL},        {"cradle", 240, 0xAEB21F3D010F83E4ULL},
    {"crates", 240, 0x3DCCA9160AE0DF72ULL},       {"dominoes", 240, 0x6E85DF2A53F136E3ULL},
    {"katamari", 120, 0x5C97E3FB5C7614F5ULL},     {"pyramid", 240, 0x108EDEE1D492A26FULL},
    {"tower", 240, 0xC984D68441C6833EULL},        {"wall", 240, 0x09E5758428DD551EULL},
    {"shapes", 240, 0xAD0424FF0C908F01ULL},       {"joints", 240, 0xA07D6D8C07E086B6ULL},
    {"hooks", 240, 0x81AADA6D127A3624ULL},        {"walk", 240, 0x00A133A99E219B6FULL},
    {"gears", 240, 0xC164A32E10C0CBCBULL},        {"pendulums", 240, 0x00784541CEC798ECULL},
    {"ragdolls", 240, 0x6DD008BC3A156092ULL},     {"cars", 240, 0xB6837B79B40E29D1ULL},
    {"bridge", 240, 0x219A951CC774D3F8ULL},       {"orbit", 240, 0x5306D8AF7DB4AB56ULL},
    {"magnets", 240, 0xFB0368D35F630287ULL},      {"boats", 240, 0x621019B13E45A70CULL},
    {"planar", 240, 0xA1388C093A4C617DULL},       {"sorter", 400, 0xF455D79F8F61B457ULL},
    {"slow_motion", 240, 0xE2C7B8CA6ABE96FDULL},  {"rolling", 240, 0x401A724A15DA1B31ULL},
    {"bullets", 240, 0x865B8FF3A7CCD84CULL},      {"card_house", 240, 0xE2AE3EA52511E011ULL},
    {"chain", 240, 0xBB0B40754B8309C9ULL},        {"marble_run", 240, 0x3A18431F87A65189ULL},
    {"mass_ratios", 240, 0x60D6C6ED06014CDCULL},  {"pool", 240, 0xB4A2E70E88FB0893ULL},
    {"spinning_top", 240, 0x44E4C42F58F9D641ULL}, {"particles", 240, 0xE998978DB761566BULL},
    {"integrators", 240, 0x8793E6C4294DB3B0ULL},
};

}  // namespace jostle
