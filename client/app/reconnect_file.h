#pragma once

#include "shared/net/io.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace jostle::client_app {

/// A file that keeps the reconnect token of a player, so that a viewer that is started again after
/// a crash continues as the same player. A running viewer locks its file: viewers that run at the
/// same time have different files and are different players. The token is a secret, so only the
/// file's owner may read it.
class ReconnectFile {
 public:
  /// Maximum number of viewers per server that keep their tokens at the same time.
  static constexpr int most_files = 8;

  /// Locks a file for `server` (HOST:PORT) in `folder`, preferably one with a token. If `folder` is
  /// empty or no file can be locked, no token is kept. `io` must outlive this object.
  ReconnectFile(net::Io& io, const std::string& folder, const std::string& server);

  /// Returns the token in the file; 0 if there is none.
  std::uint64_t token() const { return token_; }
  /// Stores a token, unless it is stored already. 0 removes the token: the player has left.
  /// Errors are logged once.
  void keep(std::uint64_t token);

 private:
  bool lock(net::Io& io, const std::string& path);

  std::string path_;
  std::unique_ptr<net::OutputFile> file_;  // null: no token is kept
  std::uint64_t token_ = 0;
  std::size_t lines_ = 0;  // written by this object
};

}  // namespace jostle::client_app
