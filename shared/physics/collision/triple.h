#pragma once

#include "shared/math/vec3.h"

#include <array>

namespace jostle::physics {

/// A vector whose components are selected by number.
using Triple = std::array<float, 3>;

constexpr Triple triple(math::Vec3 v) {
  return {v.x, v.y, v.z};
}
constexpr math::Vec3 vector(const Triple& t) {
  return {t[0], t[1], t[2]};
}

}  // namespace jostle::physics
