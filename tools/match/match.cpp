#include "tools/match/match.h"

#include "shared/base/assert.h"
#include "shared/base/log.h"
#include "shared/record/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace jostle::match {
namespace {

std::unique_ptr<net::EnetTransport> open_transport(net::Io& io, std::uint32_t ip,
                                                   std::uint16_t port, bool is_server,
                                                   const net::SecurityOptions& security) {
  net::EnetOptions options;
  options.security = security;
  options.bind = net::Address{ip, port};
  options.is_insecure_bind_allowed = true;
  options.is_accepting = is_server;
  options.max_peers = is_server ? 128 : 1;
  auto transport = net::EnetTransport::create(io, options);
  if (!transport) base::error("cannot open a socket", {{"why", transport.error().text}});
  JOSTLE_ASSERT(transport.has_value());
  return *std::move(transport);
}

std::vector<std::unique_ptr<sim::Rule>> rules_of(const MatchOptions& options) {
  std::vector<std::unique_ptr<sim::Rule>> rules = sim::default_rules();
  if (options.own_rule) rules.push_back(options.own_rule());
  return rules;
}

}  // namespace

const std::string_view match_scene = R"({
  "name": "match",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "lift", "motion_type": "kinematic", "position": [8, 1, 0],
      "shape": { "box": { "size": [2, 0.4, 2] } },
      "kinematic_motion": { "amplitude": [0, 0.8, 0], "period": 4 } }
  ],
  "templates": [ { "name": "crate", "shape": { "box": { "size": [0.8, 0.8, 0.8] } }, "density": 200 } ],
  "generators": [
    { "kind": "stack", "count": 6, "body": { "template": "crate" } },
    { "kind": "grid", "name": "loose", "counts": [4, 2, 4], "spacing": [1.2, 1.2, 1.2],
      "position": [0, 6, 0], "body": { "template": "crate" } }
  ],
  "player": { "linear_damping": 0.5, "angular_damping": 2 },
  "spawns": [ { "position": [14, 0.6, 14] }, { "position": [-14, 0.6, 14] },
              { "position": [14, 0.6, -14] }, { "position": [-14, 0.6, -14] } ]
})";

Match::Match(const MatchOptions& options)
    : network_(options.seed, options.make_carrier ? options.make_carrier() : nullptr),
      options_(options),
      schedule_(options.server.tick_rate_hz) {
  network_.set_default_faults(options.faults);
  start_server();
}

// Sockets must be closed before the network is destroyed.
Match::~Match() {
  seats_.clear();
  kill_server();
}

scene::SceneDef scene_of(std::string_view text) {
  auto scene = scene::parse_scene(text, "match.scene.json");
  if (!scene) base::error("cannot read the scene", {{"why", scene.error().text()}});
  JOSTLE_ASSERT(scene.has_value());
  return *std::move(scene);
}

void Match::start_server() {
  net::Io& io = network_.node(server_ip);
  auto transport =
      open_transport(io, server_ip, server_port, true,
                     options_.make_security ? options_.make_security(io) : options_.security);
  server_enet_ = transport.get();
  server_transport_ = std::make_unique<ObservedTransport>(std::move(transport));
  simulation_ = std::make_unique<sim::Simulation>(
      options_.scene, sim::SimulationOptions{options_.server.tick_rate_hz, options_.seed},
      rules_of(options_));
  server_ = std::make_unique<server::Server>(io, *server_transport_, *simulation_, options_.server);
  recording_.clear();
  if (options_.is_recorded && !options_.own_rule) {
    writer_ = std::make_unique<record::RecordingWriter>(
        *simulation_, record::rule_names(sim::default_rules()), "match.scene.json",
        [this](std::span<const std::byte> bytes) {
          recording_.insert(recording_.end(), bytes.begin(), bytes.end());
          return true;
        });
    server_->set_recording(writer_.get());
  }
  server_->set_scenes(options_.scenes);
  server_hashes_.clear();
  truths_.clear();
  if (options_.is_remembered) {
    server_->set_snapshot_hook(
        [this](const protocol::QuantizedSnapshot& snapshot) { remember(snapshot); });
  }
  schedule_.start(network_.now_us());
  server_stopped_until_us_ = server_suspended_us_ = 0;
}

void Match::remember(const protocol::QuantizedSnapshot& snapshot) {
  server_hashes_[snapshot.tick.number] = protocol::hash(snapshot);
  std::map<state::BodyId, math::Position>& truth = truths_[snapshot.tick.number];
  for (const state::BodyState& body : simulation_->capture().bodies) {
    truth[body.id] = body.pose.position;
  }
  if (truths_.size() > 200) truths_.erase(truths_.begin());
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

Seat& Match::add_client(const std::string& name, protocol::Role role, Pace pace,
                        const net::SecurityOptions& security, std::uint32_t ip,
                        std::uint64_t reconnect_token) {
  JOSTLE_ASSERT(pace.interval_us > 0);
  auto seat = std::make_unique<Seat>();
  seat->ip = ip != 0 ? ip : first_client_ip + static_cast<std::uint32_t>(seats_.size());
  seat->name = name;
  seat->pace = pace;
  seat->next_update_us = network_.now_us();
  net::Io& io = network_.node(seat->ip);
  seat->transport =
      std::make_unique<ObservedTransport>(open_transport(io, seat->ip, 0, false, security));
  client::Options options;
  options.server = {server_ip, server_port};
  options.name = name;
  options.role = role;
  options.profile = options_.profile;
  options.connect_timeout_us = 60'000'000;
  options.reconnect_token = reconnect_token;
  seat->client = std::make_unique<client::Client>(io, *seat->transport, options);
  seat->client->set_complete_hook([seat = seat.get(), is_remembered = options_.is_remembered](
                                      const protocol::QuantizedSnapshot& snapshot) {
    if (is_remembered) seat->hashes[snapshot.tick.number] = protocol::hash(snapshot);
    if (seat->on_complete) seat->on_complete(snapshot);
  });
  seats_.push_back(std::move(seat));
  return *seats_.back();
}

void Match::kill_client(std::size_t index) {
  seats_[index]->client.reset();
  seats_[index]->transport.reset();
}

void Match::run_seconds(double seconds) {
  run_to(network_.now_us() + static_cast<std::int64_t>(seconds * 1e6));
}

void Match::run_to(std::int64_t end_us) {
  while (network_.now_us() < end_us) {
    network_.advance_to(next_moment_us(end_us));
    if (server_) serve();
    update_clients();
  }
}

void Match::stop_client(Seat& seat, double seconds) {
  seat.stopped_until_us = network_.now_us() + static_cast<std::int64_t>(seconds * 1e6);
}

void Match::stop_server(double seconds) {
  server_stopped_until_us_ = network_.now_us() + static_cast<std::int64_t>(seconds * 1e6);
}

void Match::suspend_client(Seat& seat, double seconds) {
  stop_client(seat, seconds);
  seat.suspended_us = seat.stopped_until_us - network_.now_us();
}

void Match::suspend_server(double seconds) {
  stop_server(seconds);
  server_suspended_us_ = server_stopped_until_us_ - network_.now_us();
}

double Match::true_tick() const {
  return static_cast<double>(network_.now_us() - due_us({})) * 1e-6 * options_.server.tick_rate_hz;
}

std::int64_t Match::due_us(state::Tick tick) const {
  return schedule_.due_us_of(static_cast<std::int64_t>(tick.number + schedule_.skipped()));
}

/// Returns the time of the next event, but at most `end_us`. Events are an arrival, a tick and an
/// update of a client.
std::int64_t Match::next_moment_us(std::int64_t end_us) const {
  std::int64_t moment_us = std::min(end_us, network_.next_event_us().value_or(end_us));
  if (server_)
    moment_us = std::min(moment_us, std::max(schedule_.due_us(), server_stopped_until_us_));
  for (const auto& seat : seats_) {
    if (seat->client)
      moment_us = std::min(moment_us, std::max(seat->next_update_us, seat->stopped_until_us));
  }
  return std::max(moment_us, network_.now_us());
}

void Match::serve() {
  if (network_.now_us() < server_stopped_until_us_) return;
  net::VirtualNode& node = network_.node(server_ip);
  if (server_suspended_us_ > 0) {
    node.lose_time(server_suspended_us_);
    node.clear_inboxes();
    schedule_.delay(std::exchange(server_suspended_us_, 0));
  }
  if (node.is_readable()) server_->receive();
  schedule_.run_due([this] { return network_.now_us(); },
                    [&](std::int64_t due) {
                      // The server's clock may differ from the network's.
                      server_->tick(node.now_us() - (network_.now_us() - due));
                      if (tick_hook_) tick_hook_();
                      return true;
                    });
}

/// Ends the suspend of a client's machine.
void Match::wake(Seat& seat) {
  if (seat.suspended_us == 0) return;
  net::VirtualNode& node = network_.node(seat.ip);
  node.lose_time(std::exchange(seat.suspended_us, 0));
  node.clear_inboxes();
}

void Match::update_clients() {
  for (const auto& seat : seats_) {
    if (!seat->client || network_.now_us() < seat->stopped_until_us) continue;
    wake(*seat);
    const bool is_due = seat->next_update_us <= network_.now_us();
    if (!is_due && !(seat->pace.wakes_on_arrival && network_.node(seat->ip).is_readable()))
      continue;
    seat->client->update();
    if (!is_due) continue;
    seat->next_update_us = network_.now_us() + seat->pace.interval_us;
    if (seat->on_update) seat->on_update();
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
    if (next == after->second.end()) continue;  // destroyed in between
    const auto it = shown.find(id);
    if (it == shown.end()) return infinite;
    const math::Position truth = position + (next->second - position) * fraction;
    largest = std::max(largest, static_cast<double>(math::length(it->second - truth)));
  }
  return largest;
}

}  // namespace jostle::match
