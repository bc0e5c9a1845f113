#pragma once

#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace jostle::rollback {

/// Returns a simulation of the scene `name` of the folder scenes, before its first tick.
inline sim::Simulation gallery_scene(const std::string& name) {
  const std::string path = JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto scene = scene::parse_scene(text, path);
  EXPECT_TRUE(scene.has_value()) << path;
  return sim::Simulation(*std::move(scene), sim::SimulationOptions{60, 3}, sim::default_rules());
}

}  // namespace jostle::rollback
