#include "tests/match/match.h"

#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/stock_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace jostle::match {
namespace {

constexpr std::int64_t slice_us = 2'000;

std::unique_ptr<net::Transport> open_transport(net::Io& io, std::uint32_t ip, std::uint16_t port,
                                               bool is_server) {
  net::EnetOptions options;
  options.bind = net::Address{ip, port};
  options.is_insecure_bind_allowed = true;
  options.is_accepting = is_server;
  options.max_peers = is_server ? 32 : 1;
  auto transport = net::EnetTransport::create(io, options);
  EXPECT_TRUE(transport.has_value()) << (transport ? "" : transport.error().text);
  return *std::move(transport);
}

}  // namespace

const std::string_view match_scene = R"({
  "name": "match",
  "bodies": [
    { "name": "ground", "motion": "static", "shape": { "plane": {} } },
    { "name": "lift", "motion": "kinematic", "position": [8, 1, 0],
      "shape": { "box": { "size": [2, 0.4, 2] } },
      "course": { "amplitude": [0, 0.8, 0], "period": 4 } }
  ],
  "templates": [ { "name": "crate", "shape": { "box": { "size": [0.8, 0.8, 0.8] } }, "density": 200 } ],
  "generators": [
    { "kind": "stack", "count": 6, "body": { "like": "crate" } },
    { "kind": "grid", "name": "loose", "counts": [4, 2, 4], "spacing": [1.2, 1.2, 1.2],
      "position": [0, 6, 0], "body": { "like": "crate" } }
  ],
  "player": { "linear_damping": 0.5, "angular_damping": 2 },
  "spawns": [ { "position": [14, 0.6, 14] }, { "position": [-14, 0.6, 14] },
              { "position": [14, 0.6, -14] }, { "position": [-14, 0.6, -14] } ]
})";

Match::Match(const MatchOptions& options) : network_(options.seed), options_(options) {
  network_.set_default_faults(options.faults);
  start_server();
}

// Sockets must close before the network ends.
Match::~Match() {
  seats_.clear();
  kill_server();
}

void Match::start_server() {
  auto scene = scene::parse_scene(options_.scene, "match.scene.json");
  ASSERT_TRUE(scene.has_value()) << scene.error().text();
  net::Io& io = network_.node(server_ip);
  server_transport_ = open_transport(io, server_ip, server_port, true);
  simulation_ = std::make_unique<sim::Simulation>(
      *std::move(scene), sim::SimulationOptions{options_.server.tick_rate_hz, options_.seed},
      sim::stock_rules());
  server_ = std::make_unique<server::Server>(io, *server_transport_, *simulation_, options_.server);
  recording_.clear();
  writer_ = std::make_unique<record::RecordingWriter>(
      *simulation_, record::rule_names(sim::stock_rules()), "match.scene.json",
      [this](std::span<const std::byte> bytes) {
        recording_.insert(recording_.end(), bytes.begin(), bytes.end());
        return true;
      });
  if (options_.is_recorded) server_->set_recording(writer_.get());
  server_->set_scenes(options_.scenes);
  server_hashes_.clear();
  truths_.clear();
  server_->set_snapshot_hook([this](const protocol::QuantizedSnapshot& snapshot) {
    server_hashes_[snapshot.tick.number] = protocol::hash(snapshot);
    std::map<state::BodyId, math::Position>& truth = truths_[snapshot.tick.number];
    for (const state::BodyState& body : simulation_->capture().bodies) {
      truth[body.id] = body.pose.position;
    }
    if (truths_.size() > 200) truths_.erase(truths_.begin());
  });
  server_start_us_ = network_.now_us();
  server_ticks_ = 0;
}

void Match::kill_server() {
  server_.reset();
  writer_.reset();
  simulation_.reset();
  server_transport_.reset();
}

void Match::close_recording() {
  writer_->close(*simulation_);
}

Seat& Match::add_client(const std::string& name, protocol::Role role) {
  auto seat = std::make_unique<Seat>();
  seat->ip = first_client_ip + static_cast<std::uint32_t>(seats_.size());
  net::Io& io = network_.node(seat->ip);
  seat->transport = open_transport(io, seat->ip, 0, false);
  client::Options options;
  options.server = {server_ip, server_port};
  options.name = name;
  options.role = role;
  options.connect_timeout_us = 60'000'000;
  seat->client = std::make_unique<client::Client>(io, *seat->transport, options);
  seat->client->set_complete_hook(
      [hashes = &seat->hashes](const protocol::QuantizedSnapshot& snapshot) {
        (*hashes)[snapshot.tick.number] = protocol::hash(snapshot);
      });
  seats_.push_back(std::move(seat));
  return *seats_.back();
}

void Match::kill_client(std::size_t index) {
  seats_[index]->client.reset();
  seats_[index]->transport.reset();
}

void Match::run_seconds(double seconds) {
  const std::int64_t end_us = network_.now_us() + static_cast<std::int64_t>(seconds * 1e6);
  const std::int64_t rate = options_.server.tick_rate_hz;
  while (network_.now_us() < end_us) {
    network_.advance(slice_us);
    if (server_) {
      server_->receive();
      for (;;) {
        const std::int64_t due_us = server_start_us_ + (server_ticks_ + 1) * 1'000'000 / rate;
        if (due_us > network_.now_us()) break;
        // The server's own clock may run otherwise than the network's.
        const std::int64_t late_us = network_.now_us() - due_us;
        server_->tick(network_.node(server_ip).now_us() - late_us);
        ++server_ticks_;
      }
    }
    for (const auto& seat : seats_) {
      if (seat->client) seat->client->update();
    }
  }
}

bool Match::run_until_playing(double seconds) {
  return run_until(
      [this] {
        for (const auto& seat : seats_) {
          if (seat->client && seat->client->status().state != client::ClientState::Playing) {
            return false;
          }
        }
        return true;
      },
      seconds);
}

Match::Agreement Match::agreement(const Seat& seat) const {
  Agreement agreement;
  for (const auto& [tick, hash] : seat.hashes) {
    const auto it = server_hashes_.find(tick);
    if (it == server_hashes_.end()) continue;
    ++agreement.common;
    if (it->second != hash) ++agreement.different;
  }
  return agreement;
}

double Match::largest_error(const Seat& seat) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double tick = seat.client->shown_tick();
  const auto before = truths_.find(static_cast<std::uint32_t>(tick));
  const auto after = truths_.find(static_cast<std::uint32_t>(tick) + 1);
  if (before == truths_.end() || after == truths_.end()) return infinite;
  const auto fraction = static_cast<float>(tick - std::floor(tick));

  std::map<state::BodyId, math::Position> shown;
  for (const client::ShownBody& body : seat.client->shown_bodies()) {
    shown[body.info->id] = body.pose.position;
  }
  double largest = 0;
  for (const auto& [id, position] : before->second) {
    const auto next = after->second.find(id);
    if (next == after->second.end()) continue;  // it went in between
    const auto it = shown.find(id);
    if (it == shown.end()) return infinite;
    const math::Position truth = position + (next->second - position) * fraction;
    largest = std::max(largest, static_cast<double>(math::length(it->second - truth)));
  }
  return largest;
}

}  // namespace jostle::match
