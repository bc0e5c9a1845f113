#pragma once

#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"
#include "shared/sim/simulation.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace jostle::bench {

/// Returns a new simulation of scenes/`name`.scene.json at 60 Hz. Exits with code 2 if the file
/// cannot be read or is not a valid scene.
inline std::unique_ptr<sim::Simulation> start(const std::string& name) {
  const std::string path = std::string(JOSTLE_SOURCE_DIR) + "/scenes/" + name + ".scene.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto scene = scene::parse_scene(text, path);
  if (!scene) {
    std::fprintf(stderr, "%s\n", scene.error().text().c_str());
    std::exit(2);
  }
  return std::make_unique<sim::Simulation>(*std::move(scene), sim::SimulationOptions{60, 7},
                                           sim::default_rules());
}

}  // namespace jostle::bench
