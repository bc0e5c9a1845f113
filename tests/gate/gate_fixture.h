#pragma once

#include "client/client.h"
#include "server/server.h"
#include "shared/gate_link/gate_transport.h"
#include "shared/http/server.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "tools/web_client/web_socket_transport.h"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gate/gate.h"
#include "gate/relay/relay_room.h"
#include "gate/server_room.h"
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::gate {

/// Deadline of every wait, in s. It is far beyond the time that a loaded machine takes.
inline constexpr double patience_seconds = 120;

/// Pause after each round of work, so that the tests do not keep a core busy.
inline constexpr useconds_t idle_us = 200;

inline constexpr std::string_view gate_scene = R"({ "name": "gate", "spawns": [
  { "position": [0, 1, 4] }, { "position": [2, 1, 4] }], "bodies": [
  { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
  { "shape": { "box": { "half_extents": [0.5, 0.5, 0.5] } }, "position": [0, 4, 0] },
  { "shape": { "sphere": { "radius": 0.4 } }, "position": [0.2, 6, 0], "linear_velocity": [1, 0, 0] },
  { "shape": { "sphere": { "radius": 0.4 } }, "position": [-2, 2, 0], "linear_velocity": [2, 3, 0],
    "restitution": 0.9 }] })";

/// Options of a House.
struct HouseOptions {
  net::SecurityOptions security{};
  server::Options server{};
  bool is_public = false;
  ViewerLimits viewer_limits{};
  http::HostCheck::Options names{};
  std::vector<net::Ip> trusted_proxies{};
  std::size_t max_viewers_per_address = 0;
  std::size_t direct_viewers = 32;
  std::string_view scene = gate_scene;
};

/// A server with ENet and a gate, in one thread and in real time.
class House {
 public:
  explicit House(HouseOptions options = {}) : options_(std::move(options)) {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("jostle_gate_" + std::to_string(::getpid()) + "_" + std::to_string(++count_));
    std::filesystem::create_directories(folder_);
    open_server();
    open_gate();
  }
  ~House() {
    gate_->close_all();
    web_.reset();
    gate_.reset();
    close_server();
    std::filesystem::remove_all(folder_);
  }
  House(const House&) = delete;
  House& operator=(const House&) = delete;

  void open_server() {
    net::EnetOptions enet;
    enet.security = options_.security;
    auto clients = net::EnetTransport::create(io_, enet);
    EXPECT_TRUE(clients);
    clients_ = *std::move(clients);
    gate_link::GateTransportOptions gate;
    gate.socket.path = socket_path();
    gate.security = options_.security;
    gate.is_public = options_.is_public;
    gate.max_viewers = options_.server.max_sessions;
    gate.max_viewers_per_address = options_.max_viewers_per_address;
    auto viewers = gate_link::GateTransport::create(io_, gate);
    EXPECT_TRUE(viewers) << (viewers ? "" : viewers.error());
    viewers_ = *std::move(viewers);
    joined_ = std::make_unique<gate_link::JoinedTransport>(*clients_, *viewers_);
    auto scene = scene::parse_scene(options_.scene, "gate");
    EXPECT_TRUE(scene);
    simulation_ = std::make_unique<sim::Simulation>(
        *std::move(scene), sim::SimulationOptions{options_.server.tick_rate_hz, 0},
        sim::default_rules());
    server_ = std::make_unique<server::Server>(io_, *joined_, *simulation_, options_.server);
    server_->set_snapshot_hook([this](const protocol::QuantizedSnapshot& snapshot) {
      hashes_[snapshot.tick.number] = protocol::hash(snapshot);
      simulated_us_[snapshot.tick.number] = io_.now_us();
    });
    due_us_ = io_.now_us();
  }
  /// Ends the server without a word, as if it were killed.
  void close_server() {
    server_.reset();
    simulation_.reset();
    joined_.reset();
    viewers_.reset();
    clients_.reset();
  }

  /// Does one round: due ticks, received messages, and the work of the gate.
  void work() {
    context_.restart();
    context_.poll();
    watch();
    if (server_ == nullptr) return;
    const std::int64_t tick_us = 1'000'000 / options_.server.tick_rate_hz;
    server_->receive();
    if (io_.now_us() >= due_us_) {
      server_->tick(due_us_);
      due_us_ = std::max(due_us_ + tick_us, io_.now_us() - tick_us);
    }
    context_.restart();
    context_.poll();
  }

  /// Works until the condition holds. Returns false if it does not in time.
  template <typename Condition>
  bool run_until(Condition condition, const std::function<void()>& also = {}) {
    const std::int64_t end_us = io_.now_us() + static_cast<std::int64_t>(patience_seconds * 1e6);
    while (io_.now_us() < end_us) {
      work();
      if (also) also();
      if (condition()) return true;
      ::usleep(idle_us);
    }
    return false;
  }
  /// Works for a number of ticks of the server.
  void run_ticks(std::uint32_t count, const std::function<void()>& also = {}) {
    const state::Tick end = simulation_->tick() + count;
    EXPECT_TRUE(run_until([&] { return simulation_->tick() >= end; }, also));
  }

  net::Address gate_address() const { return web_->local_address(); }
  std::string socket_path() const { return (folder_ / "room.sock").string(); }
  std::unique_ptr<web_client::WebSocketTransport> new_viewer(
      web_client::WebSocketOptions options = {}) {
    return std::make_unique<web_client::WebSocketTransport>(context_, std::move(options));
  }

  net::SystemIo& io() { return io_; }
  server::Server& server() { return *server_; }
  sim::Simulation& simulation() { return *simulation_; }
  net::EnetTransport& clients() { return *clients_; }
  gate_link::GateTransport& viewers() { return *viewers_; }
  boost::asio::io_context& context() { return context_; }
  /// Returns the hash of the server's quantised world by tick.
  const std::map<std::uint32_t, std::uint64_t>& hashes() const { return hashes_; }
  /// Returns the time in µs at which each tick was simulated.
  const std::map<std::uint32_t, std::int64_t>& simulated_us() const { return simulated_us_; }

 private:
  void watch() {
    if (gate_ == nullptr || io_.now_us() - watched_us_ < 100'000) return;
    watched_us_ = io_.now_us();
    gate_->watch();
  }
  void open_gate() {
    http::StaticFiles page;
    page.add("index.html", "<!doctype html><title>page</title>");
    page.add("main.js", "// script");
    gate_ = std::make_unique<Gate>(std::move(page));
    gate_->add_room("main",
                    std::make_unique<ServerRoom>(
                        context_, ServerRoom::Options{.socket_path = socket_path(),
                                                      .url = "http://test/",
                                                      .limits = options_.viewer_limits,
                                                      .direct_viewers = options_.direct_viewers,
                                                      .make_audience = make_audience()}));
    http::ServerOptions server;
    server.names = options_.names;
    server.trusted_proxies = options_.trusted_proxies;
    server.headers = security_headers({});
    auto web = http::Server::create(context_, server, *gate_);
    EXPECT_TRUE(web) << (web ? "" : web.error());
    web_ = *std::move(web);
    EXPECT_TRUE(run_until([&] { return viewers_->gate_count() == 1 && !viewers_->url().empty(); }));
  }

  MakeAudience make_audience() {
    return [this](std::unique_ptr<net::Transport> upstream) {
      return RelayRoom::create_audience(context_, std::move(upstream));
    };
  }

  static inline int count_ = 0;
  HouseOptions options_;
  std::filesystem::path folder_;
  net::SystemIo io_;
  boost::asio::io_context context_;
  std::unique_ptr<net::EnetTransport> clients_;
  std::unique_ptr<gate_link::GateTransport> viewers_;
  std::unique_ptr<gate_link::JoinedTransport> joined_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<Gate> gate_;
  std::unique_ptr<http::Server> web_;
  std::int64_t due_us_ = 0, watched_us_ = 0;
  std::map<std::uint32_t, std::uint64_t> hashes_;
  std::map<std::uint32_t, std::int64_t> simulated_us_;
};

/// A thin client with its transport, and the hash of each complete snapshot by tick.
struct Guest {
  std::unique_ptr<net::Transport> transport;
  std::unique_ptr<client::Client> client;
  std::map<std::uint32_t, std::uint64_t> hashes;

  static std::unique_ptr<Guest> create(House& house, std::unique_ptr<net::Transport> transport,
                                       net::Address server, protocol::Role role,
                                       const std::string& name) {
    auto guest = std::make_unique<Guest>();
    guest->transport = std::move(transport);
    client::Options options;
    options.server = server;
    options.role = role;
    options.name = name;
    options.connect_timeout_us = static_cast<std::int64_t>(patience_seconds * 1e6);
    guest->client = std::make_unique<client::Client>(house.io(), *guest->transport, options);
    guest->client->set_complete_hook(
        [raw = guest.get()](const protocol::QuantizedSnapshot& snapshot) {
          raw->hashes[snapshot.tick.number] = protocol::hash(snapshot);
        });
    return guest;
  }
  /// A guest that joins as a browser does.
  static std::unique_ptr<Guest> viewer(House& house,
                                       protocol::Role role = protocol::Role::Spectator,
                                       web_client::WebSocketOptions options = {}) {
    return create(house, house.new_viewer(std::move(options)), house.gate_address(), role, "web");
  }
  /// A guest that joins over ENet.
  static std::unique_ptr<Guest> enet(House& house, protocol::Role role = protocol::Role::Spectator,
                                     const net::SecurityOptions& security = {}) {
    net::EnetOptions options;
    options.is_accepting = false;
    options.security = security;
    auto transport = net::EnetTransport::create(house.io(), options);
    EXPECT_TRUE(transport);
    return create(house, *std::move(transport), house.clients().local_address(), role, "enet");
  }
  bool is_playing() const { return client->status().state == client::ClientState::Playing; }
};

}  // namespace jostle::gate
