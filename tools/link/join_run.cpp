#include "tools/link/join_run.h"

#include "tools/match/match.h"
#include "tools/snapshots/scripted_player.h"

#include <algorithm>

namespace jostle::link {
namespace {

constexpr match::Pace join_pace{.interval_us = 4'000, .wakes_on_arrival = true};
constexpr double join_limit_seconds = 20, warm_up_seconds = 5, pause_seconds = 0.517;

match::MatchOptions options_for(const JoinRun& run, std::uint64_t seed) {
  match::MatchOptions options;
  options.seed = seed;
  options.scene = run.scene;
  options.is_recorded = false;
  options.is_remembered = false;
  return options;
}

/// Adds a client and returns the time in ms until it shows all bodies. Returns null if it fails to
/// join.
std::optional<double> join(match::Match& match, const Link& link, JoinFigures& figures) {
  const std::int64_t begin_us = match.network().now_us();
  match::Seat& seat = match.add_client("late", protocol::Role::Spectator, join_pace);
  match.network().set_faults(seat.ip, match::server_ip, link.faults);
  match.network().set_faults(match::server_ip, seat.ip, link.faults);
  const std::size_t all = match.simulation().world_def().bodies.size();
  std::optional<std::int64_t> shown_us;
  seat.on_update = [&] {
    if (!shown_us && seat.client->shown_bodies().size() == all) shown_us = match.network().now_us();
  };
  const bool has_joined = match.run_until([&] { return shown_us.has_value(); }, join_limit_seconds);
  seat.on_update = nullptr;
  if (!has_joined) return {};
  figures.bodies = all;
  return static_cast<double>(*shown_us - begin_us) * 1e-3;
}

}  // namespace

base::Result<std::vector<JoinFigures>, std::string> run_joins(const JoinRun& run) {
  std::vector<JoinFigures> figures(run.links.size());
  for (int i = 0; i < run.seeds; ++i) {
    const std::uint64_t seed = run.first_seed + static_cast<std::uint64_t>(i);
    match::Match match(options_for(run, seed));
    snapshots::ScriptedPlayer script(seed, snapshots::Activity::Mid);
    match::Seat& player = match.add_client("player", protocol::Role::Player, join_pace);
    match.set_tick_hook([&] {
      const auto body = match.simulation().find_body(
          match.simulation().player_body(player.client->status().player));
      if (!body) return;
      player.client->set_input(script.next(match.simulation().world().pose(*body).position));
    });
    if (!match.run_until_playing(join_limit_seconds)) return std::string("the player did not join");
    match.run_seconds(warm_up_seconds);
    for (int k = 0; k < run.joins; ++k) {
      for (std::size_t link = 0; link < figures.size(); ++link) {
        const auto joined_ms = join(match, run.links[link], figures[link]);
        if (!joined_ms) return "a client over the link '" + run.links[link].name + "' did not join";
        figures[link].joined_ms.add(*joined_ms);
        match.kill_client(match.seats().size() - 1);
        match.run_seconds(pause_seconds);
      }
      if (run.progress) run.progress((i + (k + 1.0) / run.joins) / run.seeds);
    }
  }
  return figures;
}

}  // namespace jostle::link
