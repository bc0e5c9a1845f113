#pragma once

#include "shared/sim/rule.h"

#include <cstdint>

namespace jostle::sim {

/// The rule for the scripted parts of a scene. Before a step, kinematic bodies follow their
/// scripted motions, then the scene's pushes act in their order, then its explosions. After a step,
/// its sensors act on the bodies that entered them. Bodies that no longer exist are skipped.
class SceneScript final : public Rule {
 public:
  /// Returns "courses", the name that recordings store. The name is from a version in which this
  /// rule handled only scripted motions, called courses.
  std::string_view name() const override { return "courses"; }
  std::unique_ptr<Rule> another() const override { return std::make_unique<SceneScript>(); }
  void reset(RuleContext& context) override;
  void before_step(RuleContext& context) override;
  /// Moves or destroys the dynamic bodies that entered a sensor, as the sensor's body specifies.
  /// Bodies that players own are moved, but not destroyed.
  void after_step(RuleContext& context) override;
  void skip_steps(RuleContext& context, std::uint32_t steps) override;
  void save(base::ByteWriter& writer) const override;
  void restore(base::ByteReader& reader, const BodyRegistry& bodies) override;

 private:
  void apply_kinematic_motions(RuleContext& context, std::uint32_t step, bool is_skipped) const;
  void push_bodies(RuleContext& context, std::uint32_t step) const;
  void explode(RuleContext& context, std::uint32_t step) const;

  std::uint32_t steps_ = 0;     // number of world steps since the scene's start
  std::uint32_t first_id_ = 1;  // the scene's bodies have consecutive ids starting with this one
};

}  // namespace jostle::sim
