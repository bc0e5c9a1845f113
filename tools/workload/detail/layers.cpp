#include "tools/workload/detail/layers.h"

#include "shared/base/assert.h"
#include "tools/workload/detail/draw.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/reach.h"

#include <algorithm>
#include <cmath>

namespace jostle::workload {
namespace {

constexpr float gap = 0.02f;  // m, between the bounding spheres of neighbours

}  // namespace

void Layers::begin(float width, float height) {
  bottom_ = top();
  used_ = 0;
  width_ = width;
  height_ = height;
  columns_ = static_cast<int>(2 * half_x_ / width);
  rows_ = static_cast<int>(2 * half_z_ / width);
  JOSTLE_ASSERT(columns_ > 0 && rows_ > 0);
}

math::Vec3 Layers::next() {
  if (used_ == columns_ * rows_) begin(width_, height_);
  const int column = used_ / rows_, row = used_ % rows_;
  ++used_;
  const float x = static_cast<float>(column) - 0.5f * static_cast<float>(columns_ - 1);
  const float z = static_cast<float>(row) - 0.5f * static_cast<float>(rows_ - 1);
  return {centre_.x + width_ * x, bottom_ + 0.5f * height_, centre_.z + width_ * z};
}

std::uint32_t add_tumbled(Scene& scene, Random& random, Layers& layers, std::uint32_t shape) {
  const math::Vec3 place = layers.next();
  return add_body(scene, Motion::Dynamic, shape, place, random.rotation());
}

std::uint32_t add_chunks(Scene& scene, Random& random, Layers& layers, int kinds, int count,
                         float smallest, float largest) {
  const auto first_shape = static_cast<std::uint32_t>(scene.shapes.size());
  float farthest = 0;
  for (int i = 0; i < kinds; ++i) {
    const float size = random.between(smallest, largest);
    const std::uint32_t shape = add_shape(scene, draw_chunk(random, size));
    farthest = std::max(farthest, reach(scene.shapes[shape]));
  }
  const auto first_body = static_cast<std::uint32_t>(scene.bodies.size());
  layers.begin(2 * farthest + gap, 2 * farthest + gap);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t kind = pick(random, static_cast<std::uint32_t>(kinds));
    add_tumbled(scene, random, layers, first_shape + kind);
  }
  return first_body;
}

void add_part(Scene& scene, std::uint32_t body, std::uint32_t shape, math::Vec3 offset,
              math::Quat rotation) {
  Part part;
  part.shape = shape;
  part.local = {offset, rotation};
  scene.bodies[body].parts.push_back(part);
}

float half_width_for(int count, float cell, float layers) {
  return std::max(0.5f * cell * std::ceil(std::sqrt(static_cast<float>(count) / layers)), cell);
}

}  // namespace jostle::workload
