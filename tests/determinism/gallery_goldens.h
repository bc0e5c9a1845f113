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
    {"balls", 240, 0xAF4AE47311B284D1ULL},        {"cradle", 240, 0x076501B77432408BULL},
    {"crates", 240, 0xDBFDEA51ECF173B2ULL},       {"dominoes", 240, 0x6F4F902BC077C0D2ULL},
    {"katamari", 120, 0xD3C70623E4875FE3ULL},     {"pyramid", 240, 0xF28FCE8E9167085BULL},
    {"tower", 240, 0x889891287BC7523AULL},        {"wall", 240, 0x5A60789C8CEF2DEDULL},
    {"shapes", 240, 0x22B08FB377E28E16ULL},       {"joints", 240, 0xF7FB8E33F40A3DDDULL},
    {"hooks", 240, 0xB6AF1208800BE5FCULL},        {"walk", 240, 0x8C4A30C1E6F6027EULL},
    {"gears", 240, 0xFB682FC1BF7C5CD0ULL},        {"pendulums", 240, 0xD339C93CA4B13428ULL},
    {"ragdolls", 240, 0x911850258EDDD75DULL},     {"cars", 240, 0xBFB34D560BBE001FULL},
    {"bridge", 240, 0xCCD4375C3534A37DULL},       {"orbit", 240, 0x241F81E0675154BAULL},
    {"magnets", 240, 0x6B7CE106E14B9777ULL},      {"boats", 240, 0x80A3CF268771EB75ULL},
    {"planar", 240, 0xDB4C70D2FD79B345ULL},       {"sorter", 400, 0x87A490E1D1E34514ULL},
    {"slow_motion", 240, 0x87A80F0BBD86A06BULL},  {"rolling", 240, 0xE2F29B6AC8679618ULL},
    {"bullets", 240, 0x07FD46962D71C64FULL},      {"card_house", 240, 0x7FCB2D9A5611C9ABULL},
    {"chain", 240, 0x58157BA0C306B9BFULL},        {"marble_run", 240, 0x2CDDEB6E3004DBE1ULL},
    {"mass_ratios", 240, 0xE7B966F013B7BA32ULL},  {"pool", 240, 0x20BF9D099F4DACB2ULL},
    {"spinning_top", 240, 0x228CDB4C1C6DF683ULL}, {"particles", 240, 0xD1314F8788ADCCB3ULL},
    {"integrators", 240, 0xEF794732EBB90E1AULL},
};

}  // namespace jostle
