#pragma once

#include "client/render/renderer.h"
#include "client/render/window.h"
#include "client/replay/tick_scene.h"
#include "shared/base/result.h"
#include "shared/sim/simulation.h"
#include "tests/client_app/kept_picture.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::client_app {

/// A scene as it starts, as it would be shown. `bodies`: those of a scene file, between commas,
/// beside a ground.
class Stage {
 public:
  explicit Stage(std::string_view bodies);
  /// Lets players of these names in; they stand two metres apart.
  Stage(std::string_view bodies, const std::vector<std::string>& players);

  const replay::TickScene& scene() const { return scene_; }
  const state::WorldDef& world() const { return simulation_.world_def(); }

 private:
  sim::Simulation simulation_;
  replay::TickScene scene_;
};

/// How pictures are lit.
struct Light {
  int shadow_size = 1'024;
  /// Else what faces the ground is as bright as what faces the sky.
  bool is_from_sky = true;
};

/// A window without a display, and what is drawn in it.
class Studio {
 public:
  /// The reason where there is neither EGL nor a software renderer.
  static base::Result<std::unique_ptr<Studio>, std::string> open(render::Size size);

  render::Window& window() { return *window_; }
  Pixels draw(const render::Picture& picture, const Light& light = {});
  /// The picture, and what `draw_over` draws over it.
  Pixels draw(const render::Picture& picture, const std::function<void()>& draw_over);
  /// What `draw_over` draws, over one colour.
  Pixels draw_flat(const std::function<void()>& draw_over);

 private:
  explicit Studio(std::unique_ptr<render::Window> window) : window_(std::move(window)) {}
  Pixels frame(const render::Picture& picture, const Light& light,
               const std::function<void()>& draw_over);

  std::unique_ptr<render::Window> window_;
};

/// Of a stage, from this camera.
render::Picture picture_of(const Stage& stage, const state::Camera& camera);

/// Tests that draw, in one window of that size for all of them; skipped where there is nothing to
/// draw with.
template <int width, int height>
class StudioTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto opened = Studio::open({width, height});
    if (opened) {
      studio_ = *std::move(opened);
    } else {
      reason_ = opened.error();
    }
  }
  static void TearDownTestSuite() { studio_.reset(); }
  void SetUp() override {
    if (!studio_) GTEST_SKIP() << "there is no OpenGL to draw with: " << reason_;
  }

  static inline std::unique_ptr<Studio> studio_;
  static inline std::string reason_;
};

}  // namespace jostle::client_app
