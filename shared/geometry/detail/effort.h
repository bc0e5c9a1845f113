#pragma once

#include <cstdint>

namespace jostle::geometry::detail {

/// What a decomposition may still take: tests of a face or a triangle against a cube or a plane, so
/// that a mesh that asks for too much is refused on every machine alike.
class Effort {
 public:
  explicit Effort(std::uint64_t most) : left_(most) {}
  bool is_spent() const { return left_ == 0; }
  void spend(std::uint64_t tests) { left_ -= tests < left_ ? tests : left_; }

 private:
  std::uint64_t left_ = 0;
};

}  // namespace jostle::geometry::detail
