// Measures the time to draw a frame: `./run bench frames`. Works without a display, with any OpenGL
// driver.
#include "bench/frame_scene.h"
#include "client/app/render_quality.h"
#include "client/render/renderer.h"
#include "client/render/window.h"
#include "shared/command_line/command_line.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace jostle::bench {
namespace {

using Clock = std::chrono::steady_clock;

using settings::Quality;

struct Step {
  const char* name;
  Quality shadows, edges;
};
constexpr Step steps[] = {
    {"shadows off, antialiasing off", Quality::Off, Quality::Off},
    {"shadows low, antialiasing off", Quality::Low, Quality::Off},
    {"shadows high, antialiasing off", Quality::High, Quality::Off},
    {"shadows high, antialiasing high", Quality::High, Quality::High},
};

render::RenderOptions options_of(const Step& step, const render::Window& window) {
  settings::Settings settings;
  settings.shadows = step.shadows;
  settings.edges = step.edges;
  return client_app::render_options(settings, window);
}

struct Times {
  double median_ms = 0, p99_ms = 0;
};

Times summary_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[(times.size() * 99 - 1) / 100]};
}

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Measures the time to draw and finish each of `frames` frames, one after another. The scene moves
/// by 1/60 s per frame. Three warm-up frames are not measured.
Times measure(render::Renderer& renderer, FrameScene& scene, int frames) {
  std::vector<double> times;
  constexpr int warm_up = 3;
  for (int frame = -warm_up; frame < frames; ++frame) {
    scene.move_to(static_cast<float>(frame) / 60.0f);
    const Clock::time_point start = Clock::now();
    renderer.draw(scene.picture(), [] {});
    renderer.finish([] {});
    if (frame >= 0) times.push_back(ms_since(start));
  }
  return summary_of(std::move(times));
}

struct Options {
  std::vector<int> bodies{1'000, 10'000};
  render::Size size{1'280, 720};
  int frames = 60;
};

int run(const Options& options) {
  auto window = render::Window::create({.size = options.size, .is_offscreen = true});
  if (!window) {
    std::fprintf(stderr, "jostle_frames: %s\n", window.error().c_str());
    return 1;
  }
  std::printf("%dx%d, %s, %d frames each\n", options.size.width, options.size.height,
              (*window)->renderer_name().c_str(), options.frames);
  std::printf("%8s  %-26s %10s %10s\n", "bodies", "quality", "median ms", "p99 ms");
  for (const int bodies : options.bodies) {
    FrameScene scene(bodies);
    for (const Step& step : steps) {
      auto renderer = render::Renderer::create((*window)->gl(), options_of(step, **window));
      if (!renderer) {
        std::fprintf(stderr, "jostle_frames: %s\n", renderer.error().c_str());
        return 1;
      }
      const Times times = measure(*renderer, scene, options.frames);
      std::printf("%8d  %-26s %10.1f %10.1f\n", bodies, step.name, times.median_ms, times.p99_ms);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace jostle::bench

int main(int argc, char** argv) {
  using namespace jostle;
  bench::Options options;
  command_line::Program program("jostle_frames",
                                "Draws moving bodies and prints the time per frame.");
  program
      .add_option("--bodies", options.bodies,
                  "Number of bodies; several values are measured one after another")
      .delimiter(',')
      .capture_default_str();
  program.add_option("--width", options.size.width, "Width of the frame in pixels")
      .capture_default_str();
  program.add_option("--height", options.size.height, "Height of the frame in pixels")
      .capture_default_str();
  program.add_option("--frames", options.frames, "Number of measured frames")
      .check(command_line::in_range(1, 100'000))
      .capture_default_str();
  if (const auto ending = program.parse(argc, argv)) {
    std::fprintf(ending->is_refused ? stderr : stdout, "%s\n", ending->text.c_str());
    return ending->is_refused ? 2 : 0;
  }
  return bench::run(options);
}
