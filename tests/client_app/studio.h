#pragma once

#include "client/render/renderer.h"
#include "client/render/window.h"
#include "client/replay/tick_scene.h"
#include "shared/base/result.h"
#include "shared/sim/simulation.h"
#include "tests/client_app/golden_picture.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::client_app {

/// A scene at its start, or after the tick in which the players join, as a client would display it.
/// `bodies` contains the elements of a scene file's body list. A ground plane is added.
class Stage {
 public:
  explicit Stage(std::string_view bodies);
  /// Also adds at most two players, with these names and two metres apart.
  Stage(std::string_view bodies, const std::vector<std::string>& players);

  const replay::TickScene& scene() const { return scene_; }
  const state::WorldDef& world() const { return simulation_.world_def(); }

 private:
  sim::Simulation simulation_;
  replay::TickScene scene_;
};

/// Lighting of a picture.
struct Light {
  int shadow_size = 1'024;
  /// If false, ambient light is the same from all directions.
  bool is_from_sky = true;
};

/// An offscreen window in which tests draw pictures.
class Studio {
 public:
  /// Opens an offscreen window. Returns an error that states the reason if there is neither EGL nor
  /// a software renderer.
  static base::Result<std::unique_ptr<Studio>, std::string> open(render::Size size);

  render::Window& window() { return *window_; }
  Pixels draw(const render::Picture& picture, const Light& light = {});
  /// Draws `picture`, then calls `draw_over`, which draws on top of it. Returns the result.
  Pixels draw(const render::Picture& picture, const std::function<void()>& draw_over);
  /// Draws a background of one colour, then calls `draw_over`. Returns the result.
  Pixels draw_flat(const std::function<void()>& draw_over);

 private:
  explicit Studio(std::unique_ptr<render::Window> window) : window_(std::move(window)) {}
  Pixels frame(const render::Picture& picture, const Light& light,
               const std::function<void()>& draw_over);

  std::unique_ptr<render::Window> window_;
};

/// Returns the picture of `stage` as seen by `camera`. `stage` must outlive the picture.
render::Picture picture_of(const Stage& stage, const state::Camera& camera);

/// Base class of tests that draw in one shared offscreen window, of `width` × `height` pixels. The
/// tests are skipped if there is no renderer.
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
    if (!studio_) GTEST_SKIP() << "OpenGL is not available: " << reason_;
  }

  static inline std::unique_ptr<Studio> studio_;
  static inline std::string reason_;
};

}  // namespace jostle::client_app
