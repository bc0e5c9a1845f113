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
    {"balls", 240, 0x1A77EE83106B1646ULL},        {"cradle", 240, 0xA253404EAEA938B9ULL},
    {"crates", 240, 0xBEAB94207FE815B4ULL},       {"dominoes", 240, 0x8B914D903033DA89ULL},
    {"katamari", 120, 0x4B29AC6900C534E7ULL},     {"pyramid", 240, 0xC99D84E6A64288D3ULL},
    {"tower", 240, 0x42D1506AAE6E1C07ULL},        {"wall", 240, 0x2C06D3729615EBCEULL},
    {"shapes", 240, 0x31171D1EF3B90A64ULL},       {"joints", 240, 0xE3C1C5E26FFCE4A3ULL},
    {"hooks", 240, 0xFB084648B09A6D27ULL},        {"walk", 240, 0x0C3B53A5FA498FBAULL},
    {"gears", 240, 0xB227D55E7BB24555ULL},        {"pendulums", 240, 0x32D22297DC433A89ULL},
    {"ragdolls", 240, 0xFEBD00FB42832F29ULL},     {"cars", 240, 0xF71EA3317074507DULL},
    {"bridge", 240, 0x386FF7ABEBBF1DB4ULL},       {"orbit", 240, 0x645FC06235981C2EULL},
    {"magnets", 240, 0x7B0EE765199AF132ULL},      {"boats", 240, 0xE97CA1C0870B9747ULL},
    {"planar", 240, 0xB94298BF29D377A9ULL},       {"sorter", 400, 0x1270269A4168478CULL},
    {"slow_motion", 240, 0xA16BFEEFC302F846ULL},  {"rolling", 240, 0xEF2742ACDDCE4707ULL},
    {"bullets", 240, 0xCB04FB3D0984D40DULL},      {"card_house", 240, 0xC747AF507069D68CULL},
    {"chain", 240, 0xFEE9246E142C9D0CULL},        {"marble_run", 240, 0x33710E6F8CB34422ULL},
    {"mass_ratios", 240, 0x82B9069BAE6BCB49ULL},  {"pool", 240, 0x91C941A793688569ULL},
    {"spinning_top", 240, 0x7D39A94312CE79B4ULL}, {"particles", 240, 0xEEC6B6B51CF65872ULL},
    {"integrators", 240, 0xBCD449C511919A4BULL},
};

}  // namespace jostle
