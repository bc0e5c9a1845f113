#pragma once

#include "shared/base/result.h"
#include "shared/net/network_conditions.h"
#include "shared/scene/scene.h"
#include "tools/link/samples.h"
#include "tools/match/match.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::link {

/// Processes that stand still together, again and again.
struct Hitches {
  double seconds = 0;  // length of each; 0: none
  bool stops_server = false, stops_clients = false;
  /// True to suspend the machines, with their clocks, instead of stopping the processes.
  bool are_suspends = false;
};

struct PlayLink {
  std::string name;
  net::NetworkConditions conditions;
  Hitches hitches;
  match::Pace pace;
};

/// The clients of a match; each link has one of each.
inline constexpr std::array<std::string_view, 3> play_clients{"player", "spectator", "predicting"};

/// Figures of one kind of client over one link.
struct PlayFigures {
  std::uint64_t ticks = 0;    // server ticks
  std::uint64_t sent = 0;     // ticks of which the server sent a snapshot
  std::uint64_t decoded = 0;  // ticks of which the client decoded a snapshot completely
  Samples view_delay_ms;      // delay of the displayed time behind the server's current tick
  std::uint64_t frames = 0;
  std::uint64_t frozen =
      0;  // frames that show a time more than two ticks after the newest snapshot
  /// Time from the end of a hitch, or from the start of the measurement, until the client displays
  /// a tick that the server simulated afterwards.
  Samples picture_back_ms;
  /// The same until the server applies an input that the player gave afterwards.
  Samples inputs_back_ms;
  Samples input_age_ms;  // age of the input that a tick applies, for players
  /// Distance between the displayed and the server's position of the player's own body for the same
  /// time, with prediction.
  Samples own_error_mm;
  /// Distances between what a client displays and the server's positions for the tick that the
  /// predicting client of the match displays at that time: of the player's own body, and the mean
  /// of the bodies without an owner that can move. They contain the delay of the display.
  Samples own_distance_mm, others_distance_mm;
  Samples round_trip_ms;
  double up_bytes = 0, down_bytes = 0;  // UDP payload
  double seconds = 0;
};

struct PlayRun {
  scene::SceneDef scene;
  std::vector<PlayLink> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  std::function<void(double)> progress;
};

/// Measures play over each link: a player, a spectator and a predicting player, each over its own
/// link of this kind. The result has one entry per link, with the figures of `play_clients`.
base::Result<std::vector<std::array<PlayFigures, play_clients.size()>>, std::string> run_play(
    const PlayRun& run);

}  // namespace jostle::link
