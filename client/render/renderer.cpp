#include "client/render/renderer.h"

#include "client/render/scene_uniforms.h"
#include "client/render/unit_meshes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace jostle::render {

using math::Vec3;

namespace {

constexpr GLuint first_instance_attribute = 3;

const void* buffer_offset(std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): OpenGL takes offsets as pointers
  return reinterpret_cast<const void*>(bytes);
}

// Sets the instance attributes to start at instance `first`: GL 3.3 has no base instance.
void point_at_instances(const GlFunctions& gl, GLuint buffer, std::size_t first) {
  gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
  constexpr auto stride = static_cast<GLsizei>(sizeof(Instance));
  const std::size_t base = first * sizeof(Instance);
  const auto at = [base](std::size_t member) { return buffer_offset(base + member); };
  gl.VertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, position)));
  gl.VertexAttribPointer(4, 4, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, rotation)));
  gl.VertexAttribPointer(5, 3, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, scale)));
  gl.VertexAttribPointer(6, 3, GL_UNSIGNED_BYTE, GL_TRUE, stride, at(offsetof(Instance, colour)));
  gl.VertexAttribIPointer(7, 4, GL_UNSIGNED_BYTE, stride, at(offsetof(Instance, pattern)));
}

void allocate_target(const GlFunctions& gl, const GlObject& framebuffer, const GlObject& colour,
                     const GlObject& depth, Size size, int samples) {
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
  gl.BindRenderbuffer(GL_RENDERBUFFER, colour.id());
  gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, size.width, size.height);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour.id());
  gl.BindRenderbuffer(GL_RENDERBUFFER, depth.id());
  gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, size.width,
                                    size.height);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth.id());
}

}  // namespace

base::Result<Renderer, std::string> Renderer::create(const GlFunctions& gl,
                                                     const RenderOptions& options) {
  return create(gl, options, shader_sources());
}

base::Result<Renderer, std::string> Renderer::create(const GlFunctions& gl,
                                                     const RenderOptions& options,
                                                     const ShaderSources& sources) {
  Renderer renderer(gl, options);
  if (options.shadow_size > 0) {
    renderer.shadow_map_.emplace(gl, options.shadow_size);
    // Without a complete shadow map, pictures are drawn without shadows.
    if (!renderer.shadow_map_->is_complete()) renderer.shadow_map_.reset();
  }
  if (const auto words = renderer.build_programs(sources)) return *words;
  renderer.build_meshes();
  if (!renderer.build_targets()) return std::string("OpenGL cannot create the frame's buffers");
  return renderer;
}

Renderer::Renderer(const GlFunctions& gl, const RenderOptions& options)
    : gl_(&gl),
      options_(options),
      instances_(gl, GlKind::Buffer),
      empty_array_(gl, GlKind::VertexArray),
      debug_draw_array_(gl, GlKind::VertexArray),
      debug_draw_vertices_(gl, GlKind::Buffer),
      frame_(gl, GlKind::Framebuffer),
      frame_colour_(gl, GlKind::Renderbuffer),
      frame_depth_(gl, GlKind::Renderbuffer),
      sampled_(gl, GlKind::Framebuffer),
      sampled_colour_(gl, GlKind::Renderbuffer),
      sampled_depth_(gl, GlKind::Renderbuffer) {
  GLint max_samples = 0;
  gl.GetIntegerv(GL_MAX_SAMPLES, &max_samples);
  options_.samples = std::min(options.samples, max_samples);
}

std::optional<std::string> Renderer::build_programs(const ShaderSources& sources) {
  const int taps = !shadow_map_ ? 0 : options_.shadow_taps > 1 ? 4 : 1;
  const std::string head = "#version 330 core\n#define SHADOW_TAPS " + std::to_string(taps) + "\n";
  struct Part {
    ShaderProgram* program;
    const char *vertex, *fragment;
  };
  for (const Part& part :
       {Part{&shape_, sources.shape_vertex, sources.shape_fragment},
        Part{&speck_, sources.speck_vertex, sources.speck_fragment},
        Part{&shadow_, sources.shadow_vertex, sources.shadow_fragment},
        Part{&ground_, sources.ground_vertex, sources.ground_fragment},
        Part{&sky_, sources.sky_vertex, sources.sky_fragment},
        Part{&debug_draw_, sources.debug_draw_vertex, sources.debug_draw_fragment}}) {
    auto made = ShaderProgram::create(*gl_, head + sources.common, part.vertex, part.fragment);
    if (!made) return made.error();
    *part.program = std::move(*made);
  }
  return std::nullopt;
}

void Renderer::build_meshes() {
  const auto add = [this](MeshSlot slot, const shape_mesh::Mesh& mesh) {
    meshes_[slot] = upload_mesh(mesh.vertices, mesh.indices);
    const shape_mesh::Mesh places = shape_mesh::welded(mesh);
    casters_[slot] = upload_mesh(places.vertices, places.indices);
  };
  for (MeshSlot slot = 0; slot < mesh_slot_count; ++slot)
    add(slot, unit_mesh(slot));
}

/// Uploads solids that are new in the picture and drops those that are no longer in it.
void Renderer::keep_solids(const InstanceList& list) {
  std::map<std::uint64_t, GpuMesh> kept;
  for (const SolidInstances& entry : list.solids) {
    const std::uint64_t hash = entry.solid->content_hash;
    const auto known = solids_.find(hash);
    kept[hash] = known != solids_.end() ? std::move(known->second)
                                        : upload_mesh(shape_mesh::solid_corners(*entry.solid), {});
  }
  solids_ = std::move(kept);
}

Renderer::GpuMesh Renderer::upload_mesh(std::span<const shape_mesh::MeshVertex> vertices,
                                        std::span<const std::uint16_t> indices) const {
  const GlFunctions& gl = *gl_;
  GpuMesh gpu;
  gpu.array = GlObject(gl, GlKind::VertexArray);
  gpu.vertices = GlObject(gl, GlKind::Buffer);
  gpu.indices = GlObject(gl, GlKind::Buffer);
  gpu.vertex_count = static_cast<GLsizei>(vertices.size());
  gpu.index_count = static_cast<GLsizei>(indices.size());

  gl.BindVertexArray(gpu.array.id());
  gl.BindBuffer(GL_ARRAY_BUFFER, gpu.vertices.id());
  gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size_bytes()), vertices.data(),
                GL_STATIC_DRAW);
  constexpr auto stride = static_cast<GLsizei>(sizeof(shape_mesh::MeshVertex));
  gl.VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride,
                         buffer_offset(offsetof(shape_mesh::MeshVertex, unit)));
  gl.VertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride,
                         buffer_offset(offsetof(shape_mesh::MeshVertex, normal)));
  gl.VertexAttribPointer(2, 1, GL_FLOAT, GL_FALSE, stride,
                         buffer_offset(offsetof(shape_mesh::MeshVertex, segment)));
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, gpu.indices.id());
  gl.BufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size_bytes()),
                indices.data(), GL_STATIC_DRAW);
  point_at_instances(gl, instances_.id(), 0);
  for (GLuint attribute = 0; attribute < 8; ++attribute) {
    gl.EnableVertexAttribArray(attribute);
    if (attribute >= first_instance_attribute) gl.VertexAttribDivisor(attribute, 1);
  }
  gl.BindVertexArray(0);
  return gpu;
}

bool Renderer::build_targets() {
  const GlFunctions& gl = *gl_;
  const Size size = options_.size;
  allocate_target(gl, frame_, frame_colour_, frame_depth_, size, 0);
  if (has_samples()) {
    allocate_target(gl, sampled_, sampled_colour_, sampled_depth_, size, options_.samples);
    if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) options_.samples = 0;
  }
  gl.BindFramebuffer(GL_FRAMEBUFFER, frame_.id());
  return gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void Renderer::resize(Size size) {
  if (size == options_.size || size.width < 1 || size.height < 1) return;
  options_.size = size;
  build_targets();
}

void Renderer::draw(const Picture& picture, const std::function<void()>& meanwhile) {
  const GlFunctions& gl = *gl_;
  const InstanceList& list = builder_.build(picture, options_.size);
  keep_solids(list);
  upload(list);
  // Build the mesh before the first call of `meanwhile`, which may change the debug draw frame.
  debug_draw_mesh_.clear();
  if (picture.debug_draw != nullptr)
    build_debug_draw_mesh(*picture.debug_draw, picture.view, options_.size, debug_draw_mesh_);

  gl.Enable(GL_DEPTH_TEST);
  gl.DepthMask(GL_TRUE);
  gl.DepthFunc(GL_LEQUAL);
  gl.Enable(GL_CULL_FACE);
  gl.CullFace(GL_BACK);
  gl.Disable(GL_BLEND);
  gl.Disable(GL_SCISSOR_TEST);

  ShadowFrustum frustum;
  if (shadow_map_) {
    frustum = fit_shadow_frustum(picture, shadow_map_->size());
    draw_shadows(list, frustum);
    finish(meanwhile);
  }

  gl.BindFramebuffer(GL_FRAMEBUFFER, has_samples() ? sampled_.id() : frame_.id());
  gl.Viewport(0, 0, options_.size.width, options_.size.height);
  gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  if (shadow_map_) {
    gl.ActiveTexture(GL_TEXTURE0);
    gl.BindTexture(GL_TEXTURE_2D, shadow_map_->texture());
  }
  if (picture.look != BodyLook::XRay) draw_bodies(list, picture, frustum);
  set_common(ground_, picture, frustum);
  draw_ground(list, picture);
  set_common(sky_, picture, frustum);
  draw_sky(picture.view);
  // X-ray bodies are translucent, so they are drawn after ground and sky.
  if (picture.look == BodyLook::XRay) draw_bodies(list, picture, frustum);
  if (!debug_draw_mesh_.empty()) draw_debug_draw(picture);
  gl.BindVertexArray(0);
  finish(meanwhile);

  if (has_samples()) {
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, sampled_.id());
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, frame_.id());
    gl.BlitFramebuffer(0, 0, options_.size.width, options_.size.height, 0, 0, options_.size.width,
                       options_.size.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl.BindFramebuffer(GL_FRAMEBUFFER, frame_.id());
  }
}

void Renderer::upload(const InstanceList& list) {
  const auto bytes = static_cast<GLsizeiptr>(list.instances.size() * sizeof(Instance));
  gl_->BindBuffer(GL_ARRAY_BUFFER, instances_.id());
  // Allocates new storage each time, so that the driver need not wait for the last frame.
  gl_->BufferData(GL_ARRAY_BUFFER, bytes, list.instances.data(), GL_STREAM_DRAW);
}

void Renderer::draw_bodies(const InstanceList& list, const Picture& picture,
                           const ShadowFrustum& frustum) {
  const GlFunctions& gl = *gl_;
  set_common(shape_, picture, frustum);
  shape_.set("edge_strength", 0.0f);
  shape_.set("see_through", picture.look == BodyLook::XRay ? 1.0f : 0.0f);
  if (picture.look == BodyLook::XRay) {
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl.DepthMask(GL_FALSE);
    draw_shapes(list);
    gl.DepthMask(GL_TRUE);
    gl.Disable(GL_BLEND);
    return;
  }
  if (picture.look == BodyLook::Solid) {
    draw_groups(list, meshes_, 0, mesh_slot_count);
    draw_solids(list);
    set_common(speck_, picture, frustum);
    draw_groups(list, meshes_, mesh_slot_count, InstanceList::group_count);
    return;
  }
  if (picture.look == BodyLook::Edges) {
    // Move faces back slightly, so that the edges are drawn on top of them.
    gl.Enable(GL_POLYGON_OFFSET_FILL);
    gl.PolygonOffset(1.0f, 1.0f);
    draw_shapes(list);
    gl.Disable(GL_POLYGON_OFFSET_FILL);
  }
  gl.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  // Edges are lighter if there are faces, so that they are visible on dark faces.
  shape_.set("edge_strength", picture.look == BodyLook::Wireframe ? 0.25f : 0.6f);
  draw_shapes(list);
  gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void Renderer::draw_shapes(const InstanceList& list) {
  draw_groups(list, meshes_, 0, InstanceList::group_count);
  draw_solids(list);
}

void Renderer::draw_groups(const InstanceList& list, std::span<const GpuMesh> meshes,
                           std::size_t begin, std::size_t end) {
  for (std::size_t group = begin; group < end; ++group) {
    const std::size_t count = list.first[group + 1] - list.first[group];
    if (count != 0) draw_instances(meshes[group % mesh_slot_count], list.first[group], count);
  }
}

void Renderer::draw_solids(const InstanceList& list) {
  for (const SolidInstances& entry : list.solids)
    draw_instances(solids_.at(entry.solid->content_hash), entry.first, entry.count);
}

void Renderer::draw_instances(const GpuMesh& mesh, std::size_t first, std::size_t count) {
  gl_->BindVertexArray(mesh.array.id());
  point_at_instances(*gl_, instances_.id(), first);
  if (mesh.index_count == 0) {
    gl_->DrawArraysInstanced(GL_TRIANGLES, 0, mesh.vertex_count, static_cast<GLsizei>(count));
  } else {
    gl_->DrawElementsInstanced(GL_TRIANGLES, mesh.index_count, GL_UNSIGNED_SHORT, nullptr,
                               static_cast<GLsizei>(count));
  }
}

void Renderer::draw_shadows(const InstanceList& list, const ShadowFrustum& frustum) {
  const GlFunctions& gl = *gl_;
  gl.BindFramebuffer(GL_FRAMEBUFFER, shadow_map_->framebuffer());
  gl.Viewport(0, 0, shadow_map_->size(), shadow_map_->size());
  gl.Clear(GL_DEPTH_BUFFER_BIT);
  gl.Enable(GL_POLYGON_OFFSET_FILL);
  gl.PolygonOffset(1.5f, 2.0f);
  shadow_.use();
  shadow_.set("shadow_from_offset", frustum.clip_from_offset);
  draw_groups(list, casters_, 0, InstanceList::group_count);
  draw_solids(list);
  gl.Disable(GL_POLYGON_OFFSET_FILL);
}

void Renderer::draw_ground(const InstanceList& list, const Picture& picture) {
  gl_->BindVertexArray(empty_array_.id());
  for (const GroundPlane& plane : list.planes) {
    const auto ground = ground_uniforms(plane, picture);
    if (!ground) continue;
    ground_.set("ground_origin", ground->origin);
    ground_.set("ground_u", ground->u);
    ground_.set("ground_v", ground->v);
    ground_.set("grid_origin", ground->grid_x, ground->grid_y);
    ground_.set("ground_extent", ground->extent);
    ground_.set("grid_step", ground->grid_step);
    ground_.set("ground_colour", ground->colour);
    gl_->Disable(GL_CULL_FACE);
    gl_->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl_->Enable(GL_CULL_FACE);
  }
}

void Renderer::draw_sky(const View& view) {
  const float tangent = std::tan(view.fov_y * 0.5f);
  sky_.set("view_right", view.right * (tangent * options_.size.aspect()));
  sky_.set("view_up", view.up * tangent);
  sky_.set("view_forward", view.forward);
  gl_->BindVertexArray(empty_array_.id());
  gl_->DrawArrays(GL_TRIANGLES, 0, 3);
}

void Renderer::draw_debug_draw(const Picture& picture) {
  const GlFunctions& gl = *gl_;
  gl.BindVertexArray(debug_draw_array_.id());
  gl.BindBuffer(GL_ARRAY_BUFFER, debug_draw_vertices_.id());
  gl.BufferData(GL_ARRAY_BUFFER,
                static_cast<GLsizeiptr>(debug_draw_mesh_.size() * sizeof(DebugDrawVertex)),
                debug_draw_mesh_.data(), GL_STREAM_DRAW);
  constexpr auto stride = static_cast<GLsizei>(sizeof(DebugDrawVertex));
  gl.VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride,
                         buffer_offset(offsetof(DebugDrawVertex, offset)));
  gl.VertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                         buffer_offset(offsetof(DebugDrawVertex, red)));
  gl.EnableVertexAttribArray(0);
  gl.EnableVertexAttribArray(1);
  debug_draw_.use();
  debug_draw_.set("clip_from_offset", picture.view.clip_from_offset(options_.size.aspect()));
  gl.Disable(GL_DEPTH_TEST);
  gl.Disable(GL_CULL_FACE);
  gl.DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(debug_draw_mesh_.size()));
  gl.Enable(GL_CULL_FACE);
  gl.Enable(GL_DEPTH_TEST);
}

void Renderer::set_common(const ShaderProgram& program, const Picture& picture,
                          const ShadowFrustum& frustum) {
  program.use();
  program.set("sun", sun_direction());
  program.set("fog_density", fog_density(picture));
  program.set("clip_from_offset", picture.view.clip_from_offset(options_.size.aspect()));
  program.set("shadow_from_offset", frustum.clip_from_offset);
  program.set("shadow_texel", shadow_map_ ? frustum.texel_size : 0.0f);
  program.set("shadow_step", shadow_map_ ? 1.0f / static_cast<float>(shadow_map_->size()) : 0.0f);
  program.set("shadow_map", 0);
}

void Renderer::present(Size window) {
  gl_->BindFramebuffer(GL_READ_FRAMEBUFFER, frame_.id());
  gl_->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  gl_->BlitFramebuffer(0, 0, options_.size.width, options_.size.height, 0, 0, window.width,
                       window.height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
  gl_->BindFramebuffer(GL_FRAMEBUFFER, 0);
}

void Renderer::finish(const std::function<void()>& meanwhile) {
  const GLsync fence = gl_->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl_->Flush();
  while (gl_->ClientWaitSync(fence, 0, 0) == GL_TIMEOUT_EXPIRED)
    meanwhile();
  gl_->DeleteSync(fence);
}

std::vector<std::uint8_t> Renderer::read_pixels() {
  const auto width = static_cast<std::size_t>(options_.size.width);
  const auto height = static_cast<std::size_t>(options_.size.height);
  std::vector<std::uint8_t> rows(width * height * 3), pixels(width * height * 3);
  gl_->BindFramebuffer(GL_READ_FRAMEBUFFER, frame_.id());
  gl_->PixelStorei(GL_PACK_ALIGNMENT, 1);
  gl_->ReadPixels(0, 0, options_.size.width, options_.size.height, GL_RGB, GL_UNSIGNED_BYTE,
                  rows.data());
  // OpenGL's first row is the bottom one.
  for (std::size_t row = 0; row < height; ++row) {
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>((height - 1 - row) * width * 3);
    std::copy_n(from, width * 3, pixels.begin() + static_cast<std::ptrdiff_t>(row * width * 3));
  }
  return pixels;
}

}  // namespace jostle::render
