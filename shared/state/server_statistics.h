#pragma once

#include "shared/state/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jostle::state {

inline constexpr std::size_t server_phase_count = 4;
inline constexpr std::array<std::string_view, server_phase_count> server_phase_names{
    "receive", "simulate", "encode", "send"};
/// The stages of a step, in the order and with the names of physics::Stage.
inline constexpr std::size_t step_stage_count = 18;
inline constexpr std::array<std::string_view, step_stage_count> step_stage_names{
    "prepare",         "find_pairs",       "collide",        "prepare_bodies",
    "colour_contacts", "prepare_contacts", "prepare_joints", "integrate",
    "solve",           "carry_loads",      "relax",          "restitution",
    "store_impulses",  "finish_bodies",    "small_islands",  "sleep",
    "particles",       "finish_events"};

enum class ServerCount : std::uint8_t {
  Bodies,
  AwakeBodies,
  CandidatePairs,  // pairs whose fat bounding boxes overlap
  TouchingPairs,
  ContactPoints,
  Joints,
  Particles,
  Players,
  Clients,  // including players
};
inline constexpr std::size_t server_count_count = 9;
inline constexpr std::array<std::string_view, server_count_count> server_count_names{
    "bodies", "awake",     "pairs",   "touching", "contact points",
    "joints", "particles", "players", "clients"};

/// Load statistics of a server. Times are means over the ticks since the last report, except for
/// longest_tick_ms.
struct ServerStatistics {
  Tick tick;  // tick of the report
  float tick_ms = 0, longest_tick_ms = 0;
  std::array<float, server_phase_count> phase_ms{};  // duration of each phase per tick
  // mean duration of each stage in a tick; zero if the step is not timed
  std::array<float, step_stage_count> stage_ms{};
  std::array<std::uint32_t, server_count_count> counts{};
  float bytes_per_second = 0;  // sent to all clients on the State channel

  std::uint32_t count(ServerCount of) const { return counts[static_cast<std::size_t>(of)]; }

  bool operator==(const ServerStatistics&) const = default;
};

}  // namespace jostle::state
