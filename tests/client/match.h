#pragma once

#include "client/client.h"
#include "tests/client/fake_link.h"
#include "tests/client/scripted_server.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace jostle::client {

/// A client and a scripted server over a fake link, simulated in steps of 1 ms.
struct Match {
  explicit Match(std::uint64_t seed = 1, ScriptedServer::Script script_ = {}, Options options = {})
      : link(io, seed), script(std::move(script_)) {
    start_server(ScriptedServer::make_world(20, 3));
    client = std::make_unique<Client>(io, link, options);
    client->set_complete_hook([this](const protocol::QuantizedSnapshot& snapshot) {
      ++completed;
      const protocol::QuantizedSnapshot* truth = server->snapshot(snapshot.tick);
      if (truth == nullptr || *truth != snapshot) ++wrong;
    });
  }

  void start_server(state::WorldDef world) {
    link.is_server_up = true;
    server = std::make_unique<ScriptedServer>(io, link, script, std::move(world), motion);
  }

  /// Returns the pose of `body` at `tick`. Bodies move at a constant velocity of whole quantisation
  /// steps per tick, so that the displayed poses are known exactly.
  static math::Pose motion(const state::BodyInfo& body, state::Tick tick) {
    const double ticks = tick.number % 100'000;
    math::Pose pose = body.pose;
    pose.position.y = 1 + ticks * (body.id.value % 4) / 64.0;
    return pose;
  }
  static double shown_y(const state::BodyInfo& body, double tick) {
    return 1 + std::fmod(tick, 100'000) * (body.id.value % 4) / 64.0;
  }

  void step() {
    io.time_us += 1'000;
    server->update();
    if (++steps % client_interval_ms == 0) client->update();
    if (each_step) each_step();
  }
  void run(std::int64_t milliseconds) {
    for (std::int64_t i = 0; i < milliseconds; ++i)
      step();
  }
  bool run_until(const std::function<bool()>& condition, std::int64_t limit_ms) {
    for (std::int64_t i = 0; i < limit_ms; ++i) {
      if (condition()) return true;
      step();
    }
    return condition();
  }
  bool run_until_playing(std::int64_t limit_ms = 3'000) {
    return run_until([this] { return client->status().state == ClientState::Playing; }, limit_ms);
  }
  /// Returns the displayed body, or nullptr if no body with this id is displayed.
  const ShownBody* shown(std::uint32_t id) const {
    for (const ShownBody& body : client->shown_bodies()) {
      if (body.info->id.value == id) return &body;
    }
    return nullptr;
  }

  FakeIo io;
  FakeLink link;
  ScriptedServer::Script script;
  std::unique_ptr<ScriptedServer> server;
  std::unique_ptr<Client> client;
  std::int64_t steps = 0;
  int client_interval_ms = 4;
  std::function<void()> each_step;
  std::uint64_t completed = 0, wrong = 0;
};

}  // namespace jostle::client
