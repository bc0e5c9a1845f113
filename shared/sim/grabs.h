#pragma once

#include "shared/sim/rule.h"

namespace jostle::sim {

/// The rule for Grab actions: pulls a point of a body towards a point in the world, for as long as
/// the action is sent, with a force up to the scene's max_grab_force.
class Grabs final : public Rule {
 public:
  std::string_view name() const override { return "drags"; }
  std::unique_ptr<Rule> another() const override { return std::make_unique<Grabs>(); }
  void before_step(RuleContext& context) override;
};

}  // namespace jostle::sim
