#pragma once

#include "client/app/options.h"
#include "client/client.h"
#include "client/sim/lockstep_peer.h"
#include "shared/base/result.h"
#include "shared/keyring/client_access.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::client_app {

/// A client with its connection, and what is said about it: in the terminal, in the hash log and
/// at the end.
class Session {
 public:
  /// `io` must outlive it; `server` has at least one address. One sentence when there is no socket
  /// or no hash log.
  static base::Result<std::unique_ptr<Session>, std::string> create(
      net::Io& io, const Options& options, const std::vector<net::Address>& server,
      keyring::ClientAccess access);

  client::Client& client() { return *client_; }
  const client::Client& client() const { return *client_; }

  /// Call at least once per client tick.
  void update();
  /// For good: there is no server, or it does not play the scene that the options ask for.
  bool has_failed() const;
  /// A tick that was done again, for --sync-test, came out otherwise.
  bool has_found_difference() const;
  /// Begins anew where there was no server; false where that would change nothing.
  bool try_again();
  /// Why it has failed.
  std::string words() const;
  /// What the server last had to say, once.
  std::optional<std::string> take_notice();
  /// Since the world, and the scene that the options ask for, was there for the first time; 0
  /// before.
  double seconds_playing() const;

  /// Says goodbye and waits a moment until the server has heard it.
  void close();
  /// Ticks, round trip, bytes per second, snapshot age and the last hash, in one line.
  std::string summary() const;

 private:
  Session(net::Io& io, Options options, keyring::ClientAccess access)
      : io_(io), options_(std::move(options)), access_(std::move(access)) {}

  void meet_server();
  void ask_for_scene();
  void take_snapshot(const protocol::QuantizedSnapshot& snapshot);
  void write_hashes();
  void note_desync();

  net::Io& io_;
  Options options_;
  keyring::ClientAccess access_;
  std::unique_ptr<net::Transport> transport_;
  std::unique_ptr<client::Predictor> predictor_;  // these two outlive the client
  std::unique_ptr<prediction::LockstepPeer> engine_;
  std::unique_ptr<client::Client> client_;
  client::Status said_;
  std::optional<std::int64_t> playing_since_us_;
  bool is_scene_given_up_ = false, is_scene_there_ = false;
  std::optional<std::uint32_t> world_before_;  // what was there when another scene was asked for
  std::optional<std::string> notice_, refusal_;
  std::string hash_lines_;
  bool is_log_healthy_ = true, has_parted_ = false;
  std::uint64_t ticks_ = 0;
  state::Tick last_tick_;
  std::uint64_t last_hash_ = 0;
};

}  // namespace jostle::client_app
