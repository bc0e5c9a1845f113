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
  double seconds = 10;          // measured, once everybody plays
  double noise_per_second = 0;  // datagrams of strangers
  std::string program;          // that is called again, to be the bots, and the strangers
};

/// Of the seconds that were measured; times in µs of one thread's processor time.
struct ServerLoadFigures {
  double seconds = 0;
  std::uint64_t ticks = 0, ticks_skipped = 0;
  std::array<double, server::phase_count> phase_us{};
  double total_us = 0;
  std::int64_t tick_p50_us = 0, tick_p99_us = 0;  // of wall time
  net::SocketCalls calls;
  net::TransportCounters wire;
  server::Metrics server;        // those that count
  std::size_t sessions_end = 0;  // that are still there at the end
  // At the bots.
  std::size_t playing = 0;
  std::int64_t age_p50_us = 0, age_p99_us = 0, age_max_us = 0;
  std::uint64_t ages = 0;
  std::uint64_t snapshots_checked = 0, snapshots_differing = 0;
  NoiseFigures noise;
  SealingCost sealing;
};

/// A server in this process and bots in another, over sockets of this machine. The error says what
/// could not be done. Contract: the scene can be served to so many players.
base::Result<ServerLoadFigures, std::string> measure_server_load(const ServerLoadOptions& options,
                                                                 scene::SceneDef scene);

/// What that other process does; its lines go to the standard output. False when it failed, and
/// then `error` says why.
bool serve_bots(const SwarmOptions& options, double seconds, std::string& error);
/// What yet another one does: NoiseFigures as a line on the standard output.
bool make_noise_lines(const NoiseOptions& options, std::string& error);

std::string to_json(const ServerLoadOptions& options, const ServerLoadFigures& figures);
std::string to_text(const ServerLoadOptions& options, const ServerLoadFigures& figures);

}  // namespace jostle::load
