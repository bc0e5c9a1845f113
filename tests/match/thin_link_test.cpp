#include "shared/base/random.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace jostle::match {
namespace {

/// Returns the number of bodies: the value of JOSTLE_THIN_LINK_BODIES, or 2,000.
int body_count() {
  const char* wanted = std::getenv("JOSTLE_THIN_LINK_BODIES");
  return wanted == nullptr ? 2'000 : std::atoi(wanted);
}

/// Returns a scene of balls that bounce independently in a square with 20 m² for each ball. The
/// balls never come to rest within the test.
std::string bouncing_scene(int count) {
  const float side = std::sqrt(20.0f * static_cast<float>(count)) / 2;
  base::Random random(11);
  const auto number = [&](float low, float high) {
    return std::to_string(random.between(low, high));
  };
  std::string text = R"({ "name": "bounce", "spawns": [{ "position": [0, 1, 0] }], "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} },
      "restitution": 0.9, "friction": 0.3 })";
  for (int i = 0; i < count; ++i) {
    text += ",\n{ \"shape\": { \"sphere\": { \"radius\": " + std::to_string(0.2 + 0.05 * (i % 5)) +
            " } }, \"restitution\": 0.9, \"friction\": 0.3, \"position\": [" + number(-side, side) +
            "," + number(1, 8) + "," + number(-side, side) + "], \"linear_velocity\": [" +
            number(-4, 4) + "," + number(-2, 4) + "," + number(-4, 4) +
            "], \"angular_velocity\": [" + number(-6, 6) + "," + number(-6, 6) + "," +
            number(-6, 6) + "] }";
  }
  return text + "] }";
}

constexpr math::Position eye{0, 20, 60};

/// Returns true if a position is at most 66° from the viewing direction and 150 m from the eye.
bool is_seen(const math::Position& at) {
  const math::Vec3 offset = at - eye;
  const float distance = math::length(offset);
  return distance < 150 && -offset.z > 0.4f * distance;
}

/// Errors of the displayed positions of visible bodies at the displayed time, and statistics of the
/// link.
struct Errors {
  // errors in ascending order; `shares` are fractions of the distance from the eye
  std::vector<double> metres, shares;
  double bytes_per_second = 0;  // downstream, UDP payload
  double age_ms = 0;            // mean age of the newest snapshot
};

double percentile(const std::vector<double>& ascending, double part) {
  if (ascending.empty()) return std::numeric_limits<double>::infinity();
  return ascending[static_cast<std::size_t>(part * static_cast<double>(ascending.size() - 1))];
}

class Watch {
 public:
  Watch(Match& match, const Seat& seat) : match_(match), seat_(seat) {}

  Errors run(double seconds) {
    Errors errors;
    const std::uint64_t bytes_before = seat_.client->metrics().bytes_down;
    const std::int64_t began_us = match_.network().now_us();
    const int looks = static_cast<int>(seconds * 60);
    for (int i = 0; i < looks; ++i) {
      match_.run_seconds(1.0 / 60);
      note_truth();
      look(errors);
      errors.age_ms += seat_.client->metrics().snapshot_age_ms / looks;
    }
    std::sort(errors.metres.begin(), errors.metres.end());
    std::sort(errors.shares.begin(), errors.shares.end());
    errors.bytes_per_second =
        static_cast<double>(seat_.client->metrics().bytes_down - bytes_before) * 1e6 /
        static_cast<double>(match_.network().now_us() - began_us);
    return errors;
  }

 private:
  using Poses = std::map<std::uint32_t, math::Position>;  // keyed by body id

  void note_truth() {
    Poses& truth = truths_[match_.simulation().tick().number];
    for (const state::BodyState& body : match_.simulation().capture().bodies)
      truth[body.id.value] = body.pose.position;
    if (truths_.size() > 60) truths_.erase(truths_.begin());
  }

  void look(Errors& errors) const {
    const double shown = seat_.client->shown_tick();
    const auto before = truths_.find(static_cast<std::uint32_t>(shown));
    const auto after = truths_.find(static_cast<std::uint32_t>(shown) + 1);
    if (before == truths_.end() || after == truths_.end()) return;
    const auto share = static_cast<float>(shown - static_cast<double>(before->first));
    for (const client::ShownBody& body : seat_.client->shown_bodies()) {
      if (body.info->motion == state::MotionType::Static) continue;
      const math::Position from = before->second.at(body.info->id.value);
      const math::Position at = from + (after->second.at(body.info->id.value) - from) * share;
      if (!is_seen(at)) continue;
      const auto error = static_cast<double>(math::length(body.pose.position - at));
      errors.metres.push_back(error);
      errors.shares.push_back(error / static_cast<double>(math::length(at - eye)));
    }
  }

  Match& match_;
  const Seat& seat_;
  std::map<std::uint32_t, Poses> truths_;
};

/// A match with a spectator of the balls, which sets its view and its maximum rate.
struct Show {
  explicit Show(const net::LinkFaults& faults, double bytes_per_second)
      : match(options(faults)), seat(match.add_client("Watcher", protocol::Role::Spectator)) {
    interest.eye = eye;
    interest.forward = {0, 0, -1};
    interest.half_angle = 1.2f;
    interest.max_bytes_per_second = static_cast<std::uint32_t>(bytes_per_second);
    seat.client->set_interest(interest);
  }
  /// Waits until the world has arrived and for `settling` seconds. Measures the errors during the
  /// next `seconds`.
  Errors watch(double settling, double seconds) {
    EXPECT_TRUE(match.run_until_playing(30.0));
    match.run_seconds(settling);
    return Watch(match, seat).run(seconds);
  }
  static MatchOptions options(const net::LinkFaults& faults) {
    MatchOptions made;
    made.faults = faults;
    const std::string scene = bouncing_scene(body_count());
    made.scene = scene_of(scene);
    made.is_recorded = false;
    return made;
  }

  Match match;
  Seat& seat;
  protocol::SetInterest interest;
};

net::LinkFaults distant() {
  net::LinkFaults faults;
  faults.latency_us = 20'000;
  return faults;
}

void print(const char* what, const Errors& errors) {
  std::printf(
      "%s: error p50 %.4f, p95 %.4f, p99 %.4f m, p95 %.4f of the distance; %.0f B/s; age %.1f ms\n",
      what, percentile(errors.metres, 0.5), percentile(errors.metres, 0.95),
      percentile(errors.metres, 0.99), percentile(errors.shares, 0.95), errors.bytes_per_second,
      errors.age_ms);
}

/// Returns a rate in B/s, computed from the number of bodies and one of two rates per body. If
/// there are 10,000 bodies, many are out of view and can wait. If there are few, all are visible,
/// so the rate per body is higher.
double rate_of(double with_ten_thousand, double with_few) {
  return body_count() * (body_count() >= 10'000 ? with_ten_thousand : with_few);
}

// The rate is 8 Mbps for 10,000 bodies that all move.
TEST(ThinLink, VisibleBodiesAreAccurateAtEightMegabits) {
  const double rate = rate_of(100, 125);
  Show show(distant(), rate);
  const Errors errors = show.watch(2, 1.5);
  print("8 Mbps", errors);
  EXPECT_GT(show.match.server().metrics().snapshots_shortened, 100U);
  EXPECT_LT(percentile(errors.metres, 0.99), 0.05);
  EXPECT_LT(errors.bytes_per_second, rate);
}

// The rate is 1 Mbps for 10,000 bodies that all move.
TEST(ThinLink, TheViewIsUsableAtOneMegabit) {
  const double rate = rate_of(12.5, 20);
  Show show(distant(), rate);
  const Errors errors = show.watch(3, 1.5);
  print("1 Mbps", errors);
  EXPECT_LT(percentile(errors.metres, 0.5), 1);
  EXPECT_LT(percentile(errors.shares, 0.95), 0.03);
  EXPECT_LT(errors.bytes_per_second, rate);
}

// The client sets no limit: the server must find the link's rate and keep its queue short.
TEST(ThinLink, IsFilledWithoutFillingItsQueue) {
  net::LinkFaults narrow = distant();
  narrow.bandwidth_bytes_per_s = static_cast<std::int64_t>(rate_of(100, 125));
  narrow.queue_us = 500'000;
  Show show(narrow, 0);
  const Errors errors = show.watch(4, 3);
  print("narrow link", errors);
  EXPECT_GT(errors.bytes_per_second, 0.6 * static_cast<double>(narrow.bandwidth_bytes_per_s));
  EXPECT_LT(errors.age_ms, 20 + 100);
  EXPECT_LT(percentile(errors.metres, 0.95), 0.05);
}

/// Boxes that fall and come to rest, and balls that never come to rest.
constexpr std::string_view resting_scene = R"({
  "name": "resting",
  "bodies": [ { "name": "ground", "motion_type": "static", "shape": { "plane": {} } } ],
  "templates": [ { "name": "crate", "shape": { "box": { "size": [0.8, 0.8, 0.8] } }, "restitution": 0 },
                 { "name": "ball", "shape": { "sphere": { "radius": 0.3 } }, "restitution": 1 } ],
  "generators": [
    { "kind": "grid", "counts": [12, 1, 12], "spacing": [1.5, 1, 1.5], "position": [-9, 4, 0],
      "body": { "template": "crate" } },
    { "kind": "grid", "counts": [16, 1, 16], "spacing": [1.5, 1, 1.5], "position": [20, 6, 0],
      "body": { "template": "ball" } } ],
  "spawns": [ { "position": [60, 0.6, 60] } ] })";

/// Returns the largest distance of a displayed crate from its true position, m.
double worst_crate(Match& match, const Seat& seat) {
  std::map<std::uint32_t, math::Position> truth;
  for (const state::BodyState& body : match.simulation().capture().bodies)
    truth[body.id.value] = body.pose.position;
  double worst = 0;
  for (const client::ShownBody& body : seat.client->shown_bodies()) {
    if (body.info->motion == state::MotionType::Static) continue;
    if (body.info->shapes[0].shape.kind != state::ShapeKind::Box) continue;
    const math::Vec3 offset = body.pose.position - truth.at(body.info->id.value);
    worst = std::max(worst, static_cast<double>(math::length(offset)));
  }
  return worst;
}

TEST(ThinLink, BodiesAtRestAreShownInPlace) {
  for (const float radius : {0.0f, 3.0f}) {
    SCOPED_TRACE(radius);
    MatchOptions options;
    options.faults.latency_us = 20'000;
    options.scene = *scene::parse_scene(resting_scene, "resting.scene.json");
    Match match(options);
    Seat& seat = match.add_client("Watcher", protocol::Role::Spectator);
    protocol::SetInterest interest;
    interest.eye = {-9, 2, 0};
    interest.max_bytes_per_second = 8'000;
    seat.client->set_interest(interest);
    ASSERT_TRUE(match.run_until_playing(10.0));
    match.run_seconds(6);
    EXPECT_LT(worst_crate(match, seat), 0.01);
    interest.radius = radius;  // bodies farther away are no longer sent
    seat.client->set_interest(interest);
    // Wait for longer than the client keeps snapshots.
    for (int i = 0; i < 4; ++i) {
      match.run_seconds(3);
      EXPECT_LT(worst_crate(match, seat), 0.01);
    }
  }
}

TEST(ThinLink, SkippedSnapshotsDoNotCountAsPacketLoss) {
  MatchOptions options;
  options.scene = *scene::parse_scene(resting_scene, "resting.scene.json");
  Match match(options);
  Seat& seat = match.add_client("Watcher", protocol::Role::Spectator);
  protocol::SetInterest interest;
  interest.max_bytes_per_second = 8'000;
  seat.client->set_interest(interest);
  ASSERT_TRUE(match.run_until_playing(10.0));
  match.run_seconds(5);
  EXPECT_GT(match.server().metrics().snapshots_shortened, 100U);
  EXPECT_LT(seat.client->metrics().loss, 0.02);
}

scene::SceneDef gallery_scene(const std::string& name) {
  const std::string path = JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return *scene::parse_scene(text, path);
}

// The moving bodies need more bandwidth than the thin link has. Snapshots that are skipped for lack
// of bandwidth must count as unmet demand. Otherwise the server would not raise its rate when the
// link widens.
TEST(ThinLink, TheRateGrowsWhenTheLinkWidens) {
  MatchOptions options;
  options.faults.latency_us = 20'000;
  options.faults.bandwidth_bytes_per_s = 9'500;
  options.faults.queue_us = 500'000;
  options.scene = *scene::parse_scene(R"({
    "name": "few",
    "bodies": [ { "name": "ground", "motion_type": "static", "shape": { "plane": {} }, "restitution": 1 } ],
    "templates": [ { "name": "ball", "shape": { "sphere": { "radius": 0.3 } }, "restitution": 1 } ],
    "generators": [ { "kind": "grid", "counts": [6, 1, 6], "spacing": [3, 1, 3], "position": [0, 4, 0],
                      "body": { "template": "ball" } } ],
    "spawns": [ { "position": [60, 0.6, 60] } ] })",
                                      "few.scene.json");
  Match match(options);
  Seat& seat = match.add_client("Watcher", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(10.0));
  // Data that was sent before the link's rate was known leaves the queue in this time.
  match.run_seconds(15);
  EXPECT_GT(match.server().metrics().snapshots_shortened, 100U);
  EXPECT_LT(seat.client->metrics().round_trip_ms, 40 + 200);
  options.faults.bandwidth_bytes_per_s = 0;
  match.network().set_default_faults(options.faults);
  // Near the rate of the last queue, the rate grows slowly for 10 s.
  match.run_seconds(14);
  const std::uint64_t before = seat.client->metrics().snapshots_complete;
  match.run_seconds(2);
  EXPECT_GT(seat.client->metrics().snapshots_complete - before, 115U);
}

// Few bodies are within the radius, and their number changes continually: one, several, or none.
TEST(ThinLink, EverySnapshotWithARadiusIsDecoded) {
  for (const std::string name : {"crates", "cradle", "ragdolls"}) {
    for (const float radius : {2.0f, 4.0f}) {
      SCOPED_TRACE(name + ", " + std::to_string(radius) + " m");
      MatchOptions options;
      options.faults.latency_us = 10'000;
      options.scene = gallery_scene(name);
      Match match(options);
      Seat& ann = match.add_client("Ann", protocol::Role::Player);
      protocol::SetInterest interest;
      interest.radius = radius;
      ann.client->set_interest(interest);
      ASSERT_TRUE(match.run_until_playing(10.0));
      match.run_seconds(6);
      EXPECT_EQ(ann.client->metrics().loss, 0.0);
      EXPECT_GT(ann.client->metrics().snapshots_complete, 350U);
    }
  }
}

TEST(ThinLink, AWorldAtRestIsSentCompletelyAgain) {
  MatchOptions options;
  options.faults.latency_us = 20'000;
  Match match(options);
  Seat& seat = match.add_client("Watcher", protocol::Role::Spectator);
  protocol::SetInterest interest;
  interest.max_bytes_per_second = 8'000;
  seat.client->set_interest(interest);
  ASSERT_TRUE(match.run_until_playing(10.0));
  match.run_seconds(6);
  const std::size_t common = match.agreement(seat).common;
  match.run_seconds(2);
  EXPECT_GT(match.agreement(seat).common, common + 90);
  EXPECT_EQ(match.agreement(seat).different, 0U);
}

}  // namespace
}  // namespace jostle::match
