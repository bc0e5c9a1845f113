#pragma once

#include "client/render/debug_draw_mesh.h"
#include "client/render/instances.h"
#include "client/render/scene_uniforms.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::web {

/// One frame for the page, which reads it at its address (web/page/src/frame.ts has the same
/// layout). Pointers are addresses in the module's memory, valid until the next frame.
struct Frame {
  std::uint32_t is_ready = 0;  // 0: there is no world to draw
  std::uint32_t instances = 0, instance_count = 0;
  std::uint32_t first =
      0;  // address of 2 · mesh_slot_count + 1 indices, one group of instances each
  std::uint32_t solids = 0, solid_count = 0;           // SolidRange
  std::uint32_t grounds = 0, ground_count = 0;         // render::GroundUniforms
  std::uint32_t debug_draw = 0, debug_draw_count = 0;  // render::DebugDrawVertex
  std::uint32_t tags = 0, tag_count = 0;               // NameTag
  std::uint32_t hovered = 0;  // id of the body under the cursor that a drag would grab
  std::uint32_t bodies = 0, awake_bodies = 0, particles = 0;
  std::array<float, 16> clip_from_offset{}, shadow_from_offset{};
  float shadow_texel = 0, fog_density = 0;
  math::Vec3 sun, view_right, view_up, view_forward;
};

/// The instances of one hull, mesh or height field.
struct SolidRange {
  std::uint32_t index = 0;  // index of the mesh in solid_corners()
  std::uint32_t first = 0, count = 0;
};

/// The name of a player's body, and its place in the picture in pixels.
struct NameTag {
  float x = 0, y = 0;
  std::uint32_t body = 0, is_own = 0;
};

/// Builder of frames, which reuses the memory of earlier ones.
class SceneView {
 public:
  /// `shadow_size` is the number of texels along a side of the shadow map.
  const Frame& build(const render::Picture& picture, render::Size size, int shadow_size);
  /// Returns the triangles of a solid that SolidRange::index names. Indices are not reused.
  std::shared_ptr<const state::Solid> solid(std::uint32_t index) const;

 private:
  void add_tags(const render::Picture& picture, render::Size size);
  void add_solids(const render::InstanceList& list);
  void set_uniforms(const render::Picture& picture, render::Size size, int shadow_size);

  render::InstanceBuilder builder_;
  Frame frame_;
  std::array<std::uint32_t, render::InstanceList::group_count + 1> first_{};
  std::vector<SolidRange> solids_;
  std::vector<render::GroundUniforms> grounds_;
  std::vector<render::DebugDrawVertex> debug_draw_;
  std::vector<NameTag> tags_;
  struct KnownSolid {
    std::uint32_t index = 0;
    std::shared_ptr<const state::Solid> solid;
  };
  std::map<std::uint64_t, KnownSolid> known_;  // solids of the last frame, by content hash
  std::uint32_t next_solid_ = 0;
};

}  // namespace jostle::web
