#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/net/security.h"
#include "shared/secure/token_book.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// What a server was told of who may come in.
struct AccessOptions {
  secure::AccessMode mode = secure::AccessMode::Open;
  std::string psk_path{};     // of mode SharedKey
  std::string keys_folder{};  // see keyring::server_keys; empty: a key that ends with the process
};

/// Who may come in, by the files of a folder: keys, tokens that were used and tokens that were
/// revoked. Keeps the files and the running server of one mind.
class Access {
 public:
  /// `io` outlives it. An error is one sentence.
  static base::Result<std::unique_ptr<Access>, std::string> create(net::Io& io,
                                                                   const AccessOptions& options);
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

  /// For the transport, which this must outlive.
  net::SecurityOptions security();
  /// The server's, where it is one that outlives the process.
  std::optional<crypto::PublicKey> shown_key() const;
  /// What people should know of it, a sentence each; nothing where everybody may come in and the
  /// key is nobody's concern.
  std::vector<std::string> words() const;
  /// To be called often: reads once a second which tokens were revoked.
  void advance();

 private:
  Access(net::Io& io, AccessOptions options) : io_(io), options_(std::move(options)) {}
  std::optional<std::string> read_keys();
  std::optional<std::string> read_tokens(const crypto::VerifyKey& issuer);
  bool keep_use(const secure::TokenId& id, const secure::TokenBook::Use& use);
  std::optional<std::string> read_revoked();

  net::Io& io_;
  AccessOptions options_;
  std::optional<secure::PreSharedKey> psk_;
  std::optional<crypto::KeyPair> key_;
  bool is_key_new_ = false;
  std::optional<secure::TokenBook> tokens_;
  std::int64_t revoked_read_us_ = 0;
  std::vector<std::byte> revoked_seen_;       // the file, as it was
  std::optional<std::string> revoked_fault_;  // why it could not be read, when last tried
};

}  // namespace jostle::server
