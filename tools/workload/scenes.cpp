#include "tools/workload/scenes.h"

#include "tools/workload/detail/makers.h"
#include "tools/workload/families.h"

#include <array>
#include <charconv>

namespace jostle::workload {
namespace {

using Maker = Scene (*)();

struct NamedMaker {
  std::string_view name;
  Maker make;
};

constexpr std::array makers{
    NamedMaker{"pyramid", [] { return make_pyramid(30); }},
    NamedMaker{"pyramid100", [] { return make_pyramid(100); }},
    NamedMaker{"stacks", make_stacks},
    NamedMaker{"spheres_rain", make_spheres_rain},
    NamedMaker{"mixed_pile", make_mixed_pile},
    NamedMaker{"hull_pile", make_hull_pile},
    NamedMaker{"joint_grid", make_joint_grid},
    NamedMaker{"ragdolls", make_ragdolls},
    NamedMaker{"mesh_terrain", make_mesh_terrain},
    NamedMaker{"cubes901", make_cubes901},
    NamedMaker{"large_world", make_large_world},
};

constexpr auto names = [] {
  std::array<std::string_view, makers.size()> result;
  for (std::size_t i = 0; i < makers.size(); ++i)
    result[i] = makers[i].name;
  return result;
}();

/// Returns the number after the prefix. Returns null if the prefix is missing or the rest of the
/// name is not a number.
std::optional<std::uint32_t> number_after(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

}  // namespace

std::span<const std::string_view> scene_names() {
  return names;
}

std::optional<Scene> make_scene(std::string_view name) {
  std::optional<Scene> scene;
  for (const NamedMaker& maker : makers) {
    if (maker.name == name) scene = maker.make();
  }
  const auto boxes = number_after("boxes", name);
  if (boxes && *boxes >= 1 && *boxes <= max_boxes) scene = make_boxes(*boxes);
  if (const auto seed = number_after("random", name)) scene = make_random_scene(*seed);
  if (!scene) scene = make_member(name);
  if (!scene) return std::nullopt;
  scene->name = name;
  return scene;
}

}  // namespace jostle::workload
