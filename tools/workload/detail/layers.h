#pragma once

#include "tools/workload/random.h"
#include "tools/workload/scene.h"

#include <cstdint>

namespace jostle::workload {

/// Distributes bodies over the cells of horizontal layers, from the lowest layer upwards, so that
/// bodies that fit into their cells do not overlap.
class Layers {
 public:
  /// The layers extend from −half_x to half_x and from −half_z to half_z about `centre`, whose y is
  /// the height of the lowest layer's bottom.
  Layers(math::Vec3 centre, float half_x, float half_z)
      : centre_(centre), half_x_(half_x), half_z_(half_z), bottom_(centre.y) {}

  /// Begins a layer of cells of this width in x and z, and of this height.
  void begin(float width, float height);
  /// Returns the centre of the next cell. Begins a layer of equal cells if the layer is full.
  math::Vec3 next();
  /// Returns the height above which all cells are free, in m.
  float top() const { return used_ > 0 ? bottom_ + height_ : bottom_; }

 private:
  math::Vec3 centre_;
  float half_x_ = 0, half_z_ = 0, bottom_ = 0, width_ = 1, height_ = 1;
  int columns_ = 1, rows_ = 1, used_ = 0;
};

/// Adds a dynamic body of this shape with a random rotation at the centre of the next cell. Returns
/// the index of the body.
std::uint32_t add_tumbled(Scene& scene, Random& random, Layers& layers, std::uint32_t shape);

/// Draws `kinds` shapes with draw_chunk(), of sizes from `smallest` to `largest`, and adds `count`
/// bodies of them to cells that any of them fits into. Returns the index of the first body.
std::uint32_t add_chunks(Scene& scene, Random& random, Layers& layers, int kinds, int count,
                         float smallest, float largest);

/// Adds a part to a body.
void add_part(Scene& scene, std::uint32_t body, std::uint32_t shape, math::Vec3 offset,
              math::Quat rotation = {});

/// Returns half of the width of a square region in which `count` cells of this width make about
/// `layers` layers.
float half_width_for(int count, float cell, float layers);

}  // namespace jostle::workload
