#include "client/preview/scene_preview.h"

#include "client/preview/file_watch.h"
#include "server/scene_catalogue.h"
#include "server/server.h"
#include "server/tick_loop.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"
#include "shared/scene_files/scene_files.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace jostle::preview {
namespace {

constexpr std::chrono::milliseconds poll_interval(100);

constexpr std::string_view empty_scene = R"({
  "name": "empty", "spawns": [{ "position": [0, 0.6, 0] }],
  "bodies": [{ "name": "ground", "motion_type": "static", "shape": { "plane": {} } }]
})";

/// Returns a clock time in s, with which the physics engine measures the duration of its stages.
double stage_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

server::Options server_options() {
  server::Options options;
  options.name = "preview";
  options.is_sandbox = true;
  options.stage_clock = stage_seconds;
  return options;
}

/// Loads the scene file and checks it as jostled does. The error is one line.
base::Result<scene::SceneDef, std::string> load(net::Io& io, const std::string& path) {
  auto scene = scene::load_scene_file(io, path);
  if (!scene) return scene.error();
  if (const auto why = server::why_not_servable(*scene, server_options().max_players)) return *why;
  return scene;
}

class Preview final : public ScenePreview {
 public:
  explicit Preview(const std::string& path) : path_(path), watch_(path) {}
  ~Preview() override {
    if (!thread_.joinable()) return;
    asio::post(context_, [this] {
      loop_->stop();
      timer_.cancel();
      is_running_ = false;
    });
    thread_.join();
  }

  /// Starts the server. Returns the error, or null on success.
  std::optional<std::string> start() {
    auto transport = net::EnetTransport::create(io_, {});
    if (!transport) return "cannot open a socket: " + transport.error().text;
    transport_ = *std::move(transport);
    address_ = transport_->local_address();
    const server::Options options = server_options();
    auto scene = load(io_, path_);
    note(scene ? std::nullopt : std::optional(scene.error()));
    if (!scene) scene = scene::parse_scene(empty_scene, "empty scene").value();
    simulation_ = std::make_unique<sim::Simulation>(
        *std::move(scene), sim::SimulationOptions{options.tick_rate_hz, options.seed},
        sim::default_rules());
    server_ = std::make_unique<server::Server>(io_, *transport_, *simulation_, options);
    loop_ = std::make_unique<server::TickLoop>(context_, io_, *server_, transport_->native_handle(),
                                               options.tick_rate_hz);
    loop_->start();
    wait_for_change();
    thread_ = std::thread([this] { context_.run(); });
    return std::nullopt;
  }

  net::Address address() const override { return address_; }
  News news() const override {
    const std::lock_guard lock(mutex_);
    return news_;
  }

 private:
  void wait_for_change() {
    timer_.expires_after(poll_interval);
    timer_.async_wait([this](const std::error_code& error) {
      if (error || !is_running_) return;
      if (watch_.take_change()) reload();
      wait_for_change();
    });
  }

  void reload() {
    auto scene = load(io_, path_);
    if (scene) simulation_->load(*std::move(scene));
    note(scene ? std::nullopt : std::optional(scene.error()));
  }

  void note(std::optional<std::string> error) {
    std::error_code ignored;
    const bool is_missing = error && !std::filesystem::exists(path_, ignored);
    const std::lock_guard lock(mutex_);
    ++news_.loads;
    news_.is_missing = is_missing;
    news_.has_world |= !error;
    news_.error = std::move(error);
  }

  // After start(), only the server's thread uses these members.
  const std::string path_;
  FileWatch watch_;  // created before the file is first loaded, so that no change is missed
  net::SystemIo io_;
  std::unique_ptr<net::EnetTransport> transport_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<server::Server> server_;
  asio::io_context context_;
  asio::steady_timer timer_{context_};
  std::unique_ptr<server::TickLoop> loop_;
  bool is_running_ = true;

  net::Address address_;
  std::thread thread_;
  mutable std::mutex mutex_;
  News news_;  // guarded by mutex_
};

}  // namespace

base::Result<std::unique_ptr<ScenePreview>, std::string> ScenePreview::create(
    const std::string& path) {
  auto preview = std::make_unique<Preview>(path);
  if (auto why = preview->start()) return *std::move(why);
  return std::unique_ptr<ScenePreview>(std::move(preview));
}

}  // namespace jostle::preview
