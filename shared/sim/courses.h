#pragma once

#include "shared/sim/rule.h"

#include <cstdint>

namespace jostle::sim {

/// Moves kinematic bodies along the courses that the scene gives them.
class Courses final : public Rule {
 public:
  std::string_view name() const override { return "courses"; }
  void reset(Stage& stage) override;
  void before_step(Stage& stage) override;
  void save(base::ByteWriter& writer) const override;
  void restore(base::ByteReader& reader, const BodyRegistry& bodies) override;

 private:
  std::uint32_t steps_ = 0;     // of the world since the scene's start
  std::uint32_t first_id_ = 1;  // the scene's bodies have consecutive ids from here
};

}  // namespace jostle::sim
