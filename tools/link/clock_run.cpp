#include "tools/link/clock_run.h"

#include "shared/base/random.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

namespace jostle::link {
namespace {

/// A scene with one moving body, so that every snapshot has content.
constexpr std::string_view lift_scene = R"({
  "name": "lift",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "lift", "motion_type": "kinematic", "position": [0, 2, 0],
      "shape": { "box": { "size": [2, 0.4, 2] } },
      "kinematic_motion": { "amplitude": [0, 1.5, 0], "period": 4 } }
  ],
  "spawns": [ { "position": [6, 1, 0] } ]
})";

constexpr double unknown_ms = 1e9;
constexpr double within_ms = 3, stays_seconds = 1;
constexpr double clock_settle_seconds = 1, start_seconds = 4, clock_join_seconds = 20;
constexpr double clock_slice_seconds = 60, day_sample_seconds = 0.1;

/// Measures the clock error of one client.
class ClockWatch {
 public:
  ClockWatch(match::Match& match, match::Seat& seat) : match_(match), seat_(seat) {
    seat.on_update = [this] { note(); };
  }
  /// Stops recording errors. last_error_ms() is still updated.
  void end_list() { is_listing_ = false; }

  bool is_welcome() const { return welcome_us_.has_value(); }
  /// Returns the error at the client's last update, or 1e9 if the client's clock is not set yet.
  double last_error_ms() const { return last_error_ms_; }
  Samples& errors_ms() { return errors_ms_; }
  /// Returns the time from Welcome to convergence, or null if the clock did not converge.
  std::optional<double> converged_ms() const {
    if (!good_since_us_ || !welcome_us_ || !has_stayed_) return {};
    return static_cast<double>(*good_since_us_ - *welcome_us_) * 1e-3;
  }

 private:
  /// Returns the current clock error, or null before the clock is set. Call it directly after an
  /// update.
  std::optional<double> error_ms() const {
    const double tick = seat_.client->metrics().server_tick;
    if (tick == 0) return {};
    return std::abs(tick - match_.true_tick()) * 1e3 / match_.simulation().options().tick_rate_hz;
  }
  void note() {
    const std::int64_t now_us = match_.network().now_us();
    if (seat_.client->status().state < client::ClientState::Joining) return;
    if (!welcome_us_) welcome_us_ = now_us;
    last_error_ms_ = error_ms().value_or(unknown_ms);
    if (!has_stayed_) {
      if (last_error_ms_ > within_ms) {
        good_since_us_.reset();
      } else if (!good_since_us_) {
        good_since_us_ = now_us;
      }
      has_stayed_ =
          good_since_us_ && static_cast<double>(now_us - *good_since_us_) >= stays_seconds * 1e6;
    }
    if (static_cast<double>(now_us - *welcome_us_) < clock_settle_seconds * 1e6) return;
    if (is_listing_) errors_ms_.add(last_error_ms_);
  }

  match::Match& match_;
  match::Seat& seat_;
  Samples errors_ms_;
  std::optional<std::int64_t> welcome_us_, good_since_us_;
  bool has_stayed_ = false, is_listing_ = true;
  double last_error_ms_ = unknown_ms;
};

match::MatchOptions options_for(std::uint64_t seed) {
  match::MatchOptions options;
  options.seed = seed;
  options.scene = match::scene_of(lift_scene);
  options.is_recorded = false;
  options.is_remembered = false;
  return options;
}

match::Seat& add_client(match::Match& match, const ClockLink& link, base::Random& random) {
  match::Seat& seat = match.add_client(link.name, protocol::Role::Spectator, link.pace);
  seat.next_update_us += random.below(16'667);
  net::VirtualNode& node = match.network().node(seat.ip);
  node.advance_clock(static_cast<std::int64_t>(random.below(1'000'000'000)) * 1'000);
  node.set_clock_skew(link.drift_ppm);
  match.network().set_faults(seat.ip, match::server_ip, link.up);
  match.network().set_faults(match::server_ip, seat.ip, link.down);
  return seat;
}

/// A match with one client per link, and a ClockWatch for each client.
struct Hall {
  match::Match match;
  std::vector<std::unique_ptr<ClockWatch>> watches;

  Hall(const std::vector<ClockLink>& links, std::uint64_t seed) : match(options_for(seed)) {
    base::Random random(seed);
    for (const ClockLink& link : links) {
      watches.push_back(std::make_unique<ClockWatch>(match, add_client(match, link, random)));
    }
  }
  bool is_welcome() const {
    return std::all_of(watches.begin(), watches.end(),
                       [](const auto& watch) { return watch->is_welcome(); });
  }
};

std::string nobody_joins() {
  return "not all clients have joined after " +
         std::to_string(static_cast<int>(clock_join_seconds)) +
         " s: choose links with less loss or latency";
}

}  // namespace

base::Result<std::vector<ClockFigures>, std::string> run_clocks(const ClockRun& run) {
  std::vector<ClockFigures> figures(run.links.size());
  for (int i = 0; i < run.seeds; ++i) {
    const std::uint64_t seed = run.first_seed + static_cast<std::uint64_t>(i);
    base::Random start_seeds(seed);
    for (int k = 0; k < run.starts; ++k) {
      Hall hall(run.links, start_seeds.next());
      if (!hall.match.run_until([&] { return hall.is_welcome(); }, clock_join_seconds))
        return nobody_joins();
      hall.match.run_seconds(start_seconds);
      for (std::size_t link = 0; link < figures.size(); ++link) {
        const auto converged_ms = hall.watches[link]->converged_ms();
        figures[link].converged_ms.add(converged_ms.value_or(start_seconds * 1e3));
      }
    }
    Hall hall(run.links, seed);
    if (!hall.match.run_until([&] { return hall.is_welcome(); }, clock_join_seconds))
      return nobody_joins();
    const double seconds = run.minutes * 60;
    const int slices = static_cast<int>(std::ceil(seconds / clock_slice_seconds));
    for (int slice = 0; slice < slices; ++slice) {
      hall.match.run_seconds(seconds / slices);
      if (run.progress) run.progress((i + (slice + 1.0) / slices) / run.seeds);
    }
    for (std::size_t link = 0; link < figures.size(); ++link)
      figures[link].error_ms.add_all(hall.watches[link]->errors_ms());
  }
  return figures;
}

base::Result<DayFigures, std::string> run_day(const DayRun& run) {
  match::Match match(options_for(run.seed));
  base::Random random(run.seed);
  ClockWatch watch(match, add_client(match, run.link, random));
  if (!match.run_until([&] { return watch.is_welcome(); }, clock_join_seconds))
    return nobody_joins();
  match.run_seconds(clock_settle_seconds);
  watch.end_list();  // the errors of a whole day would take too much memory

  DayFigures figures;
  const double seconds = run.hours * 3600;
  const double noted_seconds = std::min(3600.0, seconds / 4);
  const auto samples = static_cast<std::int64_t>(seconds / day_sample_seconds);
  for (std::int64_t i = 0; i < samples; ++i) {
    match.run_seconds(day_sample_seconds);
    const double at = static_cast<double>(i) * day_sample_seconds;
    if (at < noted_seconds) figures.first_ms.add(watch.last_error_ms());
    if (at >= seconds - noted_seconds) figures.last_ms.add(watch.last_error_ms());
    if (run.progress && i % 36'000 == 0) run.progress(at / seconds);
  }
  return figures;
}

}  // namespace jostle::link
