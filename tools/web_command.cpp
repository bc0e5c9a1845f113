#include "shared/command_line/command_line.h"
#include "shared/net/system_io.h"
#include "shared/scene_files/scene_files.h"
#include "tools/commands.h"
#include "tools/load/audience.h"
#include "tools/load/web_load.h"
#include "tools/load/web_viewers.h"

#include <cstdio>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

constexpr Failure web_failure{"bench web"};
constexpr double longest_seconds = 3'600;

int run_web_bench(const load::WebViewersOptions& options) {
  net::SystemIo io;
  const load::WebViewersFigures figures = load::watch_in_browsers(io, options);
  if (figures.watching == 0)
    return web_failure("no viewer could watch through the gate at " + net::to_string(options.gate) +
                           (figures.refusal.empty() ? "" : ": " + figures.refusal),
                       exit_differs);
  const auto viewers = static_cast<double>(figures.watching);
  const double snapshots = static_cast<double>(figures.snapshots);
  std::printf("viewers watching       %zu of %zu, %llu connections lost\n", figures.watching,
              options.viewers, static_cast<unsigned long long>(figures.lost));
  std::printf("snapshots per viewer   %.1f per second\n", snapshots / viewers / options.seconds);
  std::printf("age of snapshots       p50 %.1f ms, p99 %.1f ms\n",
              static_cast<double>(figures.age_p50_us) * 1e-3,
              static_cast<double>(figures.age_p99_us) * 1e-3);
  std::printf("bytes per viewer       %.0f per second, %.0f per snapshot\n",
              static_cast<double>(figures.bytes) / viewers / options.seconds,
              static_cast<double>(figures.bytes) / snapshots);
  return exit_ok;
}

int run_whole_web_bench(load::WebLoadOptions options, const std::string& scene_name) {
  options.program = "/proc/self/exe";
  net::SystemIo io;
  auto scene = scene::load_scene(io, scene_name);
  if (!scene) return web_failure(scene.error());
  const auto figures = load::measure_web_load(options, *std::move(scene));
  if (!figures) return web_failure(figures.error(), exit_differs);
  const auto ms = [](std::int64_t us) { return static_cast<double>(us) * 1e-3; };
  std::printf("tick without viewers   p50 %.2f ms, p99 %.2f ms\n", ms(figures->idle_p50_us),
              ms(figures->idle_p99_us));
  std::printf("tick with %zu viewers  p50 %.2f ms, p99 %.2f ms, %llu skipped\n", figures->viewers,
              ms(figures->tick_p50_us), ms(figures->tick_p99_us),
              static_cast<unsigned long long>(figures->ticks_skipped));
  std::printf("sessions of the server %zu\n", figures->sessions);
  std::printf("CPU time               server %.0f %%, gate %.0f %% of a core\n",
              100 * figures->server_cpu_seconds, 100 * figures->gate_cpu_seconds);
  std::fputs(figures->viewers_text.c_str(), stdout);
  return exit_ok;
}

std::string endpoint_error(const std::string& text) {
  const auto endpoint = net::parse_endpoint(text);
  return endpoint ? std::string() : endpoint.error();
}

int run_audience_bench(const load::AudienceOptions& options) {
  net::SystemIo io;
  const load::AudienceFigures figures = load::watch_fragments(io, options);
  if (figures.fragments == 0)
    return web_failure("no fragment arrived from " + net::to_string(options.server) +
                           (figures.fault.empty() ? "" : ": " + figures.fault),
                       exit_differs);
  const auto viewers = static_cast<double>(options.viewers);
  std::printf("viewers                %zu, %llu requests failed\n", options.viewers,
              static_cast<unsigned long long>(figures.failures));
  std::printf("fragments per viewer   %.2f of %llu, %llu missed\n",
              static_cast<double>(figures.fragments) / viewers,
              static_cast<unsigned long long>(figures.published),
              static_cast<unsigned long long>(figures.missed));
  std::printf("requests               %.0f per second, %.2f MB per second\n",
              static_cast<double>(figures.requests) / options.seconds,
              static_cast<double>(figures.bytes) * 1e-6 / options.seconds);
  std::printf("time of a request      p50 %.1f ms, p99 %.1f ms\n",
              static_cast<double>(figures.request_p50_us) * 1e-3,
              static_cast<double>(figures.request_p99_us) * 1e-3);
  return exit_ok;
}

}  // namespace

Command add_audience_bench(command_line::App bench) {
  auto options = std::make_shared<load::AudienceOptions>();
  auto server = std::make_shared<std::string>("127.0.0.1:7780");
  command_line::App command = bench.add_subcommand(
      "audience",
      "Fetch the fragments of a relay with many viewers, from a gate or from a cache in "
      "front of it (docs/WEB.md)");
  command.add_option("--server", *server, "TCP address of the gate or the cache, without TLS")
      .check(endpoint_error)
      .type_name("IP:PORT")
      .capture_default_str();
  command.add_option("--path", options->path, "Path of the fragments")
      .type_name("PATH")
      .capture_default_str();
  command.add_option("--viewers", options->viewers, "Number of viewers")
      .check(command_line::in_range(1, 50'000))
      .type_name("N")
      .capture_default_str();
  command.add_option("--seconds", options->seconds, "Duration of the measurement")
      .check(command_line::in_range(0.5, longest_seconds))
      .type_name("SECONDS")
      .capture_default_str();
  return [options, server] {
    options->server = *net::parse_endpoint(*server);
    return run_audience_bench(*options);
  };
}

Command add_web_bench(command_line::App bench) {
  auto options = std::make_shared<load::WebViewersOptions>();
  auto gate = std::make_shared<std::string>(), scene = std::make_shared<std::string>("crates");
  auto direct = std::make_shared<int>(-1);
  command_line::App command = bench.add_subcommand(
      "web",
      "Run a server, a gate and many viewers as browsers on this machine, and print their cost "
      "(docs/WEB.md)");
  command.add_option("--scene", *scene, "Name of a scene, or a .scene.json file")
      .type_name("SCENE")
      .capture_default_str();
  command
      .add_option("--gate", *gate,
                  "TCP address of a running gate, without TLS; only the viewers are run then")
      .check(endpoint_error)
      .type_name("IP:PORT");
  command.add_option("--path", options->target, "Path of the WebSocket")
      .type_name("PATH")
      .capture_default_str();
  command
      .add_option("--direct-viewers", *direct,
                  "Number of viewers that the server serves one by one (jostle-gate --help)")
      .check(command_line::in_range(0, 100'000))
      .type_name("N");
  command.add_option("--token", options->token, "Reusable token for all viewers")
      .type_name("TOKEN");
  command.add_option("--viewers", options->viewers, "Number of viewers")
      .check(command_line::in_range(1, 4'000))
      .type_name("N")
      .capture_default_str();
  command
      .add_option("--seconds", options->seconds,
                  "Duration of the measurement, after all viewers have joined")
      .check(command_line::in_range(0.5, longest_seconds))
      .type_name("SECONDS")
      .capture_default_str();
  return [options, gate, scene, direct] {
    if (gate->empty()) {
      load::WebLoadOptions whole;
      if (*direct >= 0) whole.direct_viewers = static_cast<std::size_t>(*direct);
      whole.viewers = options->viewers;
      whole.seconds = options->seconds;
      return run_whole_web_bench(whole, *scene);
    }
    options->gate = *net::parse_endpoint(*gate);
    return run_web_bench(*options);
  };
}

}  // namespace jostle::tools
