#include "client/render/camera.h"
#include "client/render/shown_bodies.h"
#include "protocol/quantize.h"
#include "shared/base/log.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::client_app {
namespace {

constexpr render::Size display{1280, 720};
// The clocks settle for `settling_s`. After that, the ball crosses the picture in `seconds`.
constexpr double settling_s = 30, seconds = 5;
constexpr std::uint64_t seeds[] = {1, 2, 3, 4};
constexpr float distance = 12;  // distance from the eye, m
constexpr double most_pixels = 1;
constexpr state::BodyId glider{1};

/// A ball that moves along x at constant speed, at about 250 pixels per second on the screen.
constexpr std::string_view pacing_scene = R"({
  "name": "pacing", "world": { "gravity": [0, 0, 0] }, "spawns": [ { "position": [0, 0, 50] } ],
  "bodies": [ { "shape": { "sphere": { "radius": 0.5 } }, "linear_velocity": [4, 0, 0],
      "allow_sleep": false } ]})";

struct PacingCase {
  const char* name;
  int snapshot_interval_ticks;
  int frames_per_second;
  std::int64_t jitter_us;
  float loss;
};

/// Time (s) and screen position (pixels) of the ball in each frame.
struct Track {
  std::vector<double> seconds, x, y;
};

/// Source of the displayed positions: the client's output, or the newest snapshot without
/// smoothing.
enum class Source : std::uint8_t { Shown, Newest };

Track track_of(const PacingCase& pacing, Source source, std::uint64_t seed) {
  base::set_log_threshold(base::LogLevel::Warn);
  match::MatchOptions options;
  options.scene = match::scene_of(pacing_scene);
  options.seed = seed;
  options.faults.latency_us = pacing.jitter_us > 0 ? 20'000 : 0;
  options.faults.jitter_us = pacing.jitter_us;
  options.faults.loss = pacing.loss;
  options.server.snapshot_interval_ticks = pacing.snapshot_interval_ticks;
  options.is_recorded = options.is_remembered = false;
  match::Match match(options);
  match::Seat& seat = match.add_client(
      "Eve", protocol::Role::Spectator,
      {.interval_us = 1'000'000 / pacing.frames_per_second, .wakes_on_arrival = true});
  math::Position newest;
  seat.on_complete = [&](const protocol::QuantizedSnapshot& snapshot) {
    for (std::size_t i = 0; i < snapshot.ids.size(); ++i)
      if (snapshot.ids[i] == glider) newest = protocol::dequantize(snapshot.bodies[i]).position;
  };
  EXPECT_TRUE(match.run_until_playing(5));
  match.run_seconds(settling_s);

  const client::Client& client = *seat.client;
  const auto place = [&] {
    if (source == Source::Newest) return newest;
    const client::ShownBody* const body = render::find_body(client.shown_bodies(), glider);
    return body == nullptr ? math::Position{NAN, NAN, NAN} : body->pose.position;
  };
  // During the run the ball crosses the picture from the left edge to the right. It is in the
  // middle at half of the time.
  const math::Position middle = place() + math::Vec3{4.0f * static_cast<float>(seconds) / 2, 0, 0};
  render::CameraRig rig;
  rig.set({middle + math::Vec3{0, 0, distance}, middle});
  Track track;
  seat.on_update = [&] {
    const auto point = render::project(rig.view(), display, place());
    ASSERT_TRUE(point);
    track.seconds.push_back(static_cast<double>(match.network().now_us()) * 1e-6);
    track.x.push_back(static_cast<double>(point->x));
    track.y.push_back(static_cast<double>(point->y));
  };
  match.run_seconds(seconds);
  return track;
}

/// Returns the signed distance of each value from the regression line through all of them.
std::vector<double> off_the_line(const std::vector<double>& times,
                                 const std::vector<double>& values) {
  double mean_time = 0, mean_value = 0;
  const auto count = static_cast<double>(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    mean_time += times[i] / count;
    mean_value += values[i] / count;
  }
  double covariance = 0, variance = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    covariance += (times[i] - mean_time) * (values[i] - mean_value);
    variance += (times[i] - mean_time) * (times[i] - mean_time);
  }
  std::vector<double> off;
  for (std::size_t i = 0; i < times.size(); ++i)
    off.push_back(values[i] - mean_value - covariance / variance * (times[i] - mean_time));
  return off;
}

/// Returns the distance of each frame from uniform motion along a straight line, in pixels.
std::vector<double> pixels_off(const Track& track) {
  const auto x = off_the_line(track.seconds, track.x), y = off_the_line(track.seconds, track.y);
  std::vector<double> off;
  for (std::size_t i = 0; i < x.size(); ++i)
    off.push_back(std::hypot(x[i], y[i]));
  return off;
}

double percentile_99(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() * 99 / 100];
}

class FramePacing : public testing::TestWithParam<PacingCase> {};

TEST_P(FramePacing, ShowsUniformMotionUniformly) {
  std::vector<double> off;
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Track track = track_of(GetParam(), Source::Shown, seed);
    ASSERT_GT(track.x.size(),
              static_cast<std::size_t>(seconds * GetParam().frames_per_second) - 10);
    EXPECT_LT(track.x.front(), 60);
    EXPECT_GT(track.x.back(), display.width - 60) << "it must cross the picture";
    const std::vector<double> of_track = pixels_off(track);
    off.insert(off.end(), of_track.begin(), of_track.end());
  }
  const double pixels = percentile_99(off);
  RecordProperty("pixels", std::to_string(pixels));
  EXPECT_LE(pixels, most_pixels);
}

constexpr PacingCase pacing_cases[] = {
    {"At20HzIn60Frames", 3, 60, 0, 0},
    {"At20HzIn144Frames", 3, 144, 0, 0},
    {"At30HzIn60Frames", 2, 60, 0, 0},
    {"At30HzIn144Frames", 2, 144, 0, 0},
    {"At60HzIn60Frames", 1, 60, 0, 0},
    {"At60HzIn144Frames", 1, 144, 0, 0},
    {"At20HzIn60FramesOverABadLink", 3, 60, 10'000, 0.05f},
    {"At20HzIn144FramesOverABadLink", 3, 144, 10'000, 0.05f},
    {"At30HzIn60FramesOverABadLink", 2, 60, 10'000, 0.05f},
    {"At30HzIn144FramesOverABadLink", 2, 144, 10'000, 0.05f},
    {"At60HzIn60FramesOverABadLink", 1, 60, 10'000, 0.05f},
    {"At60HzIn144FramesOverABadLink", 1, 144, 10'000, 0.05f},
};
INSTANTIATE_TEST_SUITE_P(Rates, FramePacing, testing::ValuesIn(pacing_cases),
                         [](const auto& each) { return each.param.name; });

// Checks that the measurement detects stutter. Otherwise the tests above would prove nothing.
TEST(FramePacingMeasure, DetectsTheStutterOfUnsmoothedSnapshots) {
  for (const PacingCase& pacing : pacing_cases) {
    SCOPED_TRACE(pacing.name);
    // If a snapshot arrives for every frame and none is lost, unsmoothed snapshots do not stutter
    // either.
    if (pacing.snapshot_interval_ticks == 1 && pacing.frames_per_second == 60 && pacing.loss == 0)
      continue;
    EXPECT_GT(percentile_99(pixels_off(track_of(pacing, Source::Newest, seeds[0]))), most_pixels);
  }
}

}  // namespace
}  // namespace jostle::client_app
