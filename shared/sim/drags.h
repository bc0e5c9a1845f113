#pragma once

#include "shared/sim/rule.h"

namespace jostle::sim {

/// Drag actions: pulls a point of a body towards a point of the world, for as long as the action
/// comes.
class Drags final : public Rule {
 public:
  std::string_view name() const override { return "drags"; }
  void before_step(Stage& stage) override;
};

}  // namespace jostle::sim
