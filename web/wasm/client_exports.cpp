// The functions with which the page starts and controls the client.
#include "web/wasm/client_host.h"
#include "web/wasm/exports.h"
#include "web/wasm/json_writer.h"
#include <memory>
#include <string>

namespace jostle::web {
namespace {

std::unique_ptr<ClientHost>& host() {
  static std::unique_ptr<ClientHost> client;
  return client;
}

}  // namespace

ClientHost* client_host() {
  return host().get();
}

/// Starts a client, in place of an earlier one. `role` is a protocol::Role, `engine` an EngineUse.
/// The two halves of the reconnect token are 0 for a new player.
JOSTLE_EXPORT(client_start)
void client_start(const char* name, std::uint32_t size, std::uint32_t role, std::uint32_t engine,
                  std::uint32_t token_low, std::uint32_t token_high) {
  client::Options options;
  options.name = text_of(name, size);
  options.role = role == 0 ? protocol::Role::Player : protocol::Role::Spectator;
  options.reconnect_timeout_us = 600'000'000;
  options.reconnect_token = (std::uint64_t{token_high} << 32) | token_low;
  host().reset();
  const bool is_known = engine <= static_cast<std::uint32_t>(EngineUse::Lockstep);
  host() = std::make_unique<ClientHost>(
      options, is_known ? static_cast<EngineUse>(engine) : EngineUse::None);
  set_source(host().get());
}

/// Ends the client and its connection.
JOSTLE_EXPORT(client_stop) void client_stop() {
  if (source() == host().get()) set_source(nullptr);
  if (host()) {
    host()->client().close();
    host()->client().update();
  }
  host().reset();
}

/// Processes received messages without drawing, e.g. in a hidden tab.
JOSTLE_EXPORT(client_update) void client_update() {
  if (host()) host()->client().update();
}

/// Shows the client's world, after a recording was shown.
JOSTLE_EXPORT(client_show) void client_show() {
  set_source(host().get());
}

JOSTLE_EXPORT(client_try_again) void client_try_again() {
  if (host()) host()->client().try_again();
}

/// Sends a control command; `kind` is a state::ControlKind.
JOSTLE_EXPORT(client_request) void client_request(std::uint32_t kind, std::uint32_t count) {
  if (host() && kind < state::control_kind_count)
    host()->client().request({static_cast<state::ControlKind>(kind), count});
}

JOSTLE_EXPORT(client_ask_for_scenes) void client_ask_for_scenes() {
  if (host()) host()->client().ask_for_scenes();
}

JOSTLE_EXPORT(client_load_scene) void client_load_scene(const char* name, std::uint32_t size) {
  if (host()) host()->client().load_scene(text_of(name, size));
}

/// Stores the list of the server's scenes as JSON.
JOSTLE_EXPORT(client_scenes) void client_scenes() {
  JsonWriter json;
  json.open('[');
  if (host()) {
    for (const protocol::SceneInfo& scene : host()->client().scenes()) {
      json.open('{').field("name", scene.name).field("description", scene.description).close('}');
    }
  }
  json.close(']');
  set_result(json.take());
}

/// Stores the server's last notice, and clears it. Empty if there is none.
JOSTLE_EXPORT(client_take_notice) void client_take_notice() {
  set_result(host() ? host()->client().take_notice().value_or("") : "");
}

/// Stores the reconnect token as 16 hexadecimal digits; empty if there is none.
JOSTLE_EXPORT(client_reconnect_token) void client_reconnect_token() {
  const std::uint64_t token = host() ? host()->client().reconnect_token() : 0;
  std::string digits;
  for (int shift = 60; token != 0 && shift >= 0; shift -= 4)
    digits += "0123456789abcdef"[(token >> shift) & 15];
  set_result(digits);
}

}  // namespace jostle::web
