#include "shared/secure/token_registry.h"

#include "shared/base/planted.h"

#include <algorithm>
#include <optional>

namespace jostle::secure {
namespace {

/// Time for which a use is remembered after its token has become unacceptable. It exceeds any usual
/// correction of a clock, so that a used token does not become valid again if the clock is turned
/// back.
constexpr std::int64_t kept_after_expiry_s = 86'400;

}  // namespace

Admission TokenRegistry::check(std::span<const std::byte> bytes, const crypto::PublicKey& client,
                               std::int64_t now_s) const {
  if (bytes.empty()) return Admission::TokenMissing;
  const std::optional<Token> token = decode_token(bytes);
  if (!token) return Admission::TokenUnreadable;
  // Cheap checks come before the signature.
  if (token->server != server_) return Admission::TokenForOtherServer;
  if (!is_genuine(bytes, issuer_)) return Admission::TokenForged;
  if (is_revoked(token->id)) return Admission::TokenRevoked;
  if (token->holder != crypto::PublicKey{} && token->holder != client)
    return Admission::TokenOfOtherClient;
  const bool has_expired = now_s > token->not_after_s;
  const auto use = uses_.find(token->id);
  if (use == uses_.end()) return has_expired ? Admission::TokenExpired : Admission::Accepted;
  if (use->second.client != client && !base::is_planted("token-spent-twice"))
    return Admission::TokenUsed;
  const bool may_return = use->second.sessions > 0 || now_s - use->second.last_here_s <= return_s;
  return !has_expired || may_return ? Admission::Accepted : Admission::TokenExpired;
}

bool TokenRegistry::use(const Token& token, const crypto::PublicKey& client, std::int64_t now_s) {
  if (is_revoked(token.id)) return false;
  if (token.is_reusable) return true;
  const auto [entry, is_first] =
      uses_.try_emplace(token.id, Use{.client = client, .not_after_s = token.not_after_s});
  Use& use = entry->second;
  if (use.client != client && !base::is_planted("token-spent-twice")) return false;
  if (base::is_planted("token-spent-early")) use.is_spent = true;
  use.last_here_s = now_s;
  ++use.sessions;
  if (is_first) expect_expiry(token.id, use);
  return true;
}

bool TokenRegistry::spend(const TokenId& id) {
  const auto use = uses_.find(id);
  if (use == uses_.end() || (use->second.sessions == 0 && !use->second.is_spent)) return false;
  use->second.is_spent = true;
  return true;
}

bool TokenRegistry::is_spent(const TokenId& id) const {
  const auto use = uses_.find(id);
  return use != uses_.end() && use->second.is_spent;
}

void TokenRegistry::leave(const TokenId& id, std::int64_t now_s) {
  const auto use = uses_.find(id);
  if (use == uses_.end()) return;
  use->second.last_here_s = now_s;
  if (use->second.sessions > 0) --use->second.sessions;
  // The client was never welcomed, so the token is free again.
  if (use->second.sessions == 0 && !use->second.is_spent) uses_.erase(use);
}

void TokenRegistry::remember(const TokenId& id, const crypto::PublicKey& client,
                             std::int64_t not_after_s) {
  Use& use = uses_[id];
  use.client = client;
  use.not_after_s = not_after_s;
  use.is_spent = true;
  expect_expiry(id, use);
}

void TokenRegistry::expect_expiry(const TokenId& id, const Use& use) {
  const std::int64_t needed_until_s = std::max(use.not_after_s, use.last_here_s + return_s);
  expiries_.emplace(needed_until_s + kept_after_expiry_s, id);
}

void TokenRegistry::forget_expired(std::int64_t now_s) {
  // A use with a session is looked at again after this time.
  constexpr std::int64_t later_s = 3'600;
  while (!expiries_.empty() && expiries_.begin()->first < now_s) {
    const TokenId id = expiries_.extract(expiries_.begin()).value().second;
    const auto use = uses_.find(id);
    if (use == uses_.end()) continue;
    const std::int64_t needed_until_s =
        std::max(use->second.not_after_s, use->second.last_here_s + return_s) + kept_after_expiry_s;
    if (use->second.sessions > 0) {
      expiries_.emplace(std::max(needed_until_s, now_s + later_s), id);
    } else if (needed_until_s >= now_s) {
      expiries_.emplace(needed_until_s, id);
    } else {
      uses_.erase(use);
    }
  }
}

}  // namespace jostle::secure
