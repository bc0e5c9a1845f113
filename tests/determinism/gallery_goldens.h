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
    {"balls", 240, 0x269F3774A02948AEULL},        {"cradle", 240, 0x32E1A37573000CECULL},
    {"crates", 240, 0xF9882F44ABEC5C63ULL},       {"dominoes", 240, 0x6ADCFA86846A6128ULL},
    {"katamari", 120, 0xFB0B46F47FB34E8CULL},     {"pyramid", 240, 0x86AFBDDAEFC7CFA0ULL},
    {"tower", 240, 0x496E09C09AB99274ULL},        {"wall", 240, 0x101F8760B3BA8047ULL},
    {"shapes", 240, 0xFBC8EB02EBE54E13ULL},       {"joints", 240, 0x0BE2E4AFFF5C2EB5ULL},
    {"hooks", 240, 0x3810C7B35E211950ULL},        {"walk", 240, 0x7EEB8CA94EA6CB37ULL},
    {"gears", 240, 0x48465F97EB9C61E6ULL},        {"pendulums", 240, 0xCD6DE26585FD9150ULL},
    {"ragdolls", 240, 0x5F09ABB0A01B366CULL},     {"cars", 240, 0x91B6B74249A40C4BULL},
    {"bridge", 240, 0xE89DD5041C294E35ULL},       {"orbit", 240, 0x1D6CE1B1BBB3B588ULL},
    {"magnets", 240, 0xE413A9403E33506EULL},      {"boats", 240, 0xB9B6308F3E13833FULL},
    {"planar", 240, 0xAD90D285F7E37124ULL},       {"sorter", 400, 0xB85C164FB33FB8F2ULL},
    {"slow_motion", 240, 0x11C06D9EE11FEE56ULL},  {"rolling", 240, 0x01989EEF5644F938ULL},
    {"bullets", 240, 0xD149F0A0386E874FULL},      {"card_house", 240, 0x6326205F6A62112DULL},
    {"chain", 240, 0x995AFDB0B5876FDBULL},        {"marble_run", 240, 0x96DC9EC0432694D1ULL},
    {"mass_ratios", 240, 0x3072753C19F221C2ULL},  {"pool", 240, 0x59D354D7A26A1A70ULL},
    {"spinning_top", 240, 0x0DB98798DB050F01ULL}, {"particles", 240, 0x29782D50DB7F0A8CULL},
    {"integrators", 240, 0xF8F1E948E09DBD28ULL},
};

}  // namespace jostle
