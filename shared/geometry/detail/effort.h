#pragma once

#include <cstdint>

namespace jostle::geometry::detail {

/// The work budget of a decomposition: a number of tests of a face or a triangle against a cube or
/// a plane. Because work is counted instead of time, the same meshes are rejected as too complex on
/// every machine.
class Effort {
 public:
  explicit Effort(std::uint64_t most) : left_(most) {}
  bool is_spent() const { return left_ == 0; }
  void spend(std::uint64_t tests) { left_ -= tests < left_ ? tests : left_; }

 private:
  std::uint64_t left_ = 0;
};

}  // namespace jostle::geometry::detail
