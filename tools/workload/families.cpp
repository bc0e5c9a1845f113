#include "tools/workload/families.h"

#include "shared/base/hash.h"
#include "tools/workload/detail/family_makers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace jostle::workload {
namespace {

constexpr std::array table{
    Family{"sizes", "all convex shapes with sizes over two decades in a pit", fill_sizes},
    Family{"mass_ratios", "shapes of similar size with masses of 1 to 1,000 kg in a pit",
           fill_mass_ratios},
    Family{"heavy_on_light", "heavy blocks that fall on light bodies", fill_heavy_on_light},
    Family{"slivers", "boxes 10 to 40 times as long as thick in a pit", fill_slivers},
    Family{"rods", "rods that fall on the ground and on each other", fill_rods},
    Family{"coins", "flat cylinders that fall on the ground and on each other", fill_coins},
    Family{"gravel", "gravel and boulders in a pit", fill_gravel},
    Family{"small_hulls", "hulls of 0.1 to 0.4 m in a pit", fill_small_hulls},
    Family{"bouncy", "fast bodies with high restitution in a closed box", fill_bouncy},
    Family{"rafts", "plates on many supports, in levels", fill_rafts},
    Family{"tiles", "plates and blocks that slide over a floor of separate tiles", fill_tiles},
    Family{"drums", "bodies in rotating drums", fill_drums},
    Family{"cups", "cups full of small bodies, whose bottoms slide away", fill_cups},
    Family{"junkyard", "compound bodies and a pusher", fill_junkyard},
    Family{"rough_mesh", "bodies that fall on an irregular mesh", fill_rough_mesh},
    Family{"height_field", "bodies that fall and roll on a height field", fill_height_field},
    Family{"logs", "long compound bodies on a mesh", fill_logs},
    Family{"chains", "swinging chains with weights at their ends", fill_chains},
    Family{"bridges", "bridges of hinged planks that carry loads", fill_bridges},
    Family{"nets", "nets that catch bodies", fill_nets},
    Family{"figures", "rag dolls that fall on steps and on each other", fill_figures},
    Family{"vehicles", "vehicles with driven wheels on a field with bumps and crates",
           fill_vehicles},
    Family{"sleepers", "sleeping stacks, of which a few are hit", fill_sleepers},
    Family{"islands", "many small groups of bodies far from each other", fill_islands},
    Family{"one_island", "one solid block of bricks", fill_one_island},
    Family{"columns", "columns of bodies that are dropped with gaps between them", fill_columns},
    Family{"walls", "brick walls that are hit by shot", fill_walls},
    Family{"pours", "streams of bodies through a funnel into a pit", fill_pours},
    Family{"pyramids", "many pyramids of boxes", fill_pyramids},
    Family{"dominoes", "rows of dominoes whose first one is pushed", fill_dominoes},
};

}  // namespace

std::span<const Family> families() {
  return table;
}

Scene make_member(const Family& family, std::uint32_t seed) {
  base::Hasher hasher;
  for (const char letter : family.name)
    hasher.add(static_cast<std::uint8_t>(letter));
  hasher.add(seed);
  Random random(static_cast<std::uint32_t>(hasher.finish() >> 32));
  Scene scene;
  scene.name = std::string(family.name) + seed_separator + std::to_string(seed);
  scene.timed_steps = 300;
  scene.friction = random.between(0.3f, 0.8f);
  family.fill(random, scene);
  return scene;
}

std::optional<Scene> make_member(std::string_view name) {
  const std::size_t at = name.find(seed_separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto* family = std::ranges::find(table, name.substr(0, at), &Family::name);
  const std::string_view digits = name.substr(at + 1);
  std::uint32_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (family == table.end() || error != std::errc{} || end != digits.data() + digits.size())
    return std::nullopt;
  return make_member(*family, seed);
}

}  // namespace jostle::workload
