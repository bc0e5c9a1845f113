#pragma once

#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace jostle::state {

/// One swing per axis: amplitude·sin(2π(t/period + phase)), t from the scene's start.
struct Swing {
  math::Vec3 amplitude;
  math::Vec3 period{1, 1, 1};  // s, above 0
  math::Vec3 phase;            // turns

  bool operator==(const Swing&) const = default;
};

/// A moment, or some that repeat.
struct Moments {
  double start = 0;         // s from the scene's start
  double every = 0;         // s from one to the next; 0: once
  std::uint32_t count = 0;  // with `every`: how many; 0: for ever

  bool operator==(const Moments&) const = default;
};
/// How many of them take place before step number `step`, counted from 0 at the scene's start:
/// those that it is the nearest to.
double moments_at(const Moments& moments, std::uint32_t step, float step_seconds);

/// An impulse at a moment, or again and again.
struct ImpulsePush {
  math::Vec3 impulse;       // N·s
  math::Vec3 point;         // m from the centre of mass, along the world's axes
  double every = 0;         // s from one to the next; 0: once
  std::uint32_t count = 0;  // with `every`: how many; 0: for ever

  bool operator==(const ImpulsePush&) const = default;
};

/// A linear velocity (m/s) that is set before each step.
struct VelocityPush {
  Swing swing;

  bool operator==(const VelocityPush&) const = default;
};

/// A damped spring in unit mass between a body's position and a target that swings around `centre`.
struct FollowPush {
  math::Position centre;
  Swing swing;                                 // amplitude in m
  float stiffness = 0;                         // 1/s²
  float damping = 0;                           // 1/s
  float max_acceleration = 0;                  // m/s²
  std::array<bool, 3> axes{true, true, true};  // along which it acts

  bool operator==(const FollowPush&) const = default;
};

/// What a scene does by itself to some of its dynamic bodies.
struct Push {
  std::vector<std::uint32_t> bodies;  // indices into the scene's bodies
  /// s from the scene's start. What has a moment takes place before the step that begins nearest to
  /// it; the steps from `start` on and before `end` are pushed.
  double start = 0;
  double end = std::numeric_limits<double>::infinity();
  std::variant<ImpulsePush, VelocityPush, FollowPush> kind;

  bool operator==(const Push&) const = default;
};

/// What a push needs to know of a body: the position of its frame, the velocity of its centre of
/// mass, and its mass in kg.
struct PushedBody {
  math::Position position;
  math::Vec3 velocity;
  float mass = 0;
};

// What a push does before one step, to each of its bodies alike.

struct Shove {
  math::Vec3 impulse;  // N·s
  math::Vec3 point;    // m from the centre of mass, along the world's axes
};

/// Sets the linear velocity and wakes the body.
struct Drive {
  math::Vec3 velocity;  // m/s
};

/// A central impulse that depends on the body: impulse_of.
struct Pull {
  math::Position target;
  const FollowPush* push = nullptr;  // lives as long as the push that it was made of
  float step_seconds = 0;
};

using PushEffect = std::variant<Shove, Drive, Pull>;

/// What the push does before step number `step`, counted from 0 at the scene's start; nothing
/// outside of its time.
std::optional<PushEffect> effect_of(const Push& push, std::uint32_t step, float step_seconds);

/// N·s at the centre of mass of this body; none where its velocity would make it overflow.
math::Vec3 impulse_of(const Pull& pull, const PushedBody& body);

}  // namespace jostle::state
