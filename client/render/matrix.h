#pragma once

#include "shared/math/vec3.h"

#include <array>
#include <cmath>

namespace jostle::render {

/// 4×4 matrix in column-major order, as in OpenGL.
struct Mat4 {
  std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

  float at(std::size_t row, std::size_t column) const { return m[column * 4 + row]; }
  bool operator==(const Mat4&) const = default;
};

/// A point in clip space.
struct Vec4 {
  float x = 0, y = 0, z = 0, w = 0;
};

inline Mat4 operator*(const Mat4& a, const Mat4& b) {
  Mat4 product;
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      float sum = 0;
      for (std::size_t k = 0; k < 4; ++k)
        sum += a.at(row, k) * b.at(k, column);
      product.m[column * 4 + row] = sum;
    }
  }
  return product;
}

inline Vec4 transform(const Mat4& a, math::Vec3 p) {
  return {a.m[0] * p.x + a.m[4] * p.y + a.m[8] * p.z + a.m[12],
          a.m[1] * p.x + a.m[5] * p.y + a.m[9] * p.z + a.m[13],
          a.m[2] * p.x + a.m[6] * p.y + a.m[10] * p.z + a.m[14],
          a.m[3] * p.x + a.m[7] * p.y + a.m[11] * p.z + a.m[15]};
}

/// Returns the rotation from world to view space for an eye at the origin; the view looks along −z.
inline Mat4 view_rotation(math::Vec3 right, math::Vec3 up, math::Vec3 forward) {
  Mat4 view;
  view.m = {right.x, up.x, -forward.x, 0, right.y, up.y, -forward.y, 0,
            right.z, up.z, -forward.z, 0, 0,       0,    0,          1};
  return view;
}

/// Returns a perspective projection; `fov_y` in radians.
inline Mat4 perspective(float fov_y, float aspect, float near, float far) {
  const float f = 1.0f / std::tan(fov_y * 0.5f);
  Mat4 projection;
  projection.m = {f / aspect,
                  0,
                  0,
                  0,
                  0,
                  f,
                  0,
                  0,
                  0,
                  0,
                  (far + near) / (near - far),
                  -1,
                  0,
                  0,
                  2 * far * near / (near - far),
                  0};
  return projection;
}

/// Returns an orthographic projection of the box [−extent, extent]² × [near, far].
inline Mat4 orthographic(float extent, float near, float far) {
  Mat4 projection;
  projection.m = {1 / extent,
                  0,
                  0,
                  0,
                  0,
                  1 / extent,
                  0,
                  0,
                  0,
                  0,
                  2 / (near - far),
                  0,
                  0,
                  0,
                  (far + near) / (near - far),
                  1};
  return projection;
}

inline Mat4 translation(math::Vec3 offset) {
  Mat4 matrix;
  matrix.m[12] = offset.x;
  matrix.m[13] = offset.y;
  matrix.m[14] = offset.z;
  return matrix;
}

}  // namespace jostle::render
