#pragma once

#include "shared/sim/rule.h"

#include <vector>

namespace jostle::sim {

/// Shoot and Spawn actions: balls and crates that players send into the world. Each player has at
/// most the scene's number of them alive; the oldest goes when one more comes. What falls out of
/// the world goes too.
class Shots final : public Rule {
 public:
  std::string_view name() const override { return "shots"; }
  void reset(Stage& stage) override;
  void player_left(Stage& stage, Player& player) override;
  void before_step(Stage& stage) override;
  void save(base::ByteWriter& writer) const override;
  void restore(base::ByteReader& reader, const BodyRegistry& bodies) override;

  struct Shot {
    state::PlayerId player;
    state::BodyId body;
  };

 private:
  void shoot(Stage& stage, const Player& player, const state::Action& action);
  void forget_fallen(Stage& stage);

  std::vector<Shot> shots_;  // oldest first
};

}  // namespace jostle::sim
