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
    {"balls", 240, 0x7E2D3A50827CD543ULL},        {"cradle", 240, 0x01CCEFAE82F3BA43ULL},
    {"crates", 240, 0xE9E9DEFF718AFACDULL},       {"dominoes", 240, 0xB05A8305B9CE3469ULL},
    {"katamari", 120, 0x66CBB6017A27811BULL},     {"pyramid", 240, 0x9FA334C498D0B2D0ULL},
    {"tower", 240, 0x38BBA3102BF20260ULL},        {"wall", 240, 0x156E4444D408EE72ULL},
    {"shapes", 240, 0x9F733C169E277955ULL},       {"joints", 240, 0x16D512F788DCEDF2ULL},
    {"hooks", 240, 0x66ABF8DF91F94DFEULL},        {"walk", 240, 0x3FD12A50F19369C0ULL},
    {"gears", 240, 0xFB8E5C266C4F8A44ULL},        {"pendulums", 240, 0x03740DBF4D4D2B36ULL},
    {"ragdolls", 240, 0x2BBA1DF70AAF1BBCULL},     {"cars", 240, 0x3A083D822808C7EDULL},
    {"bridge", 240, 0x9E49F9ACCE46FCDBULL},       {"orbit", 240, 0x30B08F374DF858EDULL},
    {"magnets", 240, 0xEAEFCB322C86A1C0ULL},      {"boats", 240, 0x8A31771C405A1C8BULL},
    {"planar", 240, 0xC64E82E2E10EBA30ULL},       {"sorter", 400, 0xB497F4618BE5D334ULL},
    {"slow_motion", 240, 0x1EFA69B493D45844ULL},  {"rolling", 240, 0xF88D3D187C494354ULL},
    {"bullets", 240, 0x4D3B171C8AEFB4DDULL},      {"card_house", 240, 0x638EB5CC2C24C725ULL},
    {"chain", 240, 0xDDB96E7FEF7B8722ULL},        {"marble_run", 240, 0x7BBBD4C705AD2EAFULL},
    {"mass_ratios", 240, 0xEAF0447FBD4B078BULL},  {"pool", 240, 0x8B5BF22EEC55EC3FULL},
    {"spinning_top", 240, 0x8D4FD50BE414C71BULL}, {"particles", 240, 0xA8475BA07817E753ULL},
    {"integrators", 240, 0x0D70349071A3A3D0ULL},
};

}  // namespace jostle
