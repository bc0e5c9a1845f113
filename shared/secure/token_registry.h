#pragma once

#include "shared/secure/admission.h"
#include "shared/secure/token.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace jostle::secure {

/// The server's knowledge about tokens: their issuer, which single-use tokens are used, and which
/// tokens were revoked.
///
/// A single-use token is reserved for the client's key while that client has a session, and bound
/// to it for good by spend(), when the server has welcomed the client. A client that is refused,
/// for example because the server is full, therefore leaves its token unused. The client of a spent
/// token may reconnect with it until the token expires. After the expiry, the client may still
/// reconnect while it has a session, and for `return_s` after its last connection. Times are Unix
/// times in seconds.
class TokenRegistry {
 public:
  /// Time in seconds after a client's last connection during which the client may reconnect
  /// although its token has expired.
  static constexpr std::int64_t return_s = 60;

  TokenRegistry(const crypto::Ed25519PublicKey& issuer, const crypto::PublicKey& server)
      : issuer_(issuer), server_(server) {}

  /// Returns Accepted if a client with the public key `client` may join with the encoded token
  /// `bytes`, or else the reason of the refusal.
  Admission check(std::span<const std::byte> bytes, const crypto::PublicKey& client,
                  std::int64_t now_s) const;
  /// Records that a session of a client begins with the token. Returns false if this single-use
  /// token is spent or reserved by another client's key, or if it was revoked. The caller must then
  /// close the connection.
  bool use(const Token& token, const crypto::PublicKey& client, std::int64_t now_s);
  /// Binds a single-use token to its client, which has a session, for good. Returns false if there
  /// is no such session.
  bool spend(const TokenId& id);
  /// Returns true if the token is bound to its client.
  bool is_spent(const TokenId& id) const;
  /// Records that a session of the token's client has ended. Does nothing for a reusable token.
  void leave(const TokenId& id, std::int64_t now_s);

  /// The use of a single-use token.
  struct Use {
    crypto::PublicKey client{};
    std::int64_t not_after_s = 0;
    // Unix time in seconds at which a session of the client last began or ended.
    std::int64_t last_here_s = 0;
    std::size_t sessions = 0;  // number of its current sessions
    bool is_spent = false;
  };
  /// Adds a use that was recorded in an earlier run of the server.
  void remember(const TokenId& id, const crypto::PublicKey& client, std::int64_t not_after_s);
  const std::map<TokenId, Use>& uses() const { return uses_; }
  void revoke(const TokenId& id) { revoked_.insert(id); }
  bool is_revoked(const TokenId& id) const { return revoked_.contains(id); }
  /// Removes uses that have no session and whose token has been unacceptable for more than a day. A
  /// token is unacceptable once it has expired and `return_s` have passed since its client's last
  /// connection.
  void forget_expired(std::int64_t now_s);

 private:
  void expect_expiry(const TokenId& id, const Use& use);
  crypto::Ed25519PublicKey issuer_;
  crypto::PublicKey server_;
  std::map<TokenId, Use> uses_;  // single-use tokens only
  std::set<TokenId> revoked_;
  // Times from which on a use may be removed, earliest first, so that nothing is searched. An entry
  // may be earlier than the use needs; it is then replaced.
  std::set<std::pair<std::int64_t, TokenId>> expiries_;
};

}  // namespace jostle::secure
