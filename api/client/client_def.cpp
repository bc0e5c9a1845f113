#include "api/base/definition.h"
#include "api/client/client_host.h"
#include "protocol/player_name.h"
#include "shared/host_names/resolve.h"

namespace jostle::api {

static_assert(JOSTLE_ROLE_SPECTATOR == static_cast<int>(protocol::Role::Spectator));
static_assert(JOSTLE_PRECISION_LOSSLESS == static_cast<int>(protocol::Profile::Lossless));

template <>
jostle_client_def default_of() {
  jostle_client_def def{};
  def.size = sizeof def;
  def.server = "127.0.0.1:7777";
  def.name = "player";
  constexpr double connect_seconds = 10, reconnect_seconds = 60;
  def.connect_seconds = connect_seconds;
  def.reconnect_seconds = reconnect_seconds;
  return def;
}

namespace {

constexpr double max_connect_seconds = 86'400, us_of_second = 1e6;
constexpr std::uint16_t default_port = 7777;

std::string text_of(const char* text) {
  return text == nullptr ? "" : text;
}

void read_server(const jostle_client_def& def, ClientHostOptions& options) {
  require_pointer(def.server, "def->server");
  const auto parts = net::split_host_and_port(def.server);
  if (!parts) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
           "def->server is '%.200s'; accepted: a host name or an IP address, and a port after ':'",
           def.server);
  }
  options.host = parts->host;
  auto addresses = host_names::resolve(parts->host, parts->port.value_or(default_port));
  if (!addresses) refuse(JOSTLE_ERROR_NOT_FOUND, "def->server: %s", addresses.error().c_str());
  options.addresses = *std::move(addresses);
}

}  // namespace

ClientHostOptions checked_client(const jostle_client_def& def) {
  ClientHostOptions options;
  require_pointer(def.name, "def->name");
  options.client.name = def.name;
  if (const std::string fault = protocol::name_fault(options.client.name); !fault.empty())
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "def->name: %s", fault.c_str());
  require_enumerator(def.role, JOSTLE_ROLE_SPECTATOR + 1, "def->role");
  require_enumerator(def.precision, JOSTLE_PRECISION_LOSSLESS + 1, "def->precision");
  require_range(def.connect_seconds, 1, max_connect_seconds, "def->connect_seconds", "s");
  require_range(def.reconnect_seconds, 1, max_connect_seconds, "def->reconnect_seconds", "s");
  options.client.role = static_cast<protocol::Role>(def.role);
  options.client.profile = static_cast<protocol::Profile>(def.precision);
  options.client.connect_timeout_us = static_cast<std::int64_t>(def.connect_seconds * us_of_second);
  options.client.reconnect_timeout_us =
      static_cast<std::int64_t>(def.reconnect_seconds * us_of_second);
  options.access.names = {"def->token", "def->shared_key_file", "def->key_file",
                          "def->known_servers_file"};
  options.access.token = text_of(def.token);
  options.access.psk_path = text_of(def.shared_key_file);
  options.access.key_path = text_of(def.key_file);
  options.access.known_path = text_of(def.known_servers_file);
  if (!options.access.token.empty()) {
    if (const std::string fault = keyring::token_fault(options.access.token); !fault.empty())
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "def->token: %s", fault.c_str());
  }
  if (!options.access.token.empty() && !options.access.psk_path.empty()) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->token and def->shared_key_file are both set; accepted: one of them");
  }
  read_server(def, options);
  return options;
}

}  // namespace jostle::api

jostle_result jostle_client_def_init(jostle_client_def* def, size_t size) {
  return jostle::api::write_default(__func__, def, size);
}
