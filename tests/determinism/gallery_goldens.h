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
    {"balls", 240, 0x6B34C3AFA6D26D78ULL},        {"cradle", 240, 0xC75E32E5BD694F05ULL},
    {"crates", 240, 0xDB0EC1C10F42BD2FULL},       {"dominoes", 240, 0x61C05602D46FD171ULL},
    {"katamari", 120, 0x554988876AFF941EULL},     {"pyramid", 240, 0x295F3DF47CF3B1A8ULL},
    {"tower", 240, 0x994ACBDFFAF1655DULL},        {"wall", 240, 0x588AB6396501DD9BULL},
    {"shapes", 240, 0x66266CE2067CA574ULL},       {"joints", 240, 0x0BB95B45E49A09A4ULL},
    {"hooks", 240, 0x938C9892D0A05C8CULL},        {"walk", 240, 0xAD558D8055353E03ULL},
    {"gears", 240, 0x6F5FFD7FE0A08ACFULL},        {"pendulums", 240, 0x3505DC11865409CEULL},
    {"ragdolls", 240, 0x675B60E64EA417A0ULL},     {"cars", 240, 0x0AFEF60B659627B0ULL},
    {"bridge", 240, 0x68411BF4F12CE88BULL},       {"orbit", 240, 0x608C3901B37BA230ULL},
    {"magnets", 240, 0x36E37E8060F4DE54ULL},      {"boats", 240, 0x6A1D1C75F1671B28ULL},
    {"planar", 240, 0x254AC9CE5DD5A9F4ULL},       {"sorter", 400, 0xE833116528BB579AULL},
    {"slow_motion", 240, 0x0F0D9434B447590BULL},  {"rolling", 240, 0xFDC34EE5A93A4ABCULL},
    {"bullets", 240, 0x86D1B7A8EB6F5D20ULL},      {"card_house", 240, 0xB279E6FD8205E1B7ULL},
    {"chain", 240, 0xFB9466C7377E7F35ULL},        {"marble_run", 240, 0x562F2E98609CE510ULL},
    {"mass_ratios", 240, 0x6175B01554FE00A5ULL},  {"pool", 240, 0xA679D8A5313C5C2BULL},
    {"spinning_top", 240, 0x195E417089AB9EC2ULL}, {"particles", 240, 0xC51D2313C3127442ULL},
    {"integrators", 240, 0xEF794732EBB90E1AULL},
};

}  // namespace jostle
