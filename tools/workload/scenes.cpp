#include "tools/workload/scenes.h"

#include "tools/workload/detail/makers.h"

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

constexpr std::string_view boxes_prefix = "boxes";
constexpr std::uint32_t max_boxes = 1'000'000;

std::optional<std::uint32_t> box_count(std::string_view name) {
  if (!name.starts_with(boxes_prefix)) return std::nullopt;
  name.remove_prefix(boxes_prefix.size());
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), count);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  if (count < 1 || count > max_boxes) return std::nullopt;
  return count;
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
  if (!scene) {
    const auto count = box_count(name);
    if (!count) return std::nullopt;
    scene = make_boxes(*count);
  }
  scene->name = name;
  return scene;
}

}  // namespace jostle::workload
