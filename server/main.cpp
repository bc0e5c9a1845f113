#include "protocol/message_names.h"
#include "server/access.h"
#include "server/command_line.h"
#include "server/hash_log.h"
#include "server/scene_files.h"
#include "server/server.h"
#include "server/tick_loop.h"
#include "shared/base/log.h"
#include "shared/base/version.h"
#include "shared/net/enet_transport.h"
#include "shared/net/net_sim.h"
#include "shared/net/system_io.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/sim/simulation.h"
#include "shared/sim/stock_rules.h"

#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace jostle::server {
namespace {

constexpr int exit_failed = 1;
constexpr int exit_bad_input = 2;

int fail(const std::string& words, int code) {
  std::fprintf(stderr, "jostled: %s\n", words.c_str());
  return code;
}

/// Gives clients half a second to hear that the server stops.
void say_goodbye(Server& server) {
  constexpr int rounds = 50;
  constexpr std::chrono::milliseconds pause(10);
  server.say_goodbye();
  for (int i = 0; i < rounds && server.session_count() > 0; ++i) {
    server.receive();
    std::this_thread::sleep_for(pause);
  }
}

/// Where the bytes of a direction went, in one line.
void print_ledger(const char* direction, const net::ByteLedger& ledger) {
  const auto total = static_cast<double>(ledger.total_bytes());
  if (total == 0) return;
  std::string text;
  for (const net::LedgerLine& line : net::lines_of(ledger)) {
    const double share = 100 * static_cast<double>(line.bytes) / total;
    if (share < 0.1) continue;
    std::array<char, 96> part{};
    std::snprintf(part.data(), part.size(), "%s%s %.1f %%", text.empty() ? "" : ", ",
                  std::string(protocol::name_of_message(line.name)).c_str(), share);
    text += part.data();
  }
  std::printf("jostled: of %.0f kB on the wire %s: %s\n", total * 1e-3, direction, text.c_str());
}

void print_summary(const Server& server, const TickLoop& loop, const net::Transport& transport,
                   const sim::Simulation& simulation) {
  const Metrics& metrics = server.metrics();
  const DurationHistogram& durations = loop.tick_durations();
  const net::TransportCounters wire = transport.counters();
  const double per_client_second = metrics.client_seconds > 0 ? 1.0 / metrics.client_seconds : 0;
  std::printf(
      "jostled: %llu ticks (%llu skipped), tick time p50 %.2f ms, p99 %.2f ms, max %.2f ms\n",
      static_cast<unsigned long long>(metrics.ticks),
      static_cast<unsigned long long>(loop.ticks_skipped()),
      static_cast<double>(durations.percentile_us(0.50)) / 1000.0,
      static_cast<double>(durations.percentile_us(0.99)) / 1000.0,
      static_cast<double>(durations.max_us()) / 1000.0);
  std::printf(
      "jostled: %.0f bytes per client and second down (snapshots %.0f), %.0f up; %llu clients, "
      "%llu refused messages\n",
      static_cast<double>(wire.bytes_sent) * per_client_second,
      static_cast<double>(metrics.snapshot_bytes) * per_client_second,
      static_cast<double>(wire.bytes_received) * per_client_second,
      static_cast<unsigned long long>(metrics.sessions_accepted),
      static_cast<unsigned long long>(metrics.messages_refused));
  print_ledger("down", wire.sent);
  print_ledger("up", wire.received);
  std::printf("jostled: state hash at tick %u: %016llx\n", simulation.tick().number,
              static_cast<unsigned long long>(simulation.hash().total));
  std::fflush(stdout);
}

/// Everything between a good command line and the end of the run.
int run(const CommandLine& options) {
  net::RealIo real_io;
  std::optional<net::NetSim> bad_network;
  if (!options.net_sim.empty()) {
    const net::LinkFaults faults = net::parse_net_sim(options.net_sim).value();
    bad_network.emplace(real_io, faults, options.server.seed);
  }
  net::Io& io = bad_network ? static_cast<net::Io&>(*bad_network) : real_io;
  auto scene = load_scene(io, options.scene);
  if (!scene) return fail(scene.error(), exit_bad_input);
  if (const auto why = why_not_servable(*scene, options.server.max_players)) {
    return fail(*why, exit_bad_input);
  }
  const std::string scene_name = scene->name;
  const std::string scene_file = scene_path(options.scene);

  auto access = Access::create(io, options.access);
  if (!access) return fail(access.error(), exit_bad_input);
  net::EnetOptions transport_options;
  transport_options.security = (*access)->security();
  transport_options.bind = options.address;
  transport_options.max_peers = options.server.max_sessions + 16;  // so that the refused hear why
  transport_options.is_insecure_bind_allowed = options.is_insecure;
  auto transport = net::EnetTransport::create(io, transport_options);
  if (!transport) {
    const bool is_refused = transport.error().kind == net::TransportError::Kind::InsecureBind;
    return fail(transport.error().text, is_refused ? exit_bad_input : exit_failed);
  }

  auto rules = sim::stock_rules();
  const std::vector<std::string> rule_names = record::rule_names(rules);
  sim::Simulation simulation(*std::move(scene), {options.server.tick_rate_hz, options.server.seed},
                             std::move(rules));
  Server server(io, **transport, simulation, options.server);
  server.set_scenes(read_catalogue(io, options.server.max_players));

  std::unique_ptr<record::RecordingWriter> recording;
  if (!options.record_path.empty()) {
    if (auto created = io.write_file(options.record_path, {}); !created) {
      return fail("cannot record to '" + options.record_path +
                      "': " + std::string(net::describe(created.error())),
                  exit_bad_input);
    }
    recording = std::make_unique<record::RecordingWriter>(
        simulation, rule_names, scene_file, [&](std::span<const std::byte> bytes) {
          return io.append_file(options.record_path, bytes).has_value();
        });
    server.set_recording(recording.get());
  }
  std::unique_ptr<HashLog> hash_log;
  if (!options.hash_log_path.empty()) {
    hash_log = std::make_unique<HashLog>(io, options.hash_log_path);
    if (!hash_log->flush()) {
      return fail("cannot write '" + options.hash_log_path + "'", exit_bad_input);
    }
    server.set_snapshot_hook([&](const protocol::QuantizedSnapshot& snapshot) {
      hash_log->add(snapshot.tick, protocol::hash(snapshot));
    });
  }

  asio::io_context context;
  TickLoop loop(context, io, server, (*transport)->native_handle(), options.server.tick_rate_hz);
  asio::signal_set signals(context, SIGINT, SIGTERM);
  const auto stop = [&] {
    loop.stop();
    signals.cancel();
  };
  signals.async_wait([&](const std::error_code& error, int) {
    if (!error) stop();
  });
  // Less than a tick is one; only 0 is for ever.
  const auto ticks_wanted =
      static_cast<std::uint64_t>(std::ceil(options.duration_seconds * options.server.tick_rate_hz));
  loop.set_tick_hook([&] {
    (*access)->advance();
    if (ticks_wanted != 0 && server.metrics().ticks >= ticks_wanted) stop();
  });

  std::printf("jostled: scene %s, %zu bodies, %d Hz, seed %llu, listening at %s\n",
              scene_name.c_str(), simulation.world_def().bodies.size(), options.server.tick_rate_hz,
              static_cast<unsigned long long>(options.server.seed),
              net::to_string((*transport)->local_address()).c_str());
  for (const std::string& words : (*access)->words())
    std::printf("jostled: %s\n", words.c_str());
  if (!options.net_sim.empty()) {
    std::printf("jostled: SIMULATED NETWORK: %s\n",
                net::describe(net::parse_net_sim(options.net_sim).value()).c_str());
  }
  std::fflush(stdout);
  loop.start();
  context.run();

  say_goodbye(server);
  if (recording) recording->close(simulation);
  print_summary(server, loop, **transport, simulation);
  const bool is_recorded = !recording || recording->is_healthy();
  return is_recorded
             ? 0
             : fail("the recording is incomplete: the file could not be written", exit_failed);
}

}  // namespace
}  // namespace jostle::server

int main(int argc, char** argv) {
  try {
    const auto command_line = jostle::server::parse_command_line(argc, argv);
    if (command_line.exit_code) return *command_line.exit_code;
    jostle::base::set_log_threshold(command_line.options.log_level);
    // A reader of our output that goes away must not take the server with it.
    std::signal(SIGPIPE, SIG_IGN);
    return jostle::server::run(command_line.options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jostled: %s\n", error.what());
    return 1;
  }
}
