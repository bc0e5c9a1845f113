#include "shared/forces/rotations.h"

#include <cmath>

namespace jostle::forces {

using math::Vec3d;

namespace {

Vec3d divided(Vec3d v, Vec3d by) {
  return {v.x / by.x, v.y / by.y, v.z / by.z};
}
Vec3d multiplied(Vec3d v, Vec3d by) {
  return {v.x * by.x, v.y * by.y, v.z * by.z};
}
Turn normalized(const Turn& q) {
  const double size = std::sqrt(q.w * q.w + dot(q.v, q.v));
  return {q.w / size, q.v * (1 / size)};
}

/// Returns the rotation with axis u and tan(angle/2) = |u|.
Turn cayley(Vec3d u) {
  return normalized({1, u});
}

/// Advances the orientation q with a constant angular momentum L. q follows by the Cayley map of ω
/// at the midpoint of the step, in the body frame. ω comes from the midpoint rule for dL/dt = L ×
/// ω, which rotates L by the same map.
TurningState by_momentum(const TurningState& state, Vec3d moments, double h) {
  constexpr int most = 60;
  constexpr double small = 1e-32;  // limit of the squared change, relative to |L|²
  const Vec3d start = turned_back(state.orientation, state.momentum);
  Vec3d momentum = start;
  for (int i = 0; i < most; ++i) {
    const Vec3d next = start + cross(momentum, divided(momentum, moments)) * (0.5 * h);
    const Vec3d change = next - momentum;
    momentum = next;
    if (dot(change, change) <= small * dot(start, start)) break;
  }
  const Vec3d rate = divided(momentum, moments);
  return {normalized(state.orientation * cayley(rate * (0.5 * h))), state.momentum};
}

/// Advances ω in the body frame by Euler's equations, I·ω̇ = τ + I·ω × ω, and q along ω at the
/// midpoint. Both use the explicit midpoint rule. L follows from them.
TurningState in_body_frame(const TurningState& state, Vec3d moments, Vec3d torque, double h) {
  const auto acceleration = [&](const Turn& orientation, Vec3d rate) {
    const Vec3d seen = turned_back(orientation, torque);
    return divided(seen + cross(multiplied(rate, moments), rate), moments);
  };
  const Turn& q = state.orientation;
  const Vec3d start = divided(turned_back(q, state.momentum), moments);
  const Vec3d middle = start + acceleration(q, start) * (0.5 * h);
  const Turn q_middle = q * cayley(start * (0.25 * h));
  const Vec3d end = start + acceleration(q_middle, middle) * h;
  const Turn after = normalized(q * cayley(middle * (0.5 * h)));
  return {after, turned(after, multiplied(end, moments))};
}

/// Returns q̇ = ½·ω·q.
Turn slope(const Turn& q, Vec3d momentum, Vec3d moments) {
  const Vec3d rate = angular_velocity({q, momentum}, moments);
  const Turn product = Turn{0, rate} * q;
  return {0.5 * product.w, product.v * 0.5};
}
Turn added(const Turn& q, const Turn& change, double h) {
  return {q.w + change.w * h, q.v + change.v * h};
}

TurningState by_quaternion(const TurningState& state, Vec3d moments, Vec3d torque, double h) {
  const Turn& q = state.orientation;
  const Vec3d l0 = state.momentum, l1 = l0 + torque * (0.5 * h), l2 = l0 + torque * h;
  const Turn a = slope(q, l0, moments);
  const Turn b = slope(added(q, a, 0.5 * h), l1, moments);
  const Turn c = slope(added(q, b, 0.5 * h), l1, moments);
  const Turn d = slope(added(q, c, h), l2, moments);
  const Turn sum = added(added(added(a, b, 2), c, 2), d, 1);
  return {normalized(added(q, sum, h / 6)), l2};
}

}  // namespace

Turn operator*(const Turn& a, const Turn& b) {
  return {a.w * b.w - dot(a.v, b.v), b.v * a.w + a.v * b.w + cross(a.v, b.v)};
}

Vec3d turned(const Turn& turn, Vec3d v) {
  // Divides by the squared length, because the stages of the Runge–Kutta method are not unit
  // quaternions.
  const double size = turn.w * turn.w + dot(turn.v, turn.v);
  const Vec3d t = cross(turn.v, v) * (2 / size);
  return v + t * turn.w + cross(turn.v, t);
}
Vec3d turned_back(const Turn& turn, Vec3d v) {
  return turned({turn.w, -turn.v}, v);
}

Vec3d angular_velocity(const TurningState& state, Vec3d moments) {
  return turned(state.orientation,
                divided(turned_back(state.orientation, state.momentum), moments));
}

double turning_energy(const TurningState& state, Vec3d moments) {
  return 0.5 * dot(state.momentum, angular_velocity(state, moments));
}

TurningState advanced(RotationForm form, const TurningState& state, Vec3d moments, Vec3d torque,
                      double h) {
  switch (form) {
    case RotationForm::Quaternion:
      return by_quaternion(state, moments, torque, h);
    case RotationForm::BodyFrame:
      return in_body_frame(state, moments, torque, h);
    case RotationForm::AngularMomentum:
      break;
  }
  TurningState kicked = state;
  kicked.momentum = kicked.momentum + torque * (0.5 * h);
  kicked = by_momentum(kicked, moments, h);
  kicked.momentum = kicked.momentum + torque * (0.5 * h);
  return kicked;
}

}  // namespace jostle::forces
