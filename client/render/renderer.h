#pragma once

#include "client/render/debug_draw_mesh.h"
#include "client/render/gl_objects.h"
#include "client/render/instances.h"
#include "client/render/shader_program.h"
#include "client/render/shaders.h"
#include "client/render/shadow_frustum.h"
#include "client/render/shadow_map.h"
#include "shared/base/result.h"
#include "shared/shape_mesh/mesh.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::render {

struct RenderOptions {
  Size size;
  int samples = 4;          // samples per pixel for multisampling; 0 or 1: off
  int shadow_size = 2'048;  // texels along a side of the shadow map; 0: no shadows
  int shadow_taps = 4;      // 1 or 4: samples of the shadow map per pixel; 4 are softer
};

/// Renderer of pictures of the world into an offscreen framebuffer, which is then presented or read
/// back.
class Renderer {
 public:
  /// Creates a renderer. An OpenGL 3.3 core context must be current during its lifetime. The error
  /// is a message for the user, such as the shader compiler's.
  static base::Result<Renderer, std::string> create(const GlFunctions& gl,
                                                    const RenderOptions& options);
  /// Creates a renderer with other shaders than shader_sources(), for tests.
  static base::Result<Renderer, std::string> create(const GlFunctions& gl,
                                                    const RenderOptions& options,
                                                    const ShaderSources& sources);

  void resize(Size size);
  Size size() const { return options_.size; }

  /// Draws the picture and leaves the framebuffer bound, so that panels can be drawn on top. A
  /// software renderer takes long, so `meanwhile` is called repeatedly while it works, to process
  /// network packets. `meanwhile` may change the bodies and the debug draw frame of `picture`: they
  /// are not read after its first call.
  void draw(const Picture& picture, const std::function<void()>& meanwhile);
  /// Copies the framebuffer to the window, scaled. `window` is the window's size in pixels.
  void present(Size window);
  /// Waits until all pending OpenGL commands are done, and calls `meanwhile` repeatedly until then.
  void finish(const std::function<void()>& meanwhile);
  /// Returns the pixels of the framebuffer, three bytes each (sRGB), top row first.
  std::vector<std::uint8_t> read_pixels();

 private:
  /// A mesh on the GPU. Without indices, every three vertices are a triangle.
  struct GpuMesh {
    GlObject array, vertices, indices;
    GLsizei vertex_count = 0, index_count = 0;
  };

  Renderer(const GlFunctions& gl, const RenderOptions& options);

  std::optional<std::string> build_programs(const ShaderSources& sources);
  void build_meshes();
  bool build_targets();
  GpuMesh upload_mesh(std::span<const shape_mesh::MeshVertex> vertices,
                      std::span<const std::uint16_t> indices) const;
  void keep_solids(const InstanceList& list);
  void draw_instances(const GpuMesh& mesh, std::size_t first, std::size_t count);
  void upload(const InstanceList& list);
  void draw_bodies(const InstanceList& list, const Picture& picture, const ShadowFrustum& frustum);
  void draw_shapes(const InstanceList& list);
  void draw_groups(const InstanceList& list, std::span<const GpuMesh> meshes, std::size_t begin,
                   std::size_t end);
  void draw_solids(const InstanceList& list);
  void draw_shadows(const InstanceList& list, const ShadowFrustum& frustum);
  void draw_ground(const InstanceList& list, const Picture& picture);
  void draw_sky(const View& view);
  void draw_debug_draw(const Picture& picture);
  void set_common(const ShaderProgram& program, const Picture& picture,
                  const ShadowFrustum& frustum);
  bool has_samples() const { return options_.samples > 1; }

  const GlFunctions* gl_;
  RenderOptions options_;
  ShaderProgram shape_, speck_, shadow_, ground_, sky_, debug_draw_;
  // meshes, and shadow casters with positions only
  std::array<GpuMesh, mesh_slot_count> meshes_, casters_;
  std::map<std::uint64_t, GpuMesh> solids_;  // meshes of the last picture, keyed by content hash
  GlObject instances_, empty_array_, debug_draw_array_, debug_draw_vertices_;
  std::vector<DebugDrawVertex> debug_draw_mesh_;
  std::optional<ShadowMap> shadow_map_;
  GlObject frame_, frame_colour_, frame_depth_;
  // multisampled framebuffer, used only if has_samples()
  GlObject sampled_, sampled_colour_, sampled_depth_;
  InstanceBuilder builder_;
};

}  // namespace jostle::render
