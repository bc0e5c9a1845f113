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
    {"balls", 240, 0xB27D528260591FC4ULL},        {"cradle", 240, 0x282221EB4903CD9EULL},
    {"crates", 240, 0x5B7E59AE72237260ULL},       {"dominoes", 240, 0xB260A40631543BD3ULL},
    {"katamari", 120, 0xD70A0273D848F12FULL},     {"pyramid", 240, 0x6BC2CC14E52F1247ULL},
    {"tower", 240, 0x91A04450235F6F3DULL},        {"wall", 240, 0x201ECCACD2BCE57DULL},
    {"shapes", 240, 0xBD54535385E3F19AULL},       {"joints", 240, 0x153BC9EC9AB54A87ULL},
    {"hooks", 240, 0x6CEC5102F290A200ULL},        {"walk", 240, 0xDA3F7FAE428A66FDULL},
    {"gears", 240, 0xCE70D63CA4C876FDULL},        {"pendulums", 240, 0x8BFA37C49256F58DULL},
    {"ragdolls", 240, 0x2DCBC9E3BE43ACD0ULL},     {"cars", 240, 0xEB94A694D7262350ULL},
    {"bridge", 240, 0x65281BF0FC8FC49CULL},       {"orbit", 240, 0xEBED8EEF6BF3655CULL},
    {"magnets", 240, 0x982A5E2946765BC8ULL},      {"boats", 240, 0x66AEA39101EF8E44ULL},
    {"planar", 240, 0x037AD17642CE9AB6ULL},       {"sorter", 400, 0x6CFC6355F3407AE3ULL},
    {"slow_motion", 240, 0x104F952D92DB9BAFULL},  {"rolling", 240, 0x698CE6E3D8ABFCBEULL},
    {"bullets", 240, 0xF6297C3799772885ULL},      {"card_house", 240, 0xA613910DF583ECAEULL},
    {"chain", 240, 0xB475FE0EFFAA6B5EULL},        {"marble_run", 240, 0x19F3485A3DD747DFULL},
    {"mass_ratios", 240, 0x858A68F0B25534A0ULL},  {"pool", 240, 0xEA0B501223E9FBA1ULL},
    {"spinning_top", 240, 0x61C12030D470ECCBULL}, {"particles", 240, 0x3BC257EA77C39E38ULL},
    {"integrators", 240, 0x03F60EEBBCAA21B5ULL},
};

}  // namespace jostle
