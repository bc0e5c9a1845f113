#pragma once

#include "server/metrics.h"
#include "server/phases.h"
#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/scene/scene.h"
#include "shared/state/tick.h"
#include "tools/load/noise.h"
#include "tools/load/sealing_cost.h"
#include "tools/load/swarm.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace jostle::load {

struct ServerLoadOptions {
  std::string scene = "katamari";
  int tick_rate_hz = state::default_tick_rate_hz;
  int snapshot_interval_ticks = 1;
  SwarmOptions bots{.clients = 1'000, .players = 16, .decode_every = 50, .per_socket = 16};
  double seconds = 10;          // length of the measurement, which begins when all bots play
  double noise_per_second = 0;  // invalid datagrams per second
  // path of this program, which is started again as child processes: the bots and the sender of
  // noise
  std::string program;
};

/// The results of the measurement. CPU times are those of the server's thread, in µs.
struct ServerLoadFigures {
  double seconds = 0;
  std::uint64_t ticks = 0, ticks_skipped = 0;
  std::array<double, server::phase_count> phase_us{};
  double total_us = 0;
  std::int64_t tick_p50_us = 0, tick_p99_us = 0;  // duration of a tick in wall time
  net::SocketCalls calls;
  net::TransportCounters wire;
  // The server's metrics at the end. Counters of snapshots, keyframes and refused messages cover
  // only the measurement, other counters the whole run.
  server::Metrics server;
  std::size_t sessions_end = 0;  // sessions at the end
  // The members up to `snapshots_differing` are measured by the bots.
  std::size_t playing = 0;
  std::int64_t age_p50_us = 0, age_p99_us = 0, age_max_us = 0;
  std::uint64_t ages = 0;
  std::uint64_t snapshots_checked = 0, snapshots_differing = 0;
  NoiseFigures noise;
  SealingCost sealing;
};

/// Runs a server in this process and bots in another one, over loopback sockets. The error says
/// what failed. Contract: the scene has spawns for the number of players.
base::Result<ServerLoadFigures, std::string> measure_server_load(const ServerLoadOptions& options,
                                                                 scene::SceneDef scene);

/// Runs the bots in the child process and prints their results to standard output. Returns false
/// and sets `error` on failure.
bool serve_bots(const SwarmOptions& options, double seconds, std::string& error);
/// Sends the noise in the other child process and prints NoiseFigures as one line to standard
/// output. Returns false and sets `error` on failure.
bool make_noise_lines(const NoiseOptions& options, std::string& error);

std::string to_json(const ServerLoadOptions& options, const ServerLoadFigures& figures);
std::string to_text(const ServerLoadOptions& options, const ServerLoadFigures& figures);

}  // namespace jostle::load
