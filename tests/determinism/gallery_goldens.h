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
    {"balls", 240, 0xEFFFF80F7EF6B73FULL},        {"cradle", 240, 0x857248635D6389B6ULL},
    {"crates", 240, 0xB3671E1DDD6D4F8BULL},       {"dominoes", 240, 0xECAEDAE5F1535AE7ULL},
    {"katamari", 120, 0xB8CA626CBCFFF986ULL},     {"pyramid", 240, 0x82C8A2401DCA9515ULL},
    {"tower", 240, 0x977799BC1EC0BBF9ULL},        {"wall", 240, 0xE23FBB71CB029D5CULL},
    {"shapes", 240, 0x6CC3ADBA10BC83D5ULL},       {"joints", 240, 0x85E393049ABE0666ULL},
    {"hooks", 240, 0x2CFF0E568C41967FULL},        {"walk", 240, 0x12E70D0FA26CB8AAULL},
    {"gears", 240, 0xC5548A436F98EFEFULL},        {"pendulums", 240, 0x8B535917C00EE215ULL},
    {"ragdolls", 240, 0x23432E7ABC55960BULL},     {"cars", 240, 0xD7B0D8DC6A8B3850ULL},
    {"bridge", 240, 0x447A51972C1D2F0DULL},       {"orbit", 240, 0xF514147AF2E5B266ULL},
    {"magnets", 240, 0xC6E0F4E4C578D2BDULL},      {"boats", 240, 0xBA85EDB78A172EADULL},
    {"planar", 240, 0x63BBA92A8D4F178DULL},       {"sorter", 400, 0x2516D6A948752F03ULL},
    {"slow_motion", 240, 0x103F9CEE7E56EA5DULL},  {"rolling", 240, 0xCB7E8CA477C9F425ULL},
    {"bullets", 240, 0x605D4821F7D3BFB0ULL},      {"card_house", 240, 0x1012347C00502A88ULL},
    {"chain", 240, 0x1B9151A4E7B50D0EULL},        {"marble_run", 240, 0x064DFB0B58719E41ULL},
    {"mass_ratios", 240, 0xEDC291363DBC6E52ULL},  {"pool", 240, 0x830A474871A634BFULL},
    {"spinning_top", 240, 0xD00974A687719740ULL}, {"particles", 240, 0x30E61906DFAD4267ULL},
    {"integrators", 240, 0x0E730EF6F7645DDEULL},
};

}  // namespace jostle
