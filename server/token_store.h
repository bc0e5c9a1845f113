#pragma once

#include "shared/journal/executor.h"
#include "shared/keyring/token_files.h"
#include "shared/net/io.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// The token lists of a key folder, read and written by an executor, because a list may have
/// 100,000 lines and the disk may stall. Several servers may share the folder: a lock file makes
/// the use of a token atomic between them.
class TokenStore {
 public:
  /// `io` and `executor` must outlive this object. Without an executor, the functions wait for the
  /// disk.
  TokenStore(net::Io& io, std::string folder, journal::Executor* executor);

  /// Reads the list at the start of a server, adds its uses to `tokens`, without expired ones, and
  /// writes the list again: the server before may have left uses that could not be synced. Returns
  /// the uses that may not be durable because the list could not be written; store() them before
  /// their clients are welcomed. The error says why the list cannot be read. Waits for the disk.
  base::Result<std::set<secure::TokenId>, std::string> begin(secure::TokenRegistry& tokens);

  /// Answer to a use, which arrives later.
  enum class Answer : std::uint8_t { Waiting, Stored, Refused };
  using Pending = std::shared_ptr<std::atomic<Answer>>;
  /// Stores the use of a token. It is refused if the list has another client's use of the token, or
  /// cannot be read or written.
  Pending store(const keyring::UsedToken& token);

  /// Begins to read the list of revoked tokens again.
  void read_revoked();
  /// Returns the list of revoked tokens if it has changed since the last call.
  std::optional<std::set<secure::TokenId>> take_revoked();

 private:
  /// The part that the executor uses.
  struct Disk {
    net::Io& io;
    std::string folder;
    keyring::SeenTokens seen{};
    std::map<secure::TokenId, keyring::UsedToken> used{};
    // Uses that another process has written; its sync may have failed.
    std::set<secure::TokenId> doubtful{};
    // An append has failed: what it left in the file is unknown, and the next sync of the file
    // would prove nothing.
    bool is_damaged = false;
    std::vector<std::byte> revoked_seen{};
    std::optional<std::string> revoked_fault{};  // why the last attempt to read failed
    std::mutex mutex{};
    std::optional<std::set<secure::TokenId>> revoked{};  // guarded by the mutex

    std::unique_ptr<net::OutputFile> lock();
    bool store(const keyring::UsedToken& token);
    base::Result<base::Ok, std::string> write(const keyring::UsedToken& token);
    void read_revoked();
  };
  template <typename Job>
  bool run(Job&& job);

  journal::Executor* executor_;
  std::shared_ptr<Disk> disk_;
};

}  // namespace jostle::server
