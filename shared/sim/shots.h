#pragma once

#include "shared/sim/rule.h"

#include <vector>

namespace jostle::sim {

/// The rule for Shoot and Spawn actions: players launch balls and crates from points at most 100 m
/// from their bodies. Each player has at most max_shots_alive of them; the oldest is removed for a
/// new one. Shots that fall below −200 m are removed too.
class Shots final : public Rule {
 public:
  std::string_view name() const override { return "shots"; }
  std::unique_ptr<Rule> another() const override { return std::make_unique<Shots>(); }
  void reset(RuleContext& context) override;
  void player_left(RuleContext& context, Player& player) override;
  void before_step(RuleContext& context) override;
  void save(base::ByteWriter& writer) const override;
  void restore(base::ByteReader& reader, const BodyRegistry& bodies) override;

  struct Shot {
    state::PlayerId player;
    state::BodyId body;
  };

 private:
  void shoot(RuleContext& context, const Player& player, const state::Action& action);
  void forget_fallen(RuleContext& context);

  std::vector<Shot> shots_;  // oldest first
};

}  // namespace jostle::sim
