#pragma once

#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace jostle::state {

/// A sinusoidal oscillation per axis: amplitude·sin(2π(t/period + phase)), with t from the scene's
/// start.
struct Swing {
  math::Vec3 amplitude;
  math::Vec3 period{1, 1, 1};  // period per axis, s, above 0
  math::Vec3 phase;            // turns

  bool operator==(const Swing&) const = default;
};

/// The times of an event that happens once or periodically.
struct Moments {
  double start = 0;         // s from the scene's start
  double every = 0;         // period in s; 0: once
  std::uint32_t count = 0;  // number of times, if `every` is set; 0: unlimited

  bool operator==(const Moments&) const = default;
};
/// Returns how many of the times belong to step number `step`, counted from 0 at the scene's start.
/// A time belongs to the step that begins nearest to it; times before step 0 belong to step 0.
double moments_at(const Moments& moments, std::uint32_t step, float step_seconds);

/// An impulse, applied once or periodically.
struct ImpulsePush {
  math::Vec3 impulse;       // N·s
  math::Vec3 point;         // m from the centre of mass, along the world's axes
  double every = 0;         // period in s; 0: once
  std::uint32_t count = 0;  // number of times, if `every` is set; 0: unlimited

  bool operator==(const ImpulsePush&) const = default;
};

/// A linear velocity (m/s) that is set before every step.
struct VelocityPush {
  Swing swing;

  bool operator==(const VelocityPush&) const = default;
};

/// A damped spring, per unit mass, from a body's position to a target that oscillates around
/// `centre`.
struct FollowPush {
  math::Position centre;
  Swing swing;                                 // amplitude in m
  float stiffness = 0;                         // 1/s²
  float damping = 0;                           // 1/s
  float max_acceleration = 0;                  // m/s²
  std::array<bool, 3> axes{true, true, true};  // axes along which it acts

  bool operator==(const FollowPush&) const = default;
};

/// An actuator: a scripted action of the scene on some of its dynamic bodies.
struct Push {
  std::vector<std::uint32_t> bodies;  // indices into the scene's bodies
  /// Start and end in s from the scene's start, rounded to the nearest step. The push acts before
  /// the steps from `start` (included) to `end` (excluded). An impulse acts before the step that
  /// begins nearest to its time.
  double start = 0;
  double end = std::numeric_limits<double>::infinity();
  std::variant<ImpulsePush, VelocityPush, FollowPush> kind;

  bool operator==(const Push&) const = default;
};

/// State of a body that a push depends on: the position of its frame, the velocity of its centre of
/// mass, and its mass in kg.
struct PushedBody {
  math::Position position;
  math::Vec3 velocity;
  float mass = 0;
};

// The effects that a push can have before one step. An effect is the same for all bodies of the
// push.

struct Shove {
  math::Vec3 impulse;  // N·s
  math::Vec3 point;    // m from the centre of mass, along the world's axes
};

/// A velocity that replaces the body's linear velocity and wakes the body.
struct Drive {
  math::Vec3 velocity;  // m/s
};

/// A central impulse that depends on the body's state; impulse_of computes it.
struct Pull {
  math::Position target;
  const FollowPush* push = nullptr;  // points into the Push, which must outlive this object
  float step_seconds = 0;
};

using PushEffect = std::variant<Shove, Drive, Pull>;

/// Returns the effect of the push before step number `step`, counted from 0 at the scene's start.
/// Returns nothing if the push does not act before that step.
std::optional<PushEffect> effect_of(const Push& push, std::uint32_t step, float step_seconds);

/// Returns the impulse of the spring for one step, at the body's centre of mass, in N·s. The
/// acceleration is limited to `max_acceleration`. Returns zero if the acceleration is not finite,
/// because the body is too fast or too far away.
math::Vec3 impulse_of(const Pull& pull, const PushedBody& body);

}  // namespace jostle::state
