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
    {"balls", 240, 0x5B436BBD64C5D695ULL},        {"cradle", 240, 0x4DF3B9D5EB28A2DFULL},
    {"crates", 240, 0xC269041375E8D44BULL},       {"dominoes", 240, 0x870AB64E714C8A11ULL},
    {"katamari", 120, 0x5C97E3FB5C7614F5ULL},     {"pyramid", 240, 0x6B5B58EF1F1465EFULL},
    {"tower", 240, 0x03DD3F96FCA7F30BULL},        {"wall", 240, 0x44BC3CE432A505D6ULL},
    {"shapes", 240, 0x5E416EC2C713784CULL},       {"joints", 240, 0x91EBA5D122B4B0E2ULL},
    {"hooks", 240, 0xA1A3EBCA4DF5BB14ULL},        {"walk", 240, 0xFAB3C5B5ACDF3320ULL},
    {"gears", 240, 0x018FA44A10FD730BULL},        {"pendulums", 240, 0x0821827902C4561DULL},
    {"ragdolls", 240, 0x08EDE814FBDBB85CULL},     {"cars", 240, 0x1C61A21450E8D1D6ULL},
    {"bridge", 240, 0xF89F92AEE1CD7C28ULL},       {"orbit", 240, 0x07CFADB48D0746A1ULL},
    {"magnets", 240, 0x3A8810592EBFBD72ULL},      {"boats", 240, 0xE922C778204BFF13ULL},
    {"planar", 240, 0xA1388C093A4C617DULL},       {"sorter", 400, 0xCB922AD564722688ULL},
    {"slow_motion", 240, 0x25BAF96D1ACF3828ULL},  {"rolling", 240, 0xFDC249DEAF1FACCDULL},
    {"bullets", 240, 0x2CF38DFBADDF58AEULL},      {"card_house", 240, 0x5B4410CF45343BD2ULL},
    {"chain", 240, 0xDCD33826DF738ED6ULL},        {"marble_run", 240, 0x79C906E5CD91E807ULL},
    {"mass_ratios", 240, 0x18996106E2CB15FDULL},  {"pool", 240, 0x895D048A90724D3BULL},
    {"spinning_top", 240, 0xD74F1D67F8609551ULL}, {"particles", 240, 0x1A23659F6467131DULL},
    {"integrators", 240, 0x03F60EEBBCAA21B5ULL},
};

}  // namespace jostle
