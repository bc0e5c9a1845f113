#pragma once

#include "shared/crypto/ed25519.h"
#include "shared/crypto/x25519.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::secure {

/// What a client may do: each may what those before it may.
enum class Role : std::uint8_t { Spectator = 0, Player = 1, Operator = 2 };
std::string_view describe(Role role);
std::optional<Role> parse_role(std::string_view text);

using TokenId = std::array<std::byte, 16>;

/// Lets a client in: who issued it trusts whoever shows it.
struct Token {
  TokenId id{};              // random; nobody has the same
  std::uint64_t client = 0;  // as the issuer names it
  Role role = Role::Player;
  bool is_reusable = false;      // until it expires; else it lets in once
  crypto::PublicKey server{};    // it is for the server with this key alone
  std::int64_t not_after_s = 0;  // Unix time
  /// The client's key, when only who has its secret may show the token; zeros: anybody.
  crypto::PublicKey holder{};
};

inline constexpr std::size_t token_bytes =
    1 + 16 + 8 + 1 + 1 + 32 + 8 + 32 + crypto::signature_bytes;

std::vector<std::byte> encode_token(const Token& token, const crypto::SigningSeed& issuer);

/// The token, if these bytes have the form of one. Whether it is worth anything says is_genuine().
std::optional<Token> decode_token(std::span<const std::byte> bytes);
/// Whether this issuer has signed the bytes of a token.
bool is_genuine(std::span<const std::byte> bytes, const crypto::VerifyKey& issuer);

/// As people pass it on: "jostle-token-1." and base64.
std::string token_text(std::span<const std::byte> bytes);
/// The bytes of a token, or nothing when the text is none.
std::optional<std::vector<std::byte>> parse_token_text(std::string_view text);

std::string to_string(const TokenId& id);
std::optional<TokenId> parse_token_id(std::string_view text);

}  // namespace jostle::secure
