#include "client/app/viewer_session.h"

#include "client/app/view_interest.h"
#include "client/app/written_files.h"
#include "client/sim/world_predictor.h"
#include "protocol/quantize.h"
#include "shared/base/counted.h"
#include "shared/base/file_name.h"
#include "shared/base/log.h"
#include "shared/base/printable.h"
#include "shared/host_names/resolve.h"
#include "shared/net/enet_transport.h"
#include "shared/record/recording_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <span>
#include <thread>
#include <utility>

namespace jostle::client_app {

namespace {

constexpr std::size_t hash_flush_bytes = 16U << 10;
constexpr int goodbye_rounds = 50;
constexpr std::int64_t attended_regain_us = 60'000'000;
constexpr std::chrono::milliseconds goodbye_pause(10);

base::Result<std::unique_ptr<net::Transport>, std::string> open_transport(
    net::Io& io, const std::vector<net::Address>& server, net::SecurityOptions security) {
  net::EnetOptions options;
  options.security = std::move(security);
  options.max_peers = 1;
  options.is_accepting = false;
  options.bind = net::Address{host_names::local_ip_for(server), 0};
  auto transport = net::EnetTransport::create(io, options);
  if (!transport) return "cannot open a socket: " + transport.error().text;
  return std::unique_ptr<net::Transport>(*std::move(transport));
}

/// Returns the summary's part on prediction: figures, or the reason why prediction does not run;
/// empty without a predictor.
std::string prediction_words(const client::PredictionMetrics& figures) {
  if (!figures.is_running) return figures.text.empty() ? "" : ", no prediction: " + figures.text;
  std::array<char, 128> words{};
  std::snprintf(
      words.data(), words.size(),
      ", predicted %.0f ticks ahead, error up to %.1f mm, %llu rollbacks, %.1f ms CPU per second",
      figures.ticks_ahead, figures.error_m * 1e3,
      static_cast<unsigned long long>(figures.rollbacks), figures.cpu_ms);
  return words.data();
}

std::string lockstep_words(const client::LockstepMetrics& figures, bool has_desynced,
                           const desync_search::SyncTest& sync_test) {
  return ", in lockstep: " + base::counted(figures.ticks, "tick") + " simulated, " +
         (figures.hashes == 1 ? "1 hash" : std::to_string(figures.hashes) + " hashes") + " sent, " +
         (has_desynced ? "DESYNC" : "none differed") +
         (sync_test.ticks_back() > 0 ? ", " + sync_test.text() : "");
}

}  // namespace

base::Result<std::unique_ptr<ViewerSession>, std::string> ViewerSession::create(
    net::Io& io, const Options& options, const std::vector<net::Address>& server,
    keyring::ClientAccess access, std::unique_ptr<ReconnectFile> reconnect_file) {
  auto transport = open_transport(io, server, access.security(0));
  if (!transport) return transport.error();
  std::unique_ptr<ViewerSession> session(new ViewerSession(io, options, std::move(access)));
  session->transport_ = *std::move(transport);

  if (!options.hash_log_path.empty()) {
    auto log = io.open_output(options.hash_log_path);
    if (!log)
      return "--hash-log: cannot write '" + options.hash_log_path +
             "': " + std::string(net::describe(log.error()));
    session->hash_log_ = *std::move(log);
  }
  client::Options client_options;
  client_options.server = server.front();
  client_options.other_addresses.assign(server.begin() + 1, server.end());
  client_options.name = options.name;
  client_options.role = options.is_spectator ? protocol::Role::Spectator : protocol::Role::Player;
  client_options.profile = options.profile;
  client_options.connect_timeout_us = static_cast<std::int64_t>(options.connect_timeout_s * 1e6);
  // A server holds reconnect slots for a minute by default, so try for a minute. The user can give
  // up at any time.
  if (has_interactive_user(options) && !options.is_timeout_named)
    client_options.reconnect_timeout_us = attended_regain_us;
  if (reconnect_file != nullptr) client_options.reconnect_token = reconnect_file->token();
  session->reconnect_file_ = std::move(reconnect_file);
  session->client_ = std::make_unique<client::Client>(io, *session->transport_, client_options);
  if (options.is_predicting) {
    session->predictor_ = std::make_unique<prediction::WorldPredictor>(io);
    session->client_->set_predictor(session->predictor_.get());
  }
  if (options.is_lockstep) {
    session->engine_ = std::make_unique<prediction::LockstepPeer>(
        prediction::LockstepOptions{record::parse_faults(options.faults), options.sync_test_ticks});
    session->client_->set_lockstep(session->engine_.get());
  }
  if (options.max_rate_kbps > 0 || options.interest_radius_m > 0)
    session->client_->set_interest(interest_without_view(options));
  session->client_->set_complete_hook(
      [raw = session.get()](const protocol::QuantizedSnapshot& snapshot) {
        raw->handle_snapshot(snapshot);
      });
  return session;
}

void ViewerSession::update() {
  client_->update();
  if (reconnect_file_ != nullptr) reconnect_file_->keep(client_->reconnect_token());
  announce_server_key();
  note_name();
  note_desync();
  note_missed_fault();
  follow_preview();
  const client::Status& status = client_->status();
  if (!(status == said_)) {
    said_ = status;
    // A failure is printed last, when the program ends.
    if (!status.text.empty() && status.state != client::ClientState::Failed &&
        !options_.is_scene_list) {
      std::printf("jostle-view: %s\n", base::printable(status.text).c_str());
      std::fflush(stdout);
    }
  }
  if (auto notice = client_->take_notice()) {
    if (world_before_ && !is_scene_there_) {
      notice = "scene '" + options_.scene + "': " + *notice;
      // A user can continue in the current scene.
      if (has_interactive_user(options_))
        is_scene_given_up_ = true;
      else
        refusal_ = notice;
    }
    notice_ = std::move(notice);
  }
  if (status.state != client::ClientState::Playing || playing_since_us_) return;
  begin_hash_log();
  ask_for_scene();
  if (is_scene_there_) playing_since_us_ = io_.now_us();
}

/// Tells the user the fingerprint of a server that was joined for the first time.
void ViewerSession::announce_server_key() {
  const auto server = client_->server();
  if (!server) return;
  auto words = access_.meet(io_, server->key);
  if (!words) return;
  std::fprintf(options_.is_scene_list ? stderr : stdout, "jostle-view: %s\n", words->c_str());
  std::fflush(stdout);
  if (!options_.is_scene_list) notice_ = std::move(words);
}

/// Stores the name that the server assigned to the player. It is the name of the player's first
/// body; bodies that the player shoots come later.
void ViewerSession::note_name() {
  const state::PlayerId player = client_->status().player;
  if (player.is_null() || player == named_player_) return;
  const auto& bodies = client_->world().bodies;
  const auto own =
      std::find_if(bodies.begin(), bodies.end(),
                   [player](const state::BodyInfo& body) { return body.owner == player; });
  if (own == bodies.end()) return;
  named_player_ = player;
  name_ = own->name;
}

/// Reports each error in the previewed scene file, and each successful load after the first.
void ViewerSession::follow_preview() {
  if (preview_ == nullptr) return;
  auto news = preview_->news();
  if (news.loads == preview_news_.loads) return;
  preview_news_ = std::move(news);
  if (preview_news_.error) {
    std::fprintf(stderr, "jostle-view: %s\n", base::printable(*preview_news_.error).c_str());
  } else if (preview_news_.loads > 1) {
    notice_ = "loaded " + base::printable(options_.scene_path);
    std::printf("jostle-view: %s\n", notice_->c_str());
    std::fflush(stdout);
  }
}

/// Reports the first desync and saves the newest recorded ticks.
void ViewerSession::note_desync() {
  if (engine_ == nullptr || has_desynced_ || !engine_->figures().has_desynced) return;
  has_desynced_ = true;
  const std::string words = base::printable(engine_->figures().text);
  std::printf("jostle-view: DESYNC: %s\n", words.c_str());
  if (const auto saved = engine_->recording()) {
    const std::string stem = options_.record_folder + "/desync-" + base::file_name_part(name_) +
                             "-" + base::utc_stamp(io_.unix_time_s()) + "-tick" +
                             std::to_string(saved->first_tick + saved->tick_count - 1);
    std::error_code not_made;
    std::filesystem::create_directories(options_.record_folder, not_made);
    const auto written = record::write_new_recording(io_, stem, saved->bytes);
    const std::string path = written ? *written : stem + ".jrec";
    if (written) desync_recording_ = {path, base::counted(saved->tick_count, "tick")};
    const std::string reason = not_made  ? "cannot create the folder: " + not_made.message()
                               : written ? std::string()
                                         : std::string(net::describe(written.error()));
    std::printf("jostle-view: ticks %u to %u %s %s%s\n", saved->first_tick,
                saved->first_tick + saved->tick_count - 1,
                written ? "are saved in" : "could not be written to", path.c_str(),
                written ? "" : (": " + reason).c_str());
  }
  std::fflush(stdout);
  notice_ = "desync with the server: " + words;
  if (options_.stops_on_desync) refusal_ = "desync with the server: " + words;
}

/// Reports a fault that can no longer be injected. Ends the session unless a user can go on.
void ViewerSession::note_missed_fault() {
  if (engine_ == nullptr || has_missed_fault_) return;
  auto missed = engine_->missed_fault();
  if (!missed) return;
  has_missed_fault_ = true;
  const std::string words = "--inject: " + *missed;
  if (has_interactive_user(options_))
    notice_ = words;
  else
    refusal_ = words;
}

void ViewerSession::ask_for_scene() {
  const state::WorldDef& world = client_->world();
  is_scene_there_ =
      options_.scene.empty() || is_scene_given_up_ || world.scene_name == options_.scene;
  if (is_scene_there_ || world_before_) return;
  world_before_ = world.revision;
  client_->load_scene(options_.scene);
}

bool ViewerSession::try_again() {
  if (refusal_) return false;
  switch (client_->status().failure) {
    case client::Failure::NoAnswer:
    case client::Failure::Lost:
    case client::Failure::ShutDown:
    case client::Failure::Full:
    case client::Failure::NoWorld:
      client_->try_again();
      return true;
    default:
      return false;  // the server would refuse the same credentials again
  }
}

std::string ViewerSession::text() const {
  return refusal_ ? *refusal_ : client_->status().text;
}

std::optional<std::string> ViewerSession::take_notice() {
  return std::exchange(notice_, std::nullopt);
}

bool ViewerSession::has_found_difference() const {
  return engine_ != nullptr && engine_->sync_test().mismatch();
}

std::optional<std::string> ViewerSession::fault_left() const {
  auto left = engine_ == nullptr ? std::nullopt : engine_->fault_left();
  return left ? std::optional("--inject: " + *left) : std::nullopt;
}

bool ViewerSession::has_failed() const {
  return refusal_ || client_->status().state == client::ClientState::Failed;
}

double ViewerSession::seconds_playing() const {
  return playing_since_us_ ? static_cast<double>(io_.now_us() - *playing_since_us_) * 1e-6 : 0;
}

void ViewerSession::handle_snapshot(const protocol::QuantizedSnapshot& snapshot) {
  ++ticks_;
  if (ticks_ > 1 && snapshot.tick < last_tick_ && options_.hash_log_path.empty()) return;
  const std::uint64_t hash = protocol::hash(snapshot);
  if (ticks_ == 1 || snapshot.tick > last_tick_) {
    last_tick_ = snapshot.tick;
    last_hash_ = hash;
  }
  if (options_.hash_log_path.empty()) return;
  begin_hash_log();
  std::array<char, 40> line{};
  const int size = std::snprintf(line.data(), line.size(), "%u %016llx\n", snapshot.tick.number,
                                 static_cast<unsigned long long>(hash));
  hash_lines_.append(line.data(), static_cast<std::size_t>(size));
  if (hash_lines_.size() >= hash_flush_bytes) write_hashes();
}

/// Empties the hash log, once the server has accepted the client.
void ViewerSession::begin_hash_log() {
  if (hash_log_ != nullptr && !std::exchange(has_begun_log_, true)) append_to_log({});
}

void ViewerSession::write_hashes() {
  if (!hash_lines_.empty()) append_to_log(hash_lines_);
  hash_lines_.clear();
}

void ViewerSession::append_to_log(std::string_view text) {
  if (!is_log_healthy_) return;
  if (const auto written = hash_log_->write(std::as_bytes(std::span(text))); !written) {
    is_log_healthy_ = false;
    base::error("cannot write the hash log, which ends here",
                {{"path", options_.hash_log_path}, {"why", net::describe(written.error())}});
  }
}

void ViewerSession::close() {
  // Leaving gives up the player's place, so the token is deleted. After a failure the token
  // remains, and another jostle-view can take the place.
  const client::ClientState state = client_->status().state;
  const bool leaves =
      state == client::ClientState::Playing || state == client::ClientState::Joining;
  if (leaves && reconnect_file_ != nullptr) reconnect_file_->keep(0);
  client_->close();
  for (int round = 0; round < goodbye_rounds && !client_->is_closed(); ++round) {
    client_->update();
    std::this_thread::sleep_for(goodbye_pause);
  }
  write_hashes();
  if (options_.is_scene_list) return;
  if (has_begun_log_ && is_log_healthy_)
    report_written(options_.hash_log_path, base::counted(ticks_, "line"));
  if (!desync_recording_.path.empty())
    report_written(desync_recording_.path, desync_recording_.content);
}

std::string ViewerSession::summary() const {
  const std::string beginning = "jostle-view: " + base::printable(name_) + ": ";
  if (client_->metrics().snapshots_complete == 0) return beginning + "no snapshot was received";
  const client::Metrics& metrics = client_->metrics();
  std::array<char, 320> line{};
  std::snprintf(
      line.data(), line.size(),
      "%s (%llu with all bodies), newest tick %u, RTT %.1f ms, %.0f bytes/s down, "
      "%.0f up, snapshot age %.1f ms, interpolation delay %.1f ms, inputs %.1f ticks early, packet "
      "loss %.1f %%, last hash %016llx",
      base::counted(metrics.snapshots_complete, "snapshot").c_str(),
      static_cast<unsigned long long>(ticks_), metrics.newest_tick.number, metrics.round_trip_ms,
      metrics.bytes_per_second_down, metrics.bytes_per_second_up, metrics.snapshot_age_ms,
      metrics.interpolation_delay_ms, metrics.input_margin_ticks, metrics.loss * 100,
      static_cast<unsigned long long>(last_hash_));
  return beginning + line.data() + prediction_words(metrics.prediction) +
         (engine_ == nullptr
              ? ""
              : lockstep_words(metrics.lockstep, has_desynced_, engine_->sync_test()));
}

bool is_time_up(const Options& options, const ViewerSession& session) {
  return options.duration_s > 0 && session.seconds_playing() >= options.duration_s;
}

}  // namespace jostle::client_app
