#pragma once

namespace jostle::render {

/// GLSL 3.30 sources, for a SHADOW_TAPS that is defined before them: how often the shadow map is
/// looked at for a pixel, 0, 1 or 4. Software renderers take both ways of a choice that is made
/// while they draw. `common` stands before each of the others.
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
  const char* overlay_vertex;
  const char* overlay_fragment;
};

const ShaderSources& shader_sources();

}  // namespace jostle::render
