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
    {"crates", 240, 0x0EA3E1EABB2B40C8ULL},       {"dominoes", 240, 0xD4FEE3F677A45762ULL},
    {"katamari", 120, 0x9108CB3022BE254BULL},     {"pyramid", 240, 0x535248C48F12C028ULL},
    {"tower", 240, 0xE4D51DE87FD64A72ULL},        {"wall", 240, 0xE6BBC5510432CE6AULL},
    {"shapes", 240, 0x36DA383DFC2250EAULL},       {"joints", 240, 0xF7FB8E33F40A3DDDULL},
    {"hooks", 240, 0x198980F9ED50EA04ULL},        {"walk", 240, 0xB6B26BD3A9E4FA6CULL},
    {"gears", 240, 0xE2E51BC4DB05397DULL},        {"pendulums", 240, 0x10981FEFCBAAE36FULL},
    {"ragdolls", 240, 0x1F627E885858DF1DULL},     {"cars", 240, 0x052FFF26831C31C1ULL},
    {"bridge", 240, 0xFAC2EFA93650AAA1ULL},       {"orbit", 240, 0x608C3901B37BA230ULL},
    {"magnets", 240, 0x6B7CE106E14B9777ULL},      {"boats", 240, 0x47E5287471190AACULL},
    {"planar", 240, 0xD959A23A521E4FC7ULL},       {"sorter", 400, 0x87A490E1D1E34514ULL},
    {"slow_motion", 240, 0x830EB3393AACEA2BULL},  {"rolling", 240, 0xC3AA617EC7132EF0ULL},
    {"bullets", 240, 0x5171477D2990B162ULL},      {"card_house", 240, 0x9BD8A19D58AC3059ULL},
    {"chain", 240, 0x80928A3293B72D3CULL},        {"marble_run", 240, 0x562F2E98609CE510ULL},
    {"mass_ratios", 240, 0xE634D467DB28C5B2ULL},  {"pool", 240, 0x69AB6BE6FF239431ULL},
    {"spinning_top", 240, 0xF612305BD9FD659FULL}, {"particles", 240, 0x6DFEA2837AFDFDC9ULL},
    {"integrators", 240, 0xEF794732EBB90E1AULL},
};

}  // namespace jostle
