#include "api/base/definition.h"
#include "api/physics/tables.h"
#include "api/server/server_host.h"
#include "protocol/player_name.h"
#include "server/scene_catalogue.h"
#include "shared/rollback/rollback_check.h"
#include "shared/scene_files/scene_files.h"

#include <limits>

namespace jostle::api {
namespace {

constexpr std::int32_t max_snapshot_interval = 60;
constexpr std::uint32_t max_players = 1'000, max_sessions = 4'000, max_port = 65'535;
constexpr double max_recent_seconds = 86'400, max_reconnect_seconds = 86'400;
constexpr double min_client_rate = 1'000, max_client_rate = 1e12;

/// Returns the text, or `fallback` for a null pointer.
std::string text_or(const char* text, const char* fallback) {
  return text == nullptr ? fallback : text;
}

void read_server_options(const jostle_server_def& def, HostOptions& options) {
  server::Options& server = options.server;
  server.name = text_or(def.name, "jostle");
  if (const std::string fault = protocol::name_fault(server.name); !fault.empty())
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "def->name: %s", fault.c_str());
  require_integer(def.ticks_per_second, state::min_tick_rate_hz, state::max_tick_rate_hz,
                  "def->ticks_per_second");
  require_integer(def.snapshot_interval, 1, max_snapshot_interval, "def->snapshot_interval");
  require_integer(def.max_players, 1, max_players, "def->max_players");
  require_integer(def.max_sessions, def.max_players, max_sessions, "def->max_sessions");
  require_integer(def.sync_test_ticks, 0, rollback::RollbackCheck::max_ticks,
                  "def->sync_test_ticks");
  require_range(def.reconnect_seconds, 0, max_reconnect_seconds, "def->reconnect_seconds", "s");
  if (def.max_client_rate != 0)
    require_range(def.max_client_rate, min_client_rate, max_client_rate, "def->max_client_rate",
                  "bytes per second, or 0");
  server.tick_rate_hz = def.ticks_per_second;
  server.snapshot_interval_ticks = def.snapshot_interval;
  server.seed = def.seed;
  server.max_players = def.max_players;
  server.max_sessions = def.max_sessions;
  server.names = {"is_sandbox = 1", "recording_file"};
  server.is_sandbox = require_bool(def.is_sandbox, "def->is_sandbox");
  server.is_lockstep = require_bool(def.is_lockstep, "def->is_lockstep");
  server.sync_test_ticks = def.sync_test_ticks;
  server.reconnect_window_seconds = def.reconnect_seconds;
  server.max_client_bytes_per_second =
      def.max_client_rate == 0 ? std::numeric_limits<double>::infinity() : def.max_client_rate;
  if (server.is_lockstep && def.rule_count > 0) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->is_lockstep is 1, but clients do not have the rules of this program; "
                "accepted: 0 with rules");
  }
}

void read_address(const jostle_server_def& def, HostOptions& options) {
  const std::string address = text_or(def.address, "127.0.0.1");
  if (const std::string fault = net::ip_fault(address); !fault.empty())
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "def->address: %s", fault.c_str());
  require_integer(def.port, 0, max_port, "def->port");
  options.address = {*net::parse_ip(address), static_cast<std::uint16_t>(def.port)};
  options.is_insecure = require_bool(def.is_insecure, "def->is_insecure");
  options.is_on_lan = require_bool(def.is_on_lan, "def->is_on_lan");
  if (options.is_on_lan && net::is_loopback(options.address)) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->is_on_lan is 1, but def->address is that of this machine alone; accepted: "
                "\"::\", \"0.0.0.0\" or an address of the network");
  }
  require_enumerator(def.access, JOSTLE_ACCESS_TOKEN + 1, "def->access");
  constexpr secure::AccessMode modes[] = {secure::AccessMode::Open, secure::AccessMode::SharedKey,
                                          secure::AccessMode::Token};
  options.access.mode = modes[def.access];
  options.access.psk_path = text_or(def.shared_key_file, "");
  options.access.psk_name = "def->shared_key_file";
  options.access.keys_name = "def->keys_folder";
  options.access.keys_folder = text_or(def.keys_folder, "");
  if ((def.access == JOSTLE_ACCESS_SHARED_KEY) != !options.access.psk_path.empty()) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->shared_key_file must be set if and only if def->access is "
                "JOSTLE_ACCESS_SHARED_KEY");
  }
  if (def.access == JOSTLE_ACCESS_TOKEN && def.keys_folder == nullptr &&
      def.state_folder == nullptr) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->keys_folder is null; JOSTLE_ACCESS_TOKEN needs a folder of keys");
  }
}

void read_web(const jostle_server_def& def, HostOptions& options) {
  server::WebOptions& web = options.web;
  if (def.web_address == nullptr) {
    if (def.web_page_folder != nullptr || def.web_embedder != nullptr)
      refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                  "def->web_page_folder and def->web_embedder need def->web_address");
    return;
  }
  const auto endpoint = net::parse_endpoint(def.web_address);
  if (!endpoint)
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "def->web_address: %.300s", endpoint.error().c_str());
  const bool is_local = net::is_loopback(*endpoint);
  if (!is_local && def.access == JOSTLE_ACCESS_OPEN && !options.is_insecure) {
    refuse_text(
        JOSTLE_ERROR_INVALID_ARGUMENT,
        "def->web_address can be reached from other machines; accepted: \"127.0.0.1:PORT\", "
        "JOSTLE_ACCESS_TOKEN, or def->is_insecure = 1");
  }
  web.listen = def.web_address;
  web.page_folder = text_or(def.web_page_folder, "");
  if (!is_local) web.gate_arguments.emplace_back("--insecure");
  if (def.web_embedder != nullptr) {
    web.gate_arguments.emplace_back("--embed");
    web.gate_arguments.emplace_back(def.web_embedder);
  }
}

void read_scene(const jostle_server_def& def, HostOptions& options) {
  if (def.scene.index != 0 || def.scene.generation != 0) {
    options.scene = *scenes().read(def.scene);
    options.scene_file = options.scene.name;
  } else {
    require_pointer(def.scene_name, "def->scene_name");
    net::SystemIo io;
    auto scene = scene::load_scene(io, def.scene_name);
    if (!scene) refuse_text(JOSTLE_ERROR_INVALID_DATA, scene.error().c_str());
    options.scene = *std::move(scene);
    options.scene_file = scene::scene_path(def.scene_name);
  }
  if (options.scene.spawns.empty()) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->scene has no spawns; accepted: scenes with at least one");
  }
  if (const auto why = server::why_not_servable(options.scene, options.server.max_players))
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, why->c_str());
}

void read_state(const jostle_server_def& def, HostOptions& options) {
  static_assert(JOSTLE_DURABILITY_STRICT == static_cast<int>(journal::Durability::Strict));
  require_enumerator(def.durability, JOSTLE_DURABILITY_STRICT + 1, "def->durability");
  require_integer(def.reserved, 0, 0, "def->reserved");
  server::StateOptions& state = options.state;
  state.folder = text_or(def.state_folder, "");
  if (def.state_folder != nullptr && state.folder.empty()) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->state_folder is empty; accepted: the path of a folder, or null");
  }
  state.durability = static_cast<journal::Durability>(def.durability);
  state.quota_bytes = def.state_quota;
  if (!state.folder.empty() && options.access.keys_folder.empty())
    options.access.keys_folder = state.folder + "/keys";
}

void read_recording(const jostle_server_def& def, HostOptions& options) {
  require_range(def.recent_seconds, 0, max_recent_seconds, "def->recent_seconds", "s");
  server::RecordingOptions& recording = options.recording;
  if (def.recording_file != nullptr) {
    recording.mode = server::RecordingOptions::Mode::File;
    recording.path = def.recording_file;
    if (def.recent_seconds > 0) {
      refuse_text(
          JOSTLE_ERROR_INVALID_ARGUMENT,
          "def->recording_file and def->recent_seconds are both set; accepted: one of them");
    }
    if (!recording.path.ends_with(".jrec")) {
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
             "def->recording_file is '%.200s'; accepted: names that end in .jrec",
             def.recording_file);
    }
  } else if (def.recent_seconds > 0) {
    recording.mode = server::RecordingOptions::Mode::Ring;
    recording.seconds = def.recent_seconds;
  }
}

}  // namespace

template <>
jostle_server_def default_of() {
  const server::Options options;
  jostle_server_def def{};
  def.size = sizeof def;
  def.name = "jostle";
  def.scene_name = "crates";
  def.address = "127.0.0.1";
  constexpr std::uint32_t default_port = 7777;
  def.port = default_port;
  def.ticks_per_second = options.tick_rate_hz;
  def.snapshot_interval = options.snapshot_interval_ticks;
  def.max_players = static_cast<std::uint32_t>(options.max_players);
  def.max_sessions = static_cast<std::uint32_t>(options.max_sessions);
  def.reconnect_seconds = options.reconnect_window_seconds;
  def.durability = JOSTLE_DURABILITY_GROUP;
  def.state_quota = server::StateOptions{}.quota_bytes;
  return def;
}

HostOptions checked_host(const jostle_server_def& def) {
  HostOptions options;
  options.rules = checked_rules(def.rules, def.rule_count);
  read_server_options(def, options);
  read_address(def, options);
  read_web(def, options);
  read_state(def, options);
  read_recording(def, options);
  options.offers_scenes = require_bool(def.offers_scenes, "def->offers_scenes");
  read_scene(def, options);
  return options;
}

}  // namespace jostle::api

jostle_result jostle_server_def_init(jostle_server_def* def, size_t size) {
  return jostle::api::write_default(__func__, def, size);
}
