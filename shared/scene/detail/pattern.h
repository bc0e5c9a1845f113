#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::scene::detail {

enum class PatternKind : std::uint8_t {
  Grid,
  Stack,
  Row,
  Pyramid,
  SquarePyramid,
  Wall,
  Ring,
  Pour,
};

/// Parameters of a generator's pattern; all values have been checked. The comments name the kinds
/// that use a parameter.
struct Pattern {
  PatternKind kind = PatternKind::Grid;
  std::array<std::uint64_t, 3> counts{1, 1, 1};  // Grid
  std::uint64_t count = 1;                       // Stack, Row, Ring (per layer), Pour
  std::uint64_t rows = 1;                        // Pyramid, SquarePyramid, Wall, Ring
  std::uint64_t columns = 1;                     // Wall
  math::Vec3 spacing;            // distance between neighbours, m; all kinds, Ring only y
  float radius = 1;              // Ring, m
  float area_x = 1, area_z = 1;  // Pour, m
};

/// The pose of one body. `offset` is the position of the middle of the body's underside.
struct Slot {
  math::Vec3 offset;
  math::Quat rotation;
};

/// Returns the number of bodies of a pattern. Counts up to max_scene_bodies do not overflow.
std::uint64_t slot_count(const Pattern& pattern);

/// Returns the poses in the frame of the generator, in the order in which the bodies are numbered.
/// The frame's origin is the middle of the pattern's underside; for Stack and Row, that of the
/// first body.
std::vector<Slot> make_slots(const Pattern& pattern);

}  // namespace jostle::scene::detail
