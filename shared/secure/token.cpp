#include "shared/secure/token.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"
#include "shared/crypto/encode.h"

#include <algorithm>
#include <iterator>

namespace jostle::secure {
namespace {

constexpr std::uint8_t token_version = 1;
constexpr std::string_view text_head = "jostle-token-1.";
/// Prefix of the signed text (domain separation): no other signature of this project can be
/// mistaken for a token's.
constexpr std::string_view signing_context = "jostle token";

std::vector<std::byte> signed_text(std::span<const std::byte> body) {
  const auto context = std::as_bytes(std::span(signing_context));
  std::vector<std::byte> text(context.begin(), context.end());
  text.insert(text.end(), body.begin(), body.end());
  return text;
}

}  // namespace

std::string_view describe(Role role) {
  switch (role) {
    case Role::Spectator:
      return "spectator";
    case Role::Player:
      return "player";
    case Role::Operator:
      return "operator";
  }
  return "unknown role";
}

std::optional<Role> parse_role(std::string_view text) {
  for (const Role role : {Role::Spectator, Role::Player, Role::Operator})
    if (text == describe(role)) return role;
  return std::nullopt;
}

std::vector<std::byte> encode_token(const Token& token, const crypto::Ed25519Seed& issuer) {
  base::ByteWriter writer;
  writer.u8(token_version);
  writer.raw(token.id);
  writer.u64(token.client);
  writer.u8(static_cast<std::uint8_t>(token.role));
  writer.boolean(token.is_reusable);
  writer.raw(token.server);
  writer.i64(token.not_after_s);
  writer.raw(token.holder);
  writer.raw(crypto::sign(issuer, signed_text(writer.bytes())));
  JOSTLE_ASSERT(writer.size() == token_bytes);
  return writer.take();
}

std::optional<Token> decode_token(std::span<const std::byte> bytes) {
  if (bytes.size() != token_bytes) return std::nullopt;
  base::ByteReader reader(bytes);
  if (reader.u8() != token_version) return std::nullopt;
  Token token;
  reader.read(token.id);
  token.client = reader.u64();
  const std::uint8_t role = reader.u8();
  if (role > static_cast<std::uint8_t>(Role::Operator)) return std::nullopt;
  token.role = static_cast<Role>(role);
  token.is_reusable = reader.boolean();
  reader.read(token.server);
  token.not_after_s = reader.i64();
  reader.read(token.holder);
  if (!reader.ok()) return std::nullopt;
  return token;
}

bool is_genuine(std::span<const std::byte> bytes, const crypto::Ed25519PublicKey& issuer) {
  if (bytes.size() != token_bytes) return false;
  const std::size_t body_bytes = token_bytes - crypto::signature_bytes;
  crypto::Signature signature;
  const auto tail = bytes.subspan(body_bytes);
  std::copy(tail.begin(), tail.end(), signature.begin());
  return crypto::verify_signature(issuer, signed_text(bytes.first(body_bytes)), signature);
}

std::string token_text(std::span<const std::byte> bytes) {
  return std::string(text_head) + crypto::to_base64(bytes);
}

std::optional<std::vector<std::byte>> parse_token_text(std::string_view text) {
  if (!text.starts_with(text_head)) return std::nullopt;
  auto bytes = crypto::from_base64(text.substr(text_head.size()));
  if (!bytes || !decode_token(*bytes)) return std::nullopt;
  return bytes;
}

std::string_view token_text_fault(std::string_view text) {
  return text.starts_with(text_head) ? "the token is truncated or mistyped"
                                     : "not a token: a token begins with 'jostle-token-1.'";
}

std::string to_string(const TokenId& id) {
  return crypto::to_base64(id);
}

std::optional<TokenId> parse_token_id(std::string_view text) {
  const auto bytes = crypto::from_base64(text);
  TokenId id{};
  if (!bytes || bytes->size() != id.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), id.begin());
  return id;
}

}  // namespace jostle::secure
