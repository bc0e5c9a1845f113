#pragma once

#include "tools/workload/random.h"
#include "tools/workload/scene.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jostle::workload {

/// A family of scenes. Its members have the same kind of content. Their sizes, counts, mass ratios,
/// shapes, heights and distances are drawn from a seed, so that no engine can be tuned to one
/// member.
struct Family {
  std::string_view name;
  std::string_view content;  // one line, as in docs/BENCHMARKS.md
  void (*fill)(Random& random, Scene& scene);
};

/// Character between the name of a family and the seed in the name of a scene, as in "rods@7".
inline constexpr char seed_separator = '@';

/// Returns all families, in the order of the wide suite.
std::span<const Family> families();

/// Makes the member of the family with this seed. Its name is "FAMILY@SEED". No bodies overlap at
/// the start, apart from static bodies and the two bodies of a joint.
Scene make_member(const Family& family, std::uint32_t seed);

/// Makes the scene of a name "FAMILY@SEED". Returns null for an unknown family, or if SEED is not a
/// number from 0 to max_seed.
std::optional<Scene> make_member(std::string_view name);

}  // namespace jostle::workload
