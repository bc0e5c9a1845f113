// A server in the page: the same server::Server as in jostled, whose clients are pages.
#include "server/server.h"
#include "server/tick_schedule.h"
#include "shared/record/replay.h"
#include "shared/sim/default_rules.h"

#include "web/wasm/exports.h"
#include "web/wasm/json_writer.h"
#include "web/wasm/page_io.h"
#include "web/wasm/page_transport.h"
#include "web/wasm/scene_table.h"
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace jostle::web {
namespace {

constexpr std::uint32_t recorded_ticks = 3'600;  // ticks that a saved recording can go back
constexpr std::uint32_t max_forward_ticks = 36'000;
constexpr double max_pause_ms = 1'000;  // between two calls of server_run()

double seconds_now() {
  return static_cast<double>(page_io().now_us()) * 1e-6;
}

/// The server with its simulation. Each member may refer to the members declared above it.
class ServerHost {
 public:
  ServerHost(scene::SceneDef scene, std::uint64_t seed, bool is_lockstep)
      : scene_name_(scene.name),
        simulation_(std::move(scene), {state::default_tick_rate_hz, seed}, sim::default_rules()),
        recent_(record::rule_names(sim::default_rules()), {.ticks = recorded_ticks}),
        server_(page_io(), page_transport(), simulation_, options_of(seed, is_lockstep)),
        schedule_(state::default_tick_rate_hz) {
    recent_.begin(simulation_, scene_name_);
    server_.set_recent(&recent_, scene_name_);
    server_.set_scenes(page_catalogue());
    schedule_.start(page_io().now_us());
  }

  /// Processes messages and runs the ticks that are due. Returns the time until the next one, ms.
  double run() {
    server_.receive();
    schedule_.run_due([] { return page_io().now_us(); },
                      [this](std::int64_t due_us) {
                        server_.tick(due_us);
                        return true;
                      });
    while (auto desync = server_.take_desync()) {
      desyncs_ += 1;
      desync_text_ = desync->peer + ": " + desync->report.text;
    }
    const auto wait_us = static_cast<double>(schedule_.due_us() - page_io().now_us());
    return std::clamp(wait_us * 1e-3, 0.0, max_pause_ms);
  }

  /// Runs ticks at once, without waiting for their due times, and pauses.
  void forward(std::uint32_t ticks) {
    for (std::uint32_t i = 0; i < ticks; ++i)
      server_.tick(page_io().now_us());
    server_.command({state::ControlKind::Pause, 0});
    schedule_.start(page_io().now_us());
  }

  void refresh_scenes() { server_.set_scenes(page_catalogue()); }
  void receive() { server_.receive(); }
  record::RingRecorder::Saved recording() { return recent_.save(simulation_); }

  std::string report() const {
    JsonWriter json;
    json.open('{').field("tick", simulation_.tick().number);
    json.field("scene", simulation_.scene().name);
    json.field("clients", server_.session_count());
    json.field("desyncs", desyncs_).field("desync", desync_text_);
    json.field("skipped", static_cast<double>(schedule_.skipped())).close('}');
    return json.take();
  }

 private:
  static server::Options options_of(std::uint64_t seed, bool is_lockstep) {
    server::Options options;
    options.seed = seed;
    options.is_sandbox = true;
    options.is_lockstep = is_lockstep;
    options.stage_clock = seconds_now;
    return options;
  }

  std::string scene_name_;
  sim::Simulation simulation_;
  record::RingRecorder recent_;
  server::Server server_;
  server::TickSchedule schedule_;
  std::uint32_t desyncs_ = 0;
  std::string desync_text_;
};

std::unique_ptr<ServerHost>& host() {
  static std::unique_ptr<ServerHost> server;
  return server;
}

}  // namespace

/// Starts a server with an added scene. Stores an error message, or nothing if it runs.
JOSTLE_EXPORT(server_start)
void server_start(const char* scene_name, std::uint32_t size, std::uint32_t seed,
                  std::uint32_t is_lockstep) {
  auto scene = load_page_scene(text_of(scene_name, size));
  if (!scene) return set_result(scene.error());
  if (auto why = server::why_not_servable(*scene, server::Options{}.max_players))
    return set_result(*std::move(why));
  host() = std::make_unique<ServerHost>(*std::move(scene), seed, is_lockstep != 0);
  set_result("");
}

/// Runs the server. Returns the number of milliseconds after which the page must call it again.
JOSTLE_EXPORT(server_run) double server_run() {
  return host() ? host()->run() : max_pause_ms;
}

/// Runs ticks at once, e.g. to the tick of a link, and pauses; at most ten minutes of ticks.
JOSTLE_EXPORT(server_forward) void server_forward(std::uint32_t ticks) {
  if (host()) host()->forward(std::min(ticks, max_forward_ticks));
}

/// Processes received messages at once, between ticks.
JOSTLE_EXPORT(server_receive) void server_receive() {
  if (host()) host()->receive();
}

/// Offers the scenes that were added after the start, too.
JOSTLE_EXPORT(server_refresh_scenes) void server_refresh_scenes() {
  if (host()) host()->refresh_scenes();
}

/// Stores a recording of the last minute. Returns the number of its ticks.
JOSTLE_EXPORT(server_recording) std::uint32_t server_recording() {
  if (!host()) return 0;
  const record::RingRecorder::Saved saved = host()->recording();
  set_result({reinterpret_cast<const char*>(saved.bytes.data()), saved.bytes.size()});
  return saved.tick_count;
}

/// Stores the state of the server as JSON: tick, scene, number of clients and desyncs.
JOSTLE_EXPORT(server_report) void server_report() {
  set_result(host() ? host()->report() : "null");
}

}  // namespace jostle::web
