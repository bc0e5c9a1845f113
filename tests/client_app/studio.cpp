#include "tests/client_app/studio.h"

#include "client/render/shaders.h"
#include "shared/sim/default_rules.h"

#include <gtest/gtest.h>

namespace jostle::client_app {
namespace {

scene::SceneDef scene_with(std::string_view bodies) {
  const std::string text =
      R"({ "name": "stage", "spawns": [{ "position": [-1, 0.5, 1] }, { "position": [1, 0.5, 1] }],
           "bodies": [{ "motion_type": "static", "shape": { "plane": {} }, "colour": "#9AA39A" })" +
      std::string(bodies.empty() ? "" : ", ") + std::string(bodies) + "] }";
  auto scene = scene::parse_scene(text, "stage");
  EXPECT_TRUE(scene) << scene.error().text();
  return *std::move(scene);
}

/// Returns the common part of the shaders, with ambient light that is the same from all directions.
std::string even_light() {
  const std::string_view hemisphere =
      "vec3 ambient = mix(ambient_down, ambient_up, normal.y * 0.5 + 0.5);";
  std::string text = render::shader_sources().common;
  const std::size_t at = text.find(hemisphere);
  EXPECT_NE(at, std::string::npos) << "the line for ambient light is not in the shaders";
  if (at != std::string::npos)
    text.replace(at, hemisphere.size(), "vec3 ambient = (ambient_down + ambient_up) * 0.5;");
  return text;
}

}  // namespace

Stage::Stage(std::string_view bodies) : Stage(bodies, {}) {}

Stage::Stage(std::string_view bodies, const std::vector<std::string>& players)
    : simulation_(scene_with(bodies), {}, sim::default_rules()) {
  state::TickCommands commands{simulation_.tick() + 1, {}};
  for (std::size_t i = 0; i < players.size(); ++i)
    commands.commands.emplace_back(
        state::JoinCommand{{static_cast<std::uint16_t>(i + 1)}, players[i]});
  if (!players.empty()) simulation_.step(commands);
  scene_ = replay::scene_of(simulation_);
}

base::Result<std::unique_ptr<Studio>, std::string> Studio::open(render::Size size) {
  auto window = render::Window::create({.title = "test", .size = size, .is_offscreen = true});
  if (!window) return window.error();
  return std::unique_ptr<Studio>(new Studio(*std::move(window)));
}

Pixels Studio::draw(const render::Picture& picture, const Light& light) {
  return frame(picture, light, [] {});
}

Pixels Studio::draw(const render::Picture& picture, const std::function<void()>& draw_over) {
  return frame(picture, {}, draw_over);
}

Pixels Studio::draw_flat(const std::function<void()>& draw_over) {
  return frame({}, {}, [&] {
    const render::GlFunctions& gl = window_->gl();
    gl.ClearColor(0.45f, 0.55f, 0.6f, 1);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    draw_over();
  });
}

Pixels Studio::frame(const render::Picture& picture, const Light& light,
                     const std::function<void()>& draw_over) {
  const std::string common = even_light();
  render::ShaderSources sources = render::shader_sources();
  if (!light.is_from_sky) sources.common = common.c_str();
  const render::Size size = window_->drawable_size();
  auto renderer = render::Renderer::create(
      window_->gl(), {.size = size, .samples = 4, .shadow_size = light.shadow_size}, sources);
  EXPECT_TRUE(renderer) << renderer.error();
  if (!renderer) return {};
  // After drawing, Dear ImGui restores the shader program that was in use before. That program no
  // longer exists, so OpenGL reports an error. This loop removes it.
  while (window_->gl().GetError() != GL_NO_ERROR) {
  }
  renderer->draw(picture, [] {});
  EXPECT_EQ(window_->gl().GetError(), static_cast<GLenum>(GL_NO_ERROR));
  draw_over();
  return {size, renderer->read_pixels()};
}

render::Picture picture_of(const Stage& stage, const state::Camera& camera) {
  render::CameraRig rig;
  rig.set(camera);
  render::Picture picture;
  picture.view = rig.view();
  picture.focus = rig.target();
  picture.bodies = stage.scene().bodies;
  return picture;
}

}  // namespace jostle::client_app
