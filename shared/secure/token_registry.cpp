#include "shared/secure/token_registry.h"

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
  if (use->second.client != client) return Admission::TokenUsed;
  const bool may_return = use->second.sessions > 0 || now_s - use->second.last_here_s <= return_s;
  return !has_expired || may_return ? Admission::Accepted : Admission::TokenExpired;
}

bool TokenRegistry::use(const Token& token, const crypto::PublicKey& client, std::int64_t now_s) {
  if (is_revoked(token.id)) return false;
  if (token.is_reusable) return true;
  const auto [entry, is_first] =
      uses_.try_emplace(token.id, Use{.client = client, .not_after_s = token.not_after_s});
  Use& use = entry->second;
  if (use.client != client) return false;
  if (is_first && keep_use_ && !keep_use_(token.id, use)) {
    uses_.erase(entry);
    return false;
  }
  use.last_here_s = now_s;
  ++use.sessions;
  return true;
}

void TokenRegistry::leave(const TokenId& id, std::int64_t now_s) {
  const auto use = uses_.find(id);
  if (use == uses_.end()) return;
  use->second.last_here_s = now_s;
  if (use->second.sessions > 0) --use->second.sessions;
}

void TokenRegistry::remember(const TokenId& id, const crypto::PublicKey& client,
                             std::int64_t not_after_s) {
  uses_[id] = {.client = client, .not_after_s = not_after_s};
}

void TokenRegistry::forget_expired(std::int64_t now_s) {
  std::erase_if(uses_, [now_s](const auto& entry) {
    const Use& use = entry.second;
    const std::int64_t needed_until_s = std::max(use.not_after_s, use.last_here_s + return_s);
    return use.sessions == 0 && now_s - kept_after_expiry_s > needed_until_s;
  });
}

}  // namespace jostle::secure
