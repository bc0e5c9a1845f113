#include "shared/reference/rotation.h"

#include <cmath>

namespace jostle::reference {

Rotation operator*(Rotation a, Rotation b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

Rotation normalized(Rotation q) {
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / length, q.y / length, q.z / length, q.w / length};
}

Rotation widened(math::Quat q) {
  return normalized({static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
                     static_cast<double>(q.w)});
}

Mat3d to_matrix(Rotation q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
          {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
          {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

Rotation turned(Rotation q, Vec3d omega, double h) {
  const Rotation rate = Rotation{omega.x, omega.y, omega.z, 0} * q;
  return normalized({q.x + 0.5 * h * rate.x, q.y + 0.5 * h * rate.y, q.z + 0.5 * h * rate.z,
                     q.w + 0.5 * h * rate.w});
}

double angle_of(double y, double x) {
  constexpr double pi = 3.14159265358979323846;
  if (x == 0 && y == 0) return 0;
  if (x < 0) return (y < 0 ? -pi : pi) - angle_of(y, -x);
  // The point (x + √(x² + y²), y) has half the angle. Four halvings reduce it below 0.1 rad.
  constexpr int halvings = 4;
  double factor = 1;
  for (int i = 0; i < halvings; ++i) {
    x += std::sqrt(x * x + y * y);
    factor *= 2;
  }
  // atan t = t − t³/3 + t⁵/5 − …. The term t¹⁹/19 is below the precision of a double relative to t.
  const double t = y / x;
  double power = t, sum = 0;
  for (int k = 1; k <= 17; k += 2) {
    sum += power / k;
    power *= -t * t;
  }
  return factor * sum;
}

Mat3d operator*(const Mat3d& a, const Mat3d& b) {
  return {a * b.cx, a * b.cy, a * b.cz};
}

Mat3d transposed(const Mat3d& m) {
  return {{m.cx.x, m.cy.x, m.cz.x}, {m.cx.y, m.cy.y, m.cz.y}, {m.cx.z, m.cy.z, m.cz.z}};
}

Mat3d inverse(const Mat3d& m) {
  const double determinant = dot(m.cx, cross(m.cy, m.cz));
  if (determinant == 0) return zero_matrix();
  const double scale = 1 / determinant;
  return transposed(
      {cross(m.cy, m.cz) * scale, cross(m.cz, m.cx) * scale, cross(m.cx, m.cy) * scale});
}

Vec3d perpendicular(Vec3d n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const Vec3d least = x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  const Vec3d across = cross(n, least);
  return across * (1 / length(across));
}

}  // namespace jostle::reference
