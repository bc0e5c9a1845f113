#pragma once

#include "server/rate_limited_log.h"
#include "server/token_gate.h"
#include "server/token_store.h"
#include "shared/base/result.h"
#include "shared/journal/executor.h"
#include "shared/net/io.h"
#include "shared/net/security.h"
#include "shared/secure/token_registry.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// Settings of AccessControl from the command line.
struct AccessOptions {
  secure::AccessMode mode = secure::AccessMode::Open;
  std::string psk_path{};  // used if mode is SharedKey
  // Folder of the keys (see keyring::server_keys). Empty: a temporary key that ends with the
  // process.
  std::string keys_folder{};
  // Names of the two settings in messages: options of the program, or fields of the C API.
  std::string psk_name = "--psk", keys_name = "--keys";
};

/// Access control of a server. Loads the keys, the used and the revoked tokens, and the pre-shared
/// key from files, and gives the transport the settings that decide which clients may connect.
/// Stores the use of each single-use token, notices tokens that are revoked while the server runs,
/// and logs the clients that are refused at the key exchange.
class AccessControl final : public TokenGate {
 public:
  /// Reads the keys, the tokens and the pre-shared key. Afterwards `executor` reads and writes the
  /// token lists; if it is null, the caller's thread does. `io` and `executor` must outlive the
  /// result. The error is one sentence.
  static base::Result<std::unique_ptr<AccessControl>, std::string> create(
      net::Io& io, const AccessOptions& options, journal::Executor* executor = nullptr);
  AccessControl(const AccessControl&) = delete;
  AccessControl& operator=(const AccessControl&) = delete;

  /// Returns the settings for the transport. This object must outlive the transport.
  net::SecurityOptions security();
  /// Returns the server's public key if it is stored in the key folder; null for a temporary key.
  std::optional<crypto::PublicKey> shown_key() const;
  /// Returns lines about access to print at start-up, one sentence each. Empty if the server is
  /// open and has only a temporary key.
  std::vector<std::string> startup_messages() const;
  /// Re-reads the file of revoked tokens if it has changed. Call it often: the file is checked at
  /// most once a second.
  void advance();
  Answer ask(const secure::TokenId& id, const crypto::PublicKey& client) override;

 private:
  AccessControl(net::Io& io, AccessOptions options) : io_(io), options_(std::move(options)) {}
  std::optional<std::string> read_keys();
  std::optional<std::string> read_tokens(const crypto::Ed25519PublicKey& issuer);
  void log_refused(const net::RefusedEntry& entry);

  net::Io& io_;
  AccessOptions options_;
  std::optional<secure::PreSharedKey> psk_;
  std::optional<crypto::KeyPair> key_;
  bool is_key_new_ = false;
  std::optional<secure::TokenRegistry> tokens_;
  std::int64_t revoked_read_us_ = 0;
  journal::Executor* executor_ = nullptr;
  std::optional<TokenStore> store_;
  std::map<secure::TokenId, TokenStore::Pending> asked_;  // uses that are being stored
  std::set<secure::TokenId> unsafe_;  // uses of an earlier run that may not be durable
  RateLimitedLog log_;
};

}  // namespace jostle::server
