#pragma once

namespace jostle::render {

/// GLSL 3.30 sources. `common` is put before each of the other sources. The macro SHADOW_TAPS must
/// be defined before `common`: 0, 1 or 4 samples of the shadow map per pixel. It is a macro because
/// software renderers execute both branches of a run-time condition.
struct ShaderSources {
  const char* common;
  const char* shape_vertex;
  const char* shape_fragment;
  const char* speck_vertex;
  const char* speck_fragment;
  const char* shadow_vertex;
  const char* shadow_fragment;
  const char* ground_vertex;
  const char* ground_fragment;
  const char* sky_vertex;
  const char* sky_fragment;
  const char* debug_draw_vertex;
  const char* debug_draw_fragment;
};

const ShaderSources& shader_sources();

}  // namespace jostle::render
