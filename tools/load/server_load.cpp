#include "tools/load/server_load.h"

#include "server/server.h"
#include "server/tick_loop.h"
#include "shared/bisect/child_process.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "tools/load/phase_clock.h"

#include <asio/io_context.hpp>

#include <cinttypes>
#include <cstdio>
#include <map>
#include <sstream>
#include <utility>

namespace jostle::load {
namespace {

constexpr std::int64_t us_a_second = 1'000'000;
/// Maximum time until all bots play.
constexpr double join_seconds = 300;
/// Time from the start of all bots' play until the measurement begins.
constexpr double settle_seconds = 1;
/// Time for which the bots play after the measurement.
constexpr double after_seconds = 0.5;
constexpr std::size_t spare_sessions = 16;
constexpr std::uint64_t ticks_per_look = 6;  // ticks between two reads of the bots' output

/// Measures the server between begin() and end().
class Watch {
 public:
  Watch(const net::EnetTransport& transport, const server::Server& server,
        const server::TickLoop& loop)
      : transport_(transport), server_(server), loop_(loop) {}

  PhaseClock clock;

  void begin(std::int64_t now_us) {
    began_us_ = now_us;
    clock.reset();
    calls_ = transport_.socket_calls();
    wire_ = transport_.counters();
    metrics_ = server_.metrics();
    skipped_ = loop_.ticks_skipped();
  }
  bool has_begun() const { return began_us_ >= 0; }

  ServerLoadFigures end(std::int64_t now_us) {
    ServerLoadFigures figures;
    clock.enter(server::Phase::Other);
    figures.seconds = static_cast<double>(now_us - began_us_) * 1e-6;
    for (std::size_t i = 0; i < server::phase_count; ++i)
      figures.phase_us[i] = clock.us(static_cast<server::Phase>(i));
    figures.total_us = clock.total_us();
    const net::SocketCalls calls = transport_.socket_calls();
    figures.calls = {calls.sends - calls_.sends, calls.receives - calls_.receives,
                     calls.messages - calls_.messages};
    figures.wire = transport_.counters();
    figures.wire.datagrams_sent -= wire_.datagrams_sent;
    figures.wire.datagrams_received -= wire_.datagrams_received;
    figures.wire.send_failures -= wire_.send_failures;
    figures.wire.sent = figures.wire.sent - wire_.sent;
    figures.wire.received = figures.wire.received - wire_.received;
    figures.server = server_.metrics();
    figures.server.snapshots_sent -= metrics_.snapshots_sent;
    figures.server.snapshots_shortened -= metrics_.snapshots_shortened;
    figures.server.keyframes_sent -= metrics_.keyframes_sent;
    figures.server.messages_refused -= metrics_.messages_refused;
    figures.ticks = figures.server.ticks - metrics_.ticks;
    figures.ticks_skipped = loop_.ticks_skipped() - skipped_;
    figures.tick_p50_us = loop_.tick_durations().percentile_us(0.5);
    figures.tick_p99_us = loop_.tick_durations().percentile_us(0.99);
    figures.sessions_end = server_.session_count();
    return figures;
  }

 private:
  const net::EnetTransport& transport_;
  const server::Server& server_;
  const server::TickLoop& loop_;
  std::int64_t began_us_ = -1;
  net::SocketCalls calls_;
  net::TransportCounters wire_;
  server::Metrics metrics_;
  std::uint64_t skipped_ = 0;
};

/// The results from the lines that the child processes have printed so far.
struct Report {
  bool is_playing = false, is_whole = false;
  std::string error;
  /// Hashes of decoded snapshots, by tick.
  std::map<std::uint32_t, std::vector<std::uint64_t>> hashes;

  void take(const std::string& line, ServerLoadFigures& figures) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "playing") {
      is_playing = true;
    } else if (kind == "hash") {
      std::uint32_t tick = 0;
      std::uint64_t hash = 0;
      words >> tick >> hash;
      hashes[tick].push_back(hash);
    } else if (kind == "figures") {
      words >> figures.playing >> figures.age_p50_us >> figures.age_p99_us >> figures.age_max_us >>
          figures.ages;
      is_whole = !words.fail();
    } else if (kind == "noise") {
      NoiseFigures& noise = figures.noise;
      words >> noise.datagrams >> noise.bytes >> noise.answers >> noise.answer_bytes >>
          noise.connects >> noise.connects_failed >> noise.connect_p50_us >> noise.connect_max_us;
    } else if (kind == "error") {
      std::getline(words >> std::ws, error);
    }
  }
};

std::vector<std::string> bot_arguments(const ServerLoadOptions& options, net::Address address) {
  const SwarmOptions& bots = options.bots;
  return {"load-bots",
          "--port",
          std::to_string(address.port),
          "--clients",
          std::to_string(bots.clients),
          "--players",
          std::to_string(bots.players),
          "--decode-every",
          std::to_string(bots.decode_every),
          "--per-socket",
          std::to_string(bots.per_socket),
          "--input",
          std::string(input_mix_names[static_cast<std::size_t>(bots.mix)]),
          "--seed",
          std::to_string(bots.seed),
          "--seconds",
          std::to_string(options.seconds + settle_seconds + after_seconds)};
}

std::vector<std::string> noise_arguments(const ServerLoadOptions& options, net::Address address) {
  return {"load-noise",
          "--port",
          std::to_string(address.port),
          "--per-second",
          std::to_string(options.noise_per_second),
          "--seconds",
          std::to_string(options.seconds)};
}

server::Options server_options(const ServerLoadOptions& options) {
  server::Options server;
  server.max_players = options.bots.players;
  server.max_sessions = options.bots.clients + spare_sessions;
  server.tick_rate_hz = options.tick_rate_hz;
  server.snapshot_interval_ticks = options.snapshot_interval_ticks;
  server.seed = options.bots.seed;
  return server;
}

/// Compares the snapshots that bots decoded with the server's.
void check_hashes(const Report& report, const std::map<std::uint32_t, std::uint64_t>& truth,
                  ServerLoadFigures& figures) {
  for (const auto& [tick, hashes] : report.hashes) {
    const auto known = truth.find(tick);
    for (const std::uint64_t hash : hashes) {
      ++figures.snapshots_checked;
      if (known == truth.end() || known->second != hash) ++figures.snapshots_differing;
    }
  }
}

}  // namespace

base::Result<ServerLoadFigures, std::string> measure_server_load(const ServerLoadOptions& options,
                                                                 scene::SceneDef scene) {
  net::SystemIo io;
  const server::Options choices = server_options(options);
  net::EnetOptions transport_options;
  transport_options.max_peers = choices.max_sessions;
  auto transport = net::EnetTransport::create(io, transport_options);
  if (!transport) return transport.error().text;
  sim::Simulation simulation(std::move(scene), {choices.tick_rate_hz, choices.seed},
                             sim::default_rules());
  server::Server server(io, **transport, simulation, choices);
  std::map<std::uint32_t, std::uint64_t> hashes;
  server.set_snapshot_hook([&](const protocol::QuantizedSnapshot& snapshot) {
    hashes[snapshot.tick.number] = protocol::hash(snapshot);
  });
  asio::io_context context;
  server::TickLoop loop(context, io, server, (*transport)->native_handle(), choices.tick_rate_hz);
  Watch watch(**transport, server, loop);
  server.set_phase_hook([&](server::Phase phase) { watch.clock.enter(phase); });

  bisect::ChildProcess bots, strangers;
  if (const auto started =
          bots.start(options.program, bot_arguments(options, (*transport)->local_address()));
      !started)
    return started.error();
  Report report;
  ServerLoadFigures figures;
  std::int64_t begin_us = INT64_MAX, end_us = INT64_MAX;
  loop.set_tick_hook([&] {
    const std::int64_t now_us = io.now_us();
    if (!watch.has_begun() && now_us >= begin_us) {
      watch.begin(now_us);
      loop.reset_durations();
      if (options.noise_per_second > 0) {
        const auto started = strangers.start(
            options.program, noise_arguments(options, (*transport)->local_address()));
        if (!started) report.error = started.error();
      }
    }
    if (now_us >= end_us) {
      const NoiseFigures noise = figures.noise;
      figures = watch.end(now_us);
      figures.noise = noise;
      end_us = INT64_MAX;
    }
    if (server.metrics().ticks % ticks_per_look != 0) return;
    for (bisect::ChildProcess* const child : {&bots, &strangers})
      for (const std::string& line : child->take_lines())
        report.take(line, figures);
    if (report.is_playing && begin_us == INT64_MAX) {
      begin_us = now_us + static_cast<std::int64_t>(settle_seconds * us_a_second);
      end_us = begin_us + static_cast<std::int64_t>(options.seconds * us_a_second);
    }
    if (bots.has_ended()) loop.stop();
  });
  loop.start();
  context.run();
  if (!report.error.empty()) return report.error;
  if (!report.is_whole || figures.ticks == 0)
    return std::string("the bots' process ended before the end of the measurement");
  for (const std::string& line : strangers.take_lines())
    report.take(line, figures);
  check_hashes(report, hashes, figures);
  figures.sealing = measure_sealing();
  return figures;
}

bool make_noise_lines(const NoiseOptions& options, std::string& error) {
  net::SystemIo io;
  const NoiseFigures noise = make_noise(io, options, error);
  std::printf("noise %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
              " %" PRId64 " %" PRId64 "\n",
              noise.datagrams, noise.bytes, noise.answers, noise.answer_bytes, noise.connects,
              noise.connects_failed, noise.connect_p50_us, noise.connect_max_us);
  std::fflush(stdout);
  return error.empty();
}

bool serve_bots(const SwarmOptions& options, double seconds, std::string& error) {
  net::SystemIo io;
  auto swarm = Swarm::create(io, options);
  if (!swarm) {
    error = swarm.error();
    return false;
  }
  std::vector<std::pair<std::uint32_t, std::uint64_t>> hashes;
  for (const auto& bot : (*swarm)->whole()) {
    bot->client().set_complete_hook([&](const protocol::QuantizedSnapshot& snapshot) {
      hashes.emplace_back(snapshot.tick.number, protocol::hash(snapshot));
    });
  }
  const auto run = [&](double run_seconds) {
    const bool has_run =
        (*swarm)->run_until(io.now_us() + static_cast<std::int64_t>(run_seconds * us_a_second));
    if (!has_run) error = (*swarm)->error();
    return has_run;
  };
  const std::int64_t patience_ends_us =
      io.now_us() + static_cast<std::int64_t>(join_seconds * us_a_second);
  while (!(*swarm)->is_everyone_playing()) {
    if (!run(0.1)) return false;
    if (io.now_us() < patience_ends_us) continue;
    error = "only " + std::to_string((*swarm)->playing()) + " of " +
            std::to_string(options.clients) + " bots have joined";
    return false;
  }
  std::printf("playing\n");
  std::fflush(stdout);
  if (!run(settle_seconds)) return false;
  (*swarm)->forget_ages();
  if (!run(seconds - settle_seconds)) return false;
  const server::DurationHistogram& ages = (*swarm)->ages();
  for (const auto& [tick, hash] : hashes)
    std::printf("hash %" PRIu32 " %" PRIu64 "\n", tick, hash);
  std::printf("figures %zu %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64 "\n", (*swarm)->playing(),
              ages.percentile_us(0.5), ages.percentile_us(0.99), ages.max_us(), ages.count());
  (*swarm)->close();
  return true;
}

}  // namespace jostle::load
