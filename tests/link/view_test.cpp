#include "protocol/quantize.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

namespace jostle::match {
namespace {

constexpr double tick_ms = 1e3 / 60;
constexpr double rounding = 1.5 / 512;  // tolerance for the rounding of positions to 1/512 m, in m

/// A ball that moves along x at a constant 2 m/s.
constexpr std::string_view gliding_scene = R"({
  "name": "gliding", "world": { "gravity": [0, 0, 0] }, "spawns": [ { "position": [0, 0, 50] } ],
  "bodies": [ { "shape": { "sphere": { "radius": 0.5 } }, "linear_velocity": [2, 0, 0] } ]})";

/// A kinematic ball that oscillates along x with an amplitude of 3 m and a period of 2 s.
constexpr std::string_view swinging_scene = R"({
  "name": "swinging", "spawns": [ { "position": [0, 0, 50] } ],
  "bodies": [ { "motion_type": "kinematic", "position": [0, 5, 0],
      "shape": { "sphere": { "radius": 0.5 } },
      "kinematic_motion": { "amplitude": [3, 0, 0], "period": 2 } } ]})";

net::LinkFaults faults(float loss, std::int64_t latency_us, std::int64_t jitter_us) {
  net::LinkFaults made;
  made.loss = loss;
  made.latency_us = latency_us;
  made.jitter_us = jitter_us;
  return made;
}

/// A match with one spectator, and functions that return what it displays.
struct View {
  Match match;
  Seat& seat;
  std::map<std::uint32_t, math::Position> truth;  // true positions of body 1, by tick

  View(std::string_view scene, const net::LinkFaults& link, int snapshot_interval_ticks = 1)
      : match(options_for(scene, link, snapshot_interval_ticks)),
        seat(match.add_client("Eve", protocol::Role::Spectator,
                              {.interval_us = 4'000, .wakes_on_arrival = true})) {
    match.set_tick_hook([this] {
      const auto body = match.simulation().find_body({1});
      if (body) {
        truth[match.simulation().tick().number] = match.simulation().world().pose(*body).position;
      }
    });
    EXPECT_TRUE(match.run_until_playing(5));
    match.run_seconds(5);
  }
  static MatchOptions options_for(std::string_view scene, const net::LinkFaults& link,
                                  int snapshot_interval_ticks) {
    MatchOptions options;
    options.scene = scene_of(scene);
    options.faults = link;
    options.server.snapshot_interval_ticks = snapshot_interval_ticks;
    options.is_recorded = false;
    return options;
  }

  void each_picture(double seconds, const std::function<void()>& ask) {
    seat.on_update = ask;
    match.run_seconds(seconds);
    seat.on_update = nullptr;
  }
  double shown_tick() const { return seat.client->shown_tick(); }
  double newest_tick() const { return seat.client->metrics().newest_tick.number; }
  double delay_ms() const { return (match.true_tick() - shown_tick()) * tick_ms; }
  math::Position shown() const {
    for (const client::ShownBody& body : seat.client->shown_bodies())
      if (body.info->id.value == 1) return body.pose.position;
    return {NAN, NAN, NAN};
  }
  /// Returns the true position at `tick`, interpolated between the ticks `from` and `to`.
  math::Position between(double tick, std::uint32_t from, std::uint32_t to) const {
    const math::Position a = truth.at(from), b = truth.at(to);
    return a + (b - a) * static_cast<float>((tick - from) / (to - from));
  }
  double mean_delay_ms(double seconds) {
    double sum = 0, count = 0;
    each_picture(seconds, [&] {
      sum += delay_ms();
      ++count;
    });
    return sum / count;
  }
};

TEST(View, ShowsTheTruePositionOfTheDisplayedTick) {
  View view(gliding_scene, faults(0.05f, 25'000, 10'000));
  int pictures = 0;
  view.each_picture(10, [&] {
    const auto tick = static_cast<std::uint32_t>(view.shown_tick());
    const double truth = view.between(view.shown_tick(), tick, tick + 1).x;
    ASSERT_NEAR(view.shown().x, truth, rounding);
    ++pictures;
  });
  EXPECT_GT(pictures, 2'000);
}

TEST(View, ChangesItsSpeedByAtMostThreePercentWhenTheLatencyChanges) {
  View view(gliding_scene, faults(0, 20'000, 0));
  const double before_ms = view.mean_delay_ms(1);
  double tick = 0, at_us = 0, slowest = 1, fastest = 1, latest_ms = 0;
  const auto note = [&] {
    const auto now_us = static_cast<double>(view.match.network().now_us());
    if (tick > 0) {
      const double rate = (view.shown_tick() - tick) * tick_ms * 1e3 / (now_us - at_us);
      slowest = std::min(slowest, rate);
      fastest = std::max(fastest, rate);
    }
    tick = view.shown_tick();
    at_us = now_us;
    latest_ms = std::max(latest_ms, view.delay_ms());
  };
  view.match.network().set_default_faults(faults(0, 80'000, 0));
  view.each_picture(8, note);
  EXPECT_NEAR(view.mean_delay_ms(1), before_ms + 60, 4);
  tick = 0;
  view.match.network().set_default_faults(faults(0, 20'000, 0));
  view.each_picture(12, note);
  EXPECT_NEAR(view.mean_delay_ms(1), before_ms, 2);
  EXPECT_LE(fastest, 1.03 + 1e-6);
  EXPECT_GE(slowest, 0.97 - 1e-6);
  EXPECT_GT(fastest, 1.02) << "the view should have run faster";
  EXPECT_LT(slowest, 0.98) << "the view should have run slower";
  EXPECT_LE(latest_ms, before_ms + 60 + 5);
}

TEST(View, AdaptsItsDelayToJitterAndBack) {
  View view(gliding_scene, faults(0, 25'000, 0));
  const double before_ms = view.mean_delay_ms(1);
  view.match.network().set_default_faults(faults(0, 25'000, 30'000));
  view.match.run_seconds(8);
  int pictures = 0, guesses = 0;
  double jittery_ms = 0;
  view.each_picture(10, [&] {
    ++pictures;
    guesses += view.shown_tick() > view.newest_tick() ? 1 : 0;
    jittery_ms += view.delay_ms();
  });
  EXPECT_GT(jittery_ms / pictures, before_ms + 20);
  EXPECT_LT(jittery_ms / pictures, before_ms + 35);
  EXPECT_LT(static_cast<double>(guesses) / pictures, 0.02);
  view.match.network().set_default_faults(faults(0, 25'000, 0));
  view.match.run_seconds(12);
  EXPECT_NEAR(view.mean_delay_ms(1), before_ms, 1);
}

TEST(View, ExtrapolatesForTwoTicksWithoutSnapshotsAndThenStops) {
  View view(gliding_scene, faults(0, 20'000, 0));
  view.match.network().set_cut(server_ip, view.seat.ip, true);
  view.match.run_seconds(0.03);  // lets packets in transit arrive
  const auto last = static_cast<std::uint32_t>(view.newest_tick());
  const double furthest = view.truth.at(last).x + 2 * 2.0 / 60;
  std::optional<double> held;
  view.each_picture(0.4, [&] {
    ASSERT_EQ(view.newest_tick(), last);
    ASSERT_LE(view.shown().x, furthest + 3 * rounding);
    if (view.shown_tick() < last + 2) return;
    if (!held) held = view.shown().x;
    ASSERT_EQ(view.shown().x, *held);
  });
  ASSERT_TRUE(held.has_value());
  EXPECT_NEAR(*held, furthest, 3 * rounding);
  view.match.network().heal();
  view.match.network().set_default_faults(faults(0, 20'000, 0));
  view.match.run_seconds(1);
  const auto tick = static_cast<std::uint32_t>(view.shown_tick());
  EXPECT_NEAR(view.shown().x, view.between(view.shown_tick(), tick, tick + 1).x, rounding);
}

// Bodies that have come to rest are shown exactly at the server's quantised pose, and do not move.
TEST(View, ShowsBodiesAtRestExactlyInPlace) {
  View view(match_scene, faults(0.1f, 25'000, 10'000));
  view.match.run_seconds(6);
  const sim::Simulation& simulation = view.match.simulation();
  std::size_t asleep = 0;
  view.each_picture(2, [&] {
    asleep = 0;
    for (const client::ShownBody& body : view.seat.client->shown_bodies()) {
      if (body.info->motion != state::MotionType::Dynamic || body.is_awake) continue;
      const math::Pose truth = simulation.world().pose(*simulation.find_body(body.info->id));
      ASSERT_EQ(body.pose, protocol::dequantize(protocol::quantize(truth, false)));
      ++asleep;
    }
  });
  EXPECT_EQ(asleep, 38U) << "six crates stacked and 32 loose ones";
}

/// RMS distances, m.
struct Errors {
  double shown = 0;          // from the shown position to the true one
  double straight = 0;       // from linear interpolation between snapshots to the true position
  double from_straight = 0;  // from the shown position to linear interpolation
};
/// Measures the errors with a snapshot every `interval` ticks.
Errors errors_at(int interval) {
  View view(swinging_scene, faults(0, 25'000, 0), interval);
  Errors sum;
  double pictures = 0;
  view.each_picture(10, [&] {
    if (view.shown_tick() > view.newest_tick()) return;
    const auto tick = static_cast<std::uint32_t>(view.shown_tick());
    const auto step = static_cast<std::uint32_t>(interval);
    const std::uint32_t snapshot = tick / step * step;
    const double truth = view.between(view.shown_tick(), tick, tick + 1).x;
    const double line = view.between(view.shown_tick(), snapshot, snapshot + step).x;
    const double shown = view.shown().x;
    sum.shown += (shown - truth) * (shown - truth);
    sum.straight += (line - truth) * (line - truth);
    sum.from_straight += (shown - line) * (shown - line);
    ++pictures;
  });
  EXPECT_GT(pictures, 2'000);
  return {std::sqrt(sum.shown / pictures), std::sqrt(sum.straight / pictures),
          std::sqrt(sum.from_straight / pictures)};
}

TEST(View, CurvesBetweenTwentySnapshotsPerSecondAreMoreAccurateThanLines) {
  const Errors at_20_hz = errors_at(3);
  EXPECT_GT(at_20_hz.straight, 2e-3);
  EXPECT_LT(at_20_hz.shown, 0.4 * at_20_hz.straight);
}

TEST(View, IsAccurateWithLinesAtSixtySnapshotsPerSecond) {
  const Errors at_60_hz = errors_at(1);
  EXPECT_LT(at_60_hz.from_straight, 1.0 / 512);
  EXPECT_LT(at_60_hz.shown, 1.0 / 512);
}

}  // namespace
}  // namespace jostle::match
