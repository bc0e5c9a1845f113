#pragma once

#include "shared/secure/admission.h"
#include "shared/secure/token.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace jostle::secure {

/// What a server knows of tokens: who issues them, which are spent and which were revoked.
///
/// A token that lets in once belongs from then on to the client's key that came with it. That
/// client may come back with it, when its connection broke: until it expires, and also then while
/// no more than `return_s` have passed since it was here. Times are Unix times, s.
class TokenBook {
 public:
  static constexpr std::int64_t return_s = 60;

  TokenBook(const crypto::VerifyKey& issuer, const crypto::PublicKey& server)
      : issuer_(issuer), server_(server) {}

  /// Whether a client with this key may come in by it.
  Admission check(std::span<const std::byte> bytes, const crypto::PublicKey& client,
                  std::int64_t now_s) const;
  /// A client has come in by it; false when another was faster: it may not stay.
  bool use(const Token& token, const crypto::PublicKey& client, std::int64_t now_s);
  /// It has left.
  void leave(const TokenId& id, std::int64_t now_s);

  struct Use {
    crypto::PublicKey client{};
    std::int64_t not_after_s = 0;
    std::int64_t last_here_s = 0;
    std::size_t sessions = 0;  // that it holds now
  };
  /// Of an earlier run.
  void remember(const TokenId& id, const crypto::PublicKey& client, std::int64_t not_after_s);
  const std::map<TokenId, Use>& uses() const { return uses_; }
  /// Called when a token that lets in once is used for the first time, to keep that for later runs.
  /// False: it could not be kept, or is known there as another client's; nobody comes in by it.
  using KeepUse = std::function<bool(const TokenId& id, const Use& use)>;
  void set_keeper(KeepUse keep) { keep_use_ = std::move(keep); }
  void revoke(const TokenId& id) { revoked_.insert(id); }
  bool is_revoked(const TokenId& id) const { return revoked_.contains(id); }
  /// Forgets the uses of what has expired long ago: a clock that is set back revives none.
  void forget_expired(std::int64_t now_s);

 private:
  crypto::VerifyKey issuer_;
  crypto::PublicKey server_;
  std::map<TokenId, Use> uses_;  // of those that let in once
  std::set<TokenId> revoked_;
  KeepUse keep_use_;
};

}  // namespace jostle::secure
