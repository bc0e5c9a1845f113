#pragma once

#include "shared/journal/executor.h"
#include "shared/journal/files.h"
#include "shared/state/ids.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace jostle::journal {

/// The file of a state folder with the reconnect tokens of the players, so that clients return to
/// their players after a restart. It is not part of the journal, because recordings are shared and
/// the tokens are secret.
///
/// One line per change: `PLAYER TOKEN CHECKSUM`, in hexadecimal digits; token 0: the player has
/// left. Lines with a wrong checksum are ignored.
class PlayerLog {
 public:
  /// Reconnect tokens by player.
  using Tokens = std::map<state::PlayerId, std::uint64_t>;

  /// Reads the file; a missing file has no tokens.
  static base::Result<Tokens, FileError> read(Files& files, const std::string& path);

  /// `files` and `executor` must outlive this object.
  PlayerLog(Files& files, Executor& executor, std::string path, bool is_synced);
  /// Replaces the file by these tokens, and waits until it is written. Returns the error, or an
  /// empty text.
  std::string begin(const Tokens& tokens);
  /// Stores the token of a player. Call it before the journal receives the player's join, so that
  /// no durable player is without a token.
  void set(state::PlayerId player, std::uint64_t token);
  /// Removes the token of a player that has left.
  void remove(state::PlayerId player) { set(player, 0); }

 private:
  /// The part that the executor uses.
  struct Writer {
    Files& files;
    std::string path;
    bool is_synced = false;
    std::unique_ptr<AppendFile> file{};
    Tokens tokens{};
    std::size_t lines = 0;
    bool has_failed = false;
    int error = 0;

    void rewrite();
    void add(state::PlayerId player, std::uint64_t token);
    void fail(int number);
  };
  Executor& executor_;
  std::shared_ptr<Writer> writer_;
};

}  // namespace jostle::journal
