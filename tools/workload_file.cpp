#include "tools/workload_file.h"

#include "shared/command_line/suggestion.h"
#include "shared/net/system_io.h"
#include "tools/bench/scene_file.h"
#include "tools/workload/scenes.h"

#include <string_view>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

constexpr std::string_view scene_file_ending = ".scene.json";

}  // namespace

base::Result<LoadedScene, std::string> load_workload(const std::string& name) {
  if (auto scene = workload::make_scene(name)) return LoadedScene{*std::move(scene), std::nullopt};
  if (!name.ends_with(scene_file_ending)) {
    std::string known;
    std::vector<std::string> names;
    for (const std::string_view each : workload::scene_names()) {
      known += std::string(known.empty() ? "" : ", ") + std::string(each);
      names.emplace_back(each);
    }
    return "there is no benchmark scene '" + name + "': use one of " + known + ", boxes1 to boxes" +
           std::to_string(workload::max_boxes) + ", random0 to random" +
           std::to_string(workload::max_seed) + ", or a file that ends in " +
           std::string(scene_file_ending) + command_line::suggestion(name, names);
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
