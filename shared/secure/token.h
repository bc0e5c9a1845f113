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

/// The rights of a client. Each role includes the rights of the roles before it.
enum class Role : std::uint8_t { Spectator = 0, Player = 1, Operator = 2 };
std::string_view describe(Role role);
std::optional<Role> parse_role(std::string_view text);

using TokenId = std::array<std::byte, 16>;

/// A credential that the issuer signs and that admits its holder to one server.
struct Token {
  TokenId id{};              // random and unique
  std::uint64_t client = 0;  // the client's id, assigned by the issuer
  Role role = Role::Player;
  // True if the token can be used any number of times until it expires. Otherwise it is single-use.
  bool is_reusable = false;
  crypto::PublicKey server{};  // the public key of the only server that accepts it
  /// Unix time in seconds after which the token is invalid.
  std::int64_t not_after_s = 0;
  /// The public key of the client that may use the token; zeros if any client may.
  crypto::PublicKey holder{};
};

/// Size of an encoded token, in bytes, including its signature.
inline constexpr std::size_t token_bytes =
    1 + 16 + 8 + 1 + 1 + 32 + 8 + 32 + crypto::signature_bytes;

/// Returns the token's encoding, signed by the issuer.
std::vector<std::byte> encode_token(const Token& token, const crypto::Ed25519Seed& issuer);

/// Returns the token in these bytes, or nothing if they do not have its layout. Does not check the
/// signature; see is_genuine().
std::optional<Token> decode_token(std::span<const std::byte> bytes);
/// Returns true if the bytes carry a valid signature of this issuer.
bool is_genuine(std::span<const std::byte> bytes, const crypto::Ed25519PublicKey& issuer);

/// Returns the token as text for users: "jostle-token-1." followed by base64.
std::string token_text(std::span<const std::byte> bytes);
/// Returns the bytes of a token from its text, or nothing if the text is not a token.
std::optional<std::vector<std::byte>> parse_token_text(std::string_view text);
/// Returns a clause for users that says why `text`, which is not a token, was rejected.
std::string_view token_text_fault(std::string_view text);

std::string to_string(const TokenId& id);
std::optional<TokenId> parse_token_id(std::string_view text);

}  // namespace jostle::secure
