#include "api/server/server_host.h"

#include "api/base/checks.h"
#include "api/server/recording_host.h"
#include "server/scene_catalogue.h"
#include "shared/base/log.h"
#include "shared/net/enet_memory.h"
#include "shared/record/replay.h"
#include "shared/scene_files/scene_files.h"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

namespace jostle::api {
namespace {

// When the library is loaded, so that ENet frees no memory that it has allocated in another way, in
// programs that use ENet themselves.
[[maybe_unused]] const bool is_allocator_installed = net::install_enet_memory();

/// Returns the time in s of the clock with which the engine times its stages for statistics.
double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

/// Time in which the server works, and callers must not use its game.
class ServerHost::Work {
 public:
  explicit Work(ServerHost& host) : host_(host) { host_.game_.close(); }
  ~Work() { host_.game_.open(*host_.simulation_); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

 private:
  ServerHost& host_;
};

ServerHost::ServerHost(HostOptions options) : options_(std::move(options)) {
  open_simulation();
  open_transport();
  server::Options server_options = options_.server;
  server_options.stage_clock = seconds_now;
  server_ = std::make_unique<server::Server>(io_, all_clients(), *simulation_, server_options);
  if (options_.offers_scenes)
    server_->set_scenes(server::read_catalogue(io_, options_.server.max_players));
  if (options_.is_on_lan) {
    auto lan = server::LanDiscoveryService::create(
        context_, io_, *server_, *simulation_,
        {.name = options_.server.name,
         .port = transport_->local_address().port,
         .access = options_.access.mode,
         .key = access_->shown_key().value_or(crypto::PublicKey{}),
         .places = options_.server.max_players});
    if (!lan) refuse(JOSTLE_ERROR_WRONG_STATE, "def->is_on_lan: %.500s", lan.error().c_str());
    lan_ = *std::move(lan);
  }
  begin_state();
  open_recording();
  game_.open(*simulation_);
}

/// Restores the game of the state folder, or begins a new one.
void ServerHost::open_simulation() {
  if (!options_.state.folder.empty()) {
    files_ = journal::system_files();
    writer_ = std::make_unique<journal::WriterThread>();
    auto state =
        server::StateFolder::open(*files_, *writer_, options_.state, rule_factory(options_.rules));
    if (!state)
      refuse(state.error().kind == server::StateFolder::Error::Kind::Content
                 ? JOSTLE_ERROR_INVALID_DATA
                 : JOSTLE_ERROR_WRONG_STATE,
             "def->state_folder: %.700s", state.error().text.c_str());
    state_ = *std::move(state);
  }
  auto restored = state_ != nullptr ? state_->take_restored() : nullptr;
  if (restored == nullptr) {
    simulation_ = std::make_unique<sim::Simulation>(
        std::move(options_.scene),
        sim::SimulationOptions{options_.server.tick_rate_hz, options_.server.seed},
        make_rules(options_.rules));
  } else {
    for (const std::string& words : restored->warnings)
      base::warn("state", {{"why", words}});
    simulation_ = std::move(restored->simulation);
    restored_tick_ = simulation_->tick().number;
    options_.scene_file = restored->scene_file;
    options_.server.tick_rate_hz = simulation_->options().tick_rate_hz;
    options_.server.seed = simulation_->options().seed;
    if (const auto why =
            server::why_not_servable(simulation_->scene(), options_.server.max_players))
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "def->state_folder: %.700s", why->c_str());
  }
  rule_names_ = record::rule_names(simulation_->rules());
}

void ServerHost::open_transport() {
  auto access = server::AccessControl::create(io_, options_.access);
  if (!access) refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, access.error().c_str());
  access_ = *std::move(access);
  net::EnetOptions transport_options;
  transport_options.security = access_->security();
  transport_options.bind = options_.address;
  transport_options.max_peers =
      server::transport_peers_of(options_.server.max_sessions, net::max_enet_peers);
  transport_options.is_insecure_bind_allowed = options_.is_insecure;
  auto transport = net::EnetTransport::create(io_, transport_options);
  if (!transport) {
    if (transport.error().kind == net::TransportError::Kind::InsecureBind) {
      refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                  "def->address can be reached from other machines; accepted: \"127.0.0.1\", "
                  "def->access = JOSTLE_ACCESS_TOKEN or JOSTLE_ACCESS_SHARED_KEY, or, on a trusted "
                  "network, def->is_insecure = 1");
    }
    refuse(JOSTLE_ERROR_WRONG_STATE, "def->address and def->port: %.500s",
           transport.error().text.c_str());
  }
  transport_ = *std::move(transport);
  if (!options_.web.is_wanted()) return;
  auto web = server::WebAccess::create(io_, *transport_, access_->security(),
                                       options_.server.max_sessions, options_.web);
  if (!web) refuse(JOSTLE_ERROR_WRONG_STATE, "def->web_address: %.500s", web.error().c_str());
  web_ = *std::move(web);
}

/// Begins to keep the ticks in the state folder.
void ServerHost::begin_state() {
  if (state_ == nullptr) return;
  const std::string error = state_->begin(*server_, *simulation_, rule_names_, options_.scene_file);
  if (!error.empty()) refuse(JOSTLE_ERROR_WRONG_STATE, "def->state_folder: %.700s", error.c_str());
}

void ServerHost::open_recording() {
  auto recorder = server::Recorder::create(io_, options_.recording, nullptr, *server_, *simulation_,
                                           rule_names_, options_.scene_file);
  if (!recorder)
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "def->recording_file: %.500s", recorder.error().c_str());
  recorder_ = *std::move(recorder);
}

ServerHost::~ServerHost() = default;

std::string ServerHost::close() {
  constexpr int rounds = 50;
  constexpr std::chrono::milliseconds pause(10);
  const Work work(*this);
  if (loop_ != nullptr) loop_->stop();
  if (lan_ != nullptr) lan_->stop();
  server_->disconnect_all();
  for (int i = 0; i < rounds && server_->session_count() > 0; ++i) {
    server_->receive();
    std::this_thread::sleep_for(pause);
  }
  std::string incomplete = recorder_->close() ? "" : "the recording";
  if (state_ != nullptr && !state_->close(*simulation_))
    incomplete += incomplete.empty() ? "the state folder" : " and the state folder";
  return incomplete;
}

void ServerHost::start_loop() {
  if (is_loop_started_) return;
  is_loop_started_ = true;
  loop_ = std::make_unique<server::TickLoop>(context_, io_, *server_, all_clients().native_handle(),
                                             options_.server.tick_rate_hz);
  loop_->set_tick_hook([this] { end_tick(); });
  loop_->start();
  if (lan_ != nullptr) lan_->start();
}

void ServerHost::end_tick() {
  access_->advance();
  if (web_) web_->advance();
  while (const auto desync = server_->take_desync())
    base::error("desync", {{"peer", desync->peer}, {"report", desync->report.text}});
}

void ServerHost::run(const std::function<bool()>& is_stopped) {
  const Work work(*this);
  start_loop();
  while (!is_stopped()) {
    context_.restart();
    context_.run_one();
  }
}

std::uint32_t ServerHost::poll(double max_wait_seconds) {
  const Work work(*this);
  start_loop();
  const std::uint64_t before = server_->metrics().ticks;
  context_.restart();
  if (max_wait_seconds > 0)
    context_.run_one_for(std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::duration<double>(max_wait_seconds)));
  context_.poll();
  return static_cast<std::uint32_t>(server_->metrics().ticks - before);
}

void ServerHost::step(std::uint32_t count) {
  const Work work(*this);
  for (std::uint32_t i = 0; i < count; ++i) {
    server_->tick(io_.now_us());
    end_tick();
  }
}

jostle_server_info ServerHost::info() const {
  jostle_server_info info{};
  info.port = transport_->local_address().port;
  info.tick = simulation_->tick().number;
  info.players = static_cast<std::uint32_t>(simulation_->players().all().size());
  info.sessions = static_cast<std::uint32_t>(server_->session_count());
  info.is_paused = simulation_->is_paused() ? 1 : 0;
  info.rate_percent = simulation_->rate_percent();
  info.ticks_skipped = loop_ != nullptr ? loop_->ticks_skipped() : 0;
  const net::TransportCounters counters = transport_->counters();
  info.bytes_sent = counters.bytes_sent;
  info.bytes_received = counters.bytes_received;
  info.sync_tests = server_->sync_test().checked();
  const auto mismatch = server_->sync_test().mismatch();
  info.sync_mismatch = mismatch ? mismatch->number : 0;
  info.durable_tick = state_ != nullptr ? state_->journal().status().durable_tick : 0;
  info.restored_tick = restored_tick_;
  return info;
}

std::string ServerHost::save_recent(const std::string& folder) {
  if (options_.recording.mode != server::RecordingOptions::Mode::Ring) {
    refuse_text(JOSTLE_ERROR_WRONG_STATE,
                "the server keeps no recording; set def->recent_seconds when you create it");
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "folder is '%.200s', which cannot be created: %s",
           folder.c_str(), error.message().c_str());
  }
  const auto saved = recorder_->write_recent(folder);
  if (!saved) refuse_text(JOSTLE_ERROR_WRONG_STATE, saved.error().c_str());
  return saved->path;
}

}  // namespace jostle::api
