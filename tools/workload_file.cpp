#include "tools/workload_file.h"

#include "shared/command_line/suggestion.h"
#include "shared/net/system_io.h"
#include "tools/bench/scene_file.h"
#include "tools/workload/families.h"
#include "tools/workload/scenes.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

constexpr std::string_view scene_file_ending = ".scene.json";

/// Returns the error for a name that looks like FAMILY@SEED but names no scene.
std::string member_fault(const std::string& name) {
  const std::string family = name.substr(0, name.find(workload::seed_separator));
  std::string known;
  std::vector<std::string> names;
  for (const workload::Family& each : workload::families()) {
    known += std::string(known.empty() ? "" : ", ") + std::string(each.name);
    names.emplace_back(each.name);
  }
  if (std::ranges::find(names, family) != names.end()) {
    return "scene '" + name + "': the seed after '" + workload::seed_separator +
           "' is not a whole number from 0 to " + std::to_string(workload::max_seed);
  }
  return "there is no family of scenes '" + family + "': use one of " + known +
         command_line::suggestion(family, names);
}

}  // namespace

base::Result<LoadedScene, std::string> load_workload(const std::string& name) {
  if (auto scene = workload::make_scene(name)) return LoadedScene{*std::move(scene), std::nullopt};
  if (name.find(workload::seed_separator) != std::string::npos &&
      !name.ends_with(scene_file_ending))
    return member_fault(name);
  if (!name.ends_with(scene_file_ending)) {
    std::string known;
    std::vector<std::string> names;
    for (const std::string_view each : workload::scene_names()) {
      known += std::string(known.empty() ? "" : ", ") + std::string(each);
      names.emplace_back(each);
    }
    return "there is no benchmark scene '" + name + "': use one of " + known + ", boxes1 to boxes" +
           std::to_string(workload::max_boxes) + ", random0 to random" +
           std::to_string(workload::max_seed) + ", a family with a seed such as " +
           std::string(workload::families().front().name) + workload::seed_separator +
           "1, or a file that ends in " + std::string(scene_file_ending) +
           command_line::suggestion(name, names);
  }
  net::SystemIo io;
  const auto bytes = io.read_file(name, scene::max_scene_file_bytes);
  if (!bytes) return "'" + name + "': " + std::string(net::describe(bytes.error()));
  auto def =
      scene::parse_scene({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, name);
  if (!def) return def.error().text();
  if (!bench::has_workload(*def)) {
    return "'" + name +
           "': benchmarks do not support joints of the kinds wheel, six_dof, servo, gear, "
           "rack_and_pinion and pulley, or joints with "
           "tension_only";
  }
  if (!def->explosions.empty())
    return "'" + name + "': benchmarks do not support the explosions of a scene";
  workload::Scene scene = bench::to_workload(*def);
  return LoadedScene{std::move(scene), *std::move(def)};
}

}  // namespace jostle::tools
