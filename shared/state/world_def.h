#pragma once

#include "shared/math/transform.h"
#include "shared/state/ids.h"
#include "shared/state/shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::state {

enum class MotionType : std::uint8_t { Static = 0, Kinematic = 1, Dynamic = 2 };
inline constexpr std::uint8_t motion_type_count = 3;

/// An sRGB colour without alpha.
struct Colour {
  std::uint8_t red = 200, green = 200, blue = 200;

  bool operator==(const Colour&) const = default;
};

/// One shape of a body, as clients see it.
struct BodyShape {
  Shape shape;
  math::Transform local;  // pose in the body's frame

  bool operator==(const BodyShape&) const = default;
};

/// The data of a body that a client needs to draw and pick it. Poses of moving bodies are sent in
/// snapshots. `pose` is the initial pose, which is also the first baseline for delta encoding.
struct BodyInfo {
  BodyId id;
  MotionType motion = MotionType::Dynamic;
  math::Pose pose;
  std::vector<BodyShape> shapes;
  Colour colour;
  PlayerId owner;  // player whose body it is, or null
  bool grabbable = true;
  std::string name;  // name for display; may be empty

  bool operator==(const BodyInfo&) const = default;
};

/// The initial camera of a viewer.
struct Camera {
  math::Position eye{12, 8, 12};
  math::Position target{0, 1, 0};

  bool operator==(const Camera&) const = default;
};

/// The bodies of a world at one revision, sorted by id. The revision increases by one in every tick
/// in which bodies are created or removed, including scene resets.
struct WorldDef {
  std::uint32_t revision = 0;
  std::string scene_name;
  Camera camera;
  std::vector<BodyInfo> bodies;

  bool operator==(const WorldDef&) const = default;
};

/// The difference from revision − 1 to revision. Apply the despawns before the spawns.
struct WorldChange {
  std::uint32_t revision = 0;
  std::vector<BodyId> despawns;  // sorted ids
  std::vector<BodyInfo> spawns;  // sorted by id

  bool operator==(const WorldChange&) const = default;
};

}  // namespace jostle::state
