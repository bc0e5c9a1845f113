#include "shared/sim/default_rules.h"

#include "shared/sim/grabs.h"
#include "shared/sim/player_control.h"
#include "shared/sim/pushes.h"
#include "shared/sim/scene_script.h"
#include "shared/sim/shots.h"

namespace jostle::sim {

std::vector<std::unique_ptr<Rule>> default_rules() {
  std::vector<std::unique_ptr<Rule>> rules;
  rules.push_back(std::make_unique<SceneScript>());
  rules.push_back(std::make_unique<PlayerControl>());
  rules.push_back(std::make_unique<Pushes>());
  rules.push_back(std::make_unique<Shots>());
  rules.push_back(std::make_unique<Grabs>());
  return rules;
}

}  // namespace jostle::sim
