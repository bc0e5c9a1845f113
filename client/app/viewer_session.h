#pragma once

#include "client/app/options.h"
#include "client/app/reconnect_file.h"
#include "client/client.h"
#include "client/preview/scene_preview.h"
#include "client/sim/lockstep_peer.h"
#include "shared/base/result.h"
#include "shared/keyring/client_access.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/state/ids.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::client_app {

/// Session on one server: a client with its socket, its status messages on the terminal, the hash
/// log and the summary.
class ViewerSession {
 public:
  /// Creates a session. `io` must outlive the session; `server` has at least one address. Returns
  /// an error of one sentence if the socket or the hash log cannot be opened. The session continues
  /// as the player whose token is in `reconnect_file`, and keeps its token there; null: it does
  /// not.
  static base::Result<std::unique_ptr<ViewerSession>, std::string> create(
      net::Io& io, const Options& options, const std::vector<net::Address>& server,
      keyring::ClientAccess access, std::unique_ptr<ReconnectFile> reconnect_file = nullptr);

  /// Sets the preview whose server this session joins. `preview` must outlive the session.
  void set_preview(const preview::ScenePreview* preview) { preview_ = preview; }
  /// Returns the result of the last load of the previewed scene file. Without a preview, the result
  /// has no error.
  const preview::ScenePreview::News& preview_news() const { return preview_news_; }

  client::Client& client() { return *client_; }
  const client::Client& client() const { return *client_; }

  /// Runs the client. Call it at least once per client tick.
  void update();
  /// Returns true in each of these cases:
  /// - the client has failed: there is no connection, or the server refused it;
  /// - the server does not load the requested scene, and no user can choose another one;
  /// - a desync occurred with --on-desync stop.
  bool has_failed() const;
  /// Returns true if a tick that --sync-test simulated again had a different result.
  bool has_found_difference() const;
  /// Returns false if the hash log could not be written to its end.
  bool is_log_complete() const { return is_log_healthy_; }
  /// Returns why a fault of --inject was not injected in this session; null if all were.
  std::optional<std::string> fault_left() const;
  /// Connects again after a failure that may be temporary, such as a lost connection or a full
  /// server. Returns false, without connecting, for other failures.
  bool try_again();
  /// Returns the reason for a failure; without a failure, the client's status text.
  std::string text() const;
  /// Returns the last message for the user and clears it; null if there is none.
  std::optional<std::string> take_notice();
  /// Returns the time in s since the world, in the requested scene, was first available; 0 before.
  double seconds_playing() const;

  /// Disconnects and waits up to 0.5 s so that the server receives the disconnect message. Then
  /// prints which files the session wrote.
  void close();
  /// Returns one line of statistics, e.g. number of snapshots, RTT, bytes per second and the last
  /// hash.
  std::string summary() const;

 private:
  ViewerSession(net::Io& io, Options options, keyring::ClientAccess access)
      : io_(io), options_(std::move(options)), access_(std::move(access)), name_(options_.name) {}

  void announce_server_key();
  void note_name();
  void ask_for_scene();
  void handle_snapshot(const protocol::QuantizedSnapshot& snapshot);
  void begin_hash_log();
  void write_hashes();
  void append_to_log(std::string_view text);
  void note_desync();
  void note_missed_fault();
  void follow_preview();

  net::Io& io_;
  Options options_;
  // null: the session joins a server without a preview
  const preview::ScenePreview* preview_ = nullptr;
  preview::ScenePreview::News preview_news_;
  keyring::ClientAccess access_;
  std::unique_ptr<ReconnectFile> reconnect_file_;  // null: no token is kept
  std::unique_ptr<net::Transport> transport_;
  // predictor and engine: declared before the client, so that they outlive it
  std::unique_ptr<client::Predictor> predictor_;
  std::unique_ptr<prediction::LockstepPeer> engine_;
  std::unique_ptr<client::Client> client_;
  client::Status said_;
  // The name that the server assigned to the player. Before that, the name of the options.
  std::string name_;
  state::PlayerId named_player_;  // the player that `name_` belongs to; null: none yet
  std::optional<std::int64_t> playing_since_us_;
  bool is_scene_given_up_ = false, is_scene_there_ = false;
  // revision of the world when the scene was requested; null: not requested yet
  std::optional<std::uint32_t> world_before_;
  std::optional<std::string> notice_, refusal_;
  std::unique_ptr<net::OutputFile> hash_log_;  // null without --hash-log
  std::string hash_lines_;
  bool is_log_healthy_ = true, has_begun_log_ = false, has_desynced_ = false,
       has_missed_fault_ = false;
  /// The recording of the desync. The path is empty if none was written.
  struct {
    std::string path, content;
  } desync_recording_;
  std::uint64_t ticks_ = 0;
  state::Tick last_tick_;
  std::uint64_t last_hash_ = 0;
};

/// Returns true if the user limited the duration and the session has played that long.
bool is_time_up(const Options& options, const ViewerSession& session);

}  // namespace jostle::client_app
