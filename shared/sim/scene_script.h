#pragma once

#include "shared/sim/rule.h"

#include <cstdint>

namespace jostle::sim {

/// What the scene does by itself: first kinematic bodies move along their courses, then the scene's
/// pushes act on dynamic ones, in their order, and then its explosions; after the step, its sensors
/// act on who has entered them. Bodies that are gone are left out.
class SceneScript final : public Rule {
 public:
  /// The name that recordings know it by, from when it did nothing else.
  std::string_view name() const override { return "courses"; }
  void reset(Stage& stage) override;
  void before_step(Stage& stage) override;
  /// Whoever has entered a sensor of the scene is moved or taken away, as its body says.
  void after_step(Stage& stage) override;
  void save(base::ByteWriter& writer) const override;
  void restore(base::ByteReader& reader, const BodyRegistry& bodies) override;

 private:
  void follow_courses(Stage& stage, std::uint32_t step) const;
  void push_bodies(Stage& stage, std::uint32_t step) const;
  void explode(Stage& stage, std::uint32_t step) const;

  std::uint32_t steps_ = 0;     // of the world since the scene's start
  std::uint32_t first_id_ = 1;  // the scene's bodies have consecutive ids from here
};

}  // namespace jostle::sim
