#include "client/app/renderer.h"
#include "client/app/screenshot.h"
#include "client/app/window.h"
#include "tests/client_app/fake_scene.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace jostle::client_app {
namespace {

TEST(Renderer, Try) {
  auto window = Window::create({.size = {1280, 720}, .is_offscreen = true});
  ASSERT_TRUE(window) << window.error();
  std::printf("%s\n", (*window)->renderer_name().c_str());
  auto renderer = Renderer::create((*window)->gl(), {.size = {1280, 720}});
  ASSERT_TRUE(renderer) << renderer.error();
  FakeScene scene({0, 0, 0});
  scene.add_heap(getenv("N") ? atoi(getenv("N")) : 150);
  const auto shown = scene.shown();
  CameraRig rig;
  state::Camera camera;
  camera.eye = {7, 5.2, 12};
  camera.target = {0, 1.2, 0};
  rig.set(camera);
  Picture picture;
  picture.view = rig.view();
  picture.focus = rig.target();
  picture.bodies = shown;
  picture.grabbed = {10};
  const Mark mark{shown[9].pose.position, {2, 4, 6}, {255, 214, 90}};
  picture.marks = {&mark, 1};
  for (int i = 0; i < 4; ++i) {
    const auto start = std::chrono::steady_clock::now();
    renderer->draw(picture, [] {});
    const auto pixels = renderer->read_pixels();
    std::printf("%.1f ms\n", std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    if (i == 3) {
      auto png = encode_png(pixels, renderer->size());
      ASSERT_TRUE(png);
      FILE* f = fopen("/tmp/app.png", "wb");
      fwrite(png->data(), 1, png->size(), f);
      fclose(f);
    }
  }
  EXPECT_EQ((*window)->gl().GetError(), 0u);
}

}  // namespace
}  // namespace jostle::client_app
