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
    {"balls", 240, 0x79D222453FF88E44ULL},        {"cradle", 240, 0x41478319D4D03DE0ULL},
    {"crates", 240, 0x76ED17418DC798A0ULL},       {"dominoes", 240, 0x6E85DF2A53F136E3ULL},
    {"katamari", 120, 0x535C71559C9D2613ULL},     {"pyramid", 240, 0xD1AC36E929E1E769ULL},
    {"tower", 240, 0xDF0D81CBF00FDA10ULL},        {"wall", 240, 0xACDA84C67E687586ULL},
    {"shapes", 240, 0x8B4B833A87C62D24ULL},       {"joints", 240, 0xA07D6D8C07E086B6ULL},
    {"hooks", 240, 0xEBFD916A7CEAE1CCULL},        {"walk", 240, 0x00A133A99E219B6FULL},
    {"gears", 240, 0xC164A32E10C0CBCBULL},        {"pendulums", 240, 0x00784541CEC798ECULL},
    {"ragdolls", 240, 0x6E183FF3366BEE8AULL},     {"cars", 240, 0x50F739FEB754E3EAULL},
    {"bridge", 240, 0x6B04C17C565103A8ULL},       {"orbit", 240, 0x5306D8AF7DB4AB56ULL},
    {"magnets", 240, 0xFB0368D35F630287ULL},      {"boats", 240, 0x621019B13E45A70CULL},
    {"planar", 240, 0xCD16CE684F9C6A8AULL},       {"sorter", 400, 0xF4D7CC2A62D0440AULL},
    {"slow_motion", 240, 0x9286299E3B234BDAULL},  {"rolling", 240, 0x401A724A15DA1B31ULL},
    {"bullets", 240, 0x6062A06B6CA019A9ULL},      {"card_house", 240, 0x8A23EBDF29AFA2A3ULL},
    {"chain", 240, 0xBB0B40754B8309C9ULL},        {"marble_run", 240, 0x3A18431F87A65189ULL},
    {"mass_ratios", 240, 0x60D6C6ED06014CDCULL},  {"pool", 240, 0xC5BF4CF14B925AE8ULL},
    {"spinning_top", 240, 0xC453DB64676431A2ULL}, {"particles", 240, 0x2336D7676A4A06B5ULL},
    {"integrators", 240, 0x8793E6C4294DB3B0ULL},
};

}  // namespace jostle
