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

/// sRGB, alpha unused.
struct Colour {
  std::uint8_t red = 200, green = 200, blue = 200;

  bool operator==(const Colour&) const = default;
};

/// One shape of a body as clients see it.
struct BodyShape {
  Shape shape;
  math::Transform local;  // pose in the body's frame

  bool operator==(const BodyShape&) const = default;
};

/// What a client must know of a body to draw and pick it. Poses of bodies that move come in
/// snapshots; `pose` is where it came into being, which is also the first baseline of its coding.
struct BodyInfo {
  BodyId id;
  MotionType motion = MotionType::Dynamic;
  math::Pose pose;
  std::vector<BodyShape> shapes;
  Colour colour;
  PlayerId owner;  // the player whose body it is, or null
  bool grabbable = true;
  std::string name;  // may be empty

  bool operator==(const BodyInfo&) const = default;
};

/// Where a viewer looks from, to begin with.
struct Camera {
  math::Position eye{12, 8, 12};
  math::Position target{0, 1, 0};

  bool operator==(const Camera&) const = default;
};

/// The bodies of a world at one revision, sorted by id. The revision goes up by one with every
/// tick in which bodies come or go, scene resets included.
struct WorldDef {
  std::uint32_t revision = 0;
  std::string scene_name;
  Camera camera;
  std::vector<BodyInfo> bodies;

  bool operator==(const WorldDef&) const = default;
};

/// From revision − 1 to revision: first the despawns, then the spawns.
struct WorldChange {
  std::uint32_t revision = 0;
  std::vector<BodyId> despawns;  // sorted
  std::vector<BodyInfo> spawns;  // sorted by id

  bool operator==(const WorldChange&) const = default;
};

}  // namespace jostle::state
