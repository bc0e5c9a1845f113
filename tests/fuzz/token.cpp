// Fuzzes tokens: as text, as bytes, and with valid signatures over arbitrary bodies.
#include "shared/base/assert.h"
#include "shared/crypto/encode.h"
#include "shared/secure/token_registry.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/secure/seeded_random.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace jostle::secure::fuzz_token {
namespace {

using fuzz::FuzzInput;
using Bytes = std::vector<std::byte>;

constexpr std::size_t body_bytes = token_bytes - crypto::signature_bytes;

struct Keys {
  crypto::Ed25519Seed issuer = crypto::random_secret<32>(seeded(1));
  crypto::Ed25519PublicKey shown = crypto::verify_key(issuer);
  crypto::PublicKey server = crypto::key_pair(seeded(2)).shown;
  crypto::PublicKey clients[3] = {crypto::key_pair(seeded(3)).shown,
                                  crypto::key_pair(seeded(4)).shown,
                                  crypto::key_pair(seeded(5)).shown};
};
const Keys& keys() {
  static const Keys made;
  return made;
}

/// Returns a token with any body and a valid signature of the issuer.
Bytes signed_body(std::span<const std::byte> body) {
  constexpr std::string_view context = "jostle token";
  Bytes text = fuzz::copy_of(std::as_bytes(std::span(context)));
  text.insert(text.end(), body.begin(), body.end());
  Bytes bytes = fuzz::copy_of(body);
  const crypto::Signature signature = crypto::sign(keys().issuer, text);
  bytes.insert(bytes.end(), signature.begin(), signature.end());
  return bytes;
}

/// Checks that an accepted text is the only text that encodes its bytes.
void read_text(std::string_view text) {
  const auto bytes = parse_token_text(text);
  if (!bytes) return;
  JOSTLE_ASSERT(decode_token(*bytes));
  JOSTLE_ASSERT(token_text(*bytes) == text);
}

/// Checks that encoding the bytes of an accepted base64 text yields this text.
void read_base64(std::string_view text) {
  const auto bytes = crypto::from_base64(text);
  if (bytes) JOSTLE_ASSERT(crypto::to_base64(*bytes) == text);
}

/// Checks the verdict on arbitrary bytes, which have no valid signature.
void read_bytes(std::span<const std::byte> bytes) {
  const TokenRegistry book(keys().shown, keys().server);
  const Admission shown = book.check(bytes, keys().clients[0], 0);
  const auto token = decode_token(bytes);
  if (bytes.empty()) {
    JOSTLE_ASSERT(shown == Admission::TokenMissing);
  } else if (!token) {
    JOSTLE_ASSERT(shown == Admission::TokenUnreadable);
  } else {
    JOSTLE_ASSERT(shown == (token->server == keys().server ? Admission::TokenForged
                                                           : Admission::TokenForOtherServer));
    const auto again = encode_token(*token, keys().issuer);
    JOSTLE_ASSERT(std::equal(again.begin(), again.begin() + body_bytes, bytes.begin()));
    JOSTLE_ASSERT(parse_token_text(token_text(bytes)) == fuzz::copy_of(bytes));
  }
}

/// The documented rules of TokenRegistry, as a model for the one token of a run.
struct Model {
  std::optional<std::size_t> client{};  // the client that the token is bound to
  std::size_t sessions = 0;
  std::int64_t last_here_s = 0;
  bool is_revoked = false;

  Admission check(const Token& token, std::size_t who, std::int64_t now_s) const {
    if (token.server != keys().server) return Admission::TokenForOtherServer;
    if (is_revoked) return Admission::TokenRevoked;
    if (token.holder != crypto::PublicKey{} && token.holder != keys().clients[who])
      return Admission::TokenOfOtherClient;
    const bool is_over = now_s > token.not_after_s;
    if (!client) return is_over ? Admission::TokenExpired : Admission::Accepted;
    if (*client != who) return Admission::TokenUsed;
    const bool may_return = sessions > 0 || now_s - last_here_s <= TokenRegistry::return_s;
    return is_over && !may_return ? Admission::TokenExpired : Admission::Accepted;
  }
};

/// Checks, uses, releases and revokes a validly signed token with an arbitrary body, in an
/// arbitrary order.
void play_book(FuzzInput& input) {
  Bytes body = fuzz::copy_of(input.bytes(body_bytes));
  body.resize(body_bytes);
  // Set values that a fuzzer rarely guesses: the version, the server's key, a client's key.
  const std::uint8_t help = input.u8();
  if ((help & 1) != 0) body[0] = std::byte{1};
  if ((help & 2) != 0) std::ranges::copy(keys().server, body.begin() + 27);
  if ((help & 4) != 0) std::ranges::copy(keys().clients[1], body.begin() + 67);
  if ((help & 8) != 0) std::fill(body.begin() + 67, body.end(), std::byte{0});
  const Bytes bytes = signed_body(body);
  const auto token = decode_token(bytes);
  TokenRegistry book(keys().shown, keys().server);
  if (!token) {
    JOSTLE_ASSERT(book.check(bytes, keys().clients[0], 0) == Admission::TokenUnreadable);
    return;
  }
  JOSTLE_ASSERT(is_genuine(bytes, keys().shown));
  JOSTLE_ASSERT(encode_token(*token, keys().issuer) == bytes);

  Model model;
  std::int64_t now_s = 1'000;
  for (int step = 0; step < 12 && !input.is_empty(); ++step) {
    const std::size_t who = input.choice(3);
    const crypto::PublicKey& client = keys().clients[who];
    const Admission expected = model.check(*token, who, now_s);
    JOSTLE_ASSERT(book.check(bytes, client, now_s) == expected);
    switch (input.choice(6)) {
      case 0:
        if (expected == Admission::Accepted) {
          JOSTLE_ASSERT(book.use(*token, client, now_s));
          if (token->is_reusable) break;
          JOSTLE_ASSERT(book.spend(token->id));
          model.client = who;
          ++model.sessions;
          model.last_here_s = now_s;
        }
        break;
      case 1:
        book.leave(token->id, now_s);
        if (model.client) model.last_here_s = now_s;
        if (model.sessions > 0) --model.sessions;
        break;
      case 2:
        now_s += input.u16();
        break;
      case 3:
        book.revoke(token->id);
        model.is_revoked = true;
        break;
      case 4:
        // Move the clock near the token's expiry.
        if (token->not_after_s > now_s && token->not_after_s < (std::int64_t{1} << 40))
          now_s = token->not_after_s + input.choice(3) - 1;
        break;
      case 5: {
        const bool was_used = book.uses().contains(token->id);
        book.forget_expired(now_s);
        // The registry may forget only the uses of tokens that cannot admit a client again.
        if (was_used && !book.uses().contains(token->id)) {
          JOSTLE_ASSERT(model.sessions == 0 && now_s > token->not_after_s);
          model.client.reset();
        }
        break;
      }
    }
  }
  Bytes flipped = bytes;
  const std::size_t bit = input.u16() % (flipped.size() * 8);
  flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
  JOSTLE_ASSERT(!is_genuine(flipped, keys().shown));
}

}  // namespace

JOSTLE_FUZZ_TARGET(token, data, size) {
  fuzz::FuzzInput input(data, size);
  const std::size_t kind = input.choice(8);
  const bool is_long_enough = input.boolean();
  if (kind == 0) {
    play_book(input);
    return 0;
  }
  std::vector<std::byte> bytes = fuzz::copy_of(input.rest());
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (kind < 3) {
    read_base64(text);
  } else if (kind < 6) {
    read_text(is_long_enough ? "jostle-token-1." + std::string(text) : std::string(text));
  } else {
    if (is_long_enough) bytes.resize(token_bytes);
    read_bytes(bytes);
  }
  return 0;
}

}  // namespace jostle::secure::fuzz_token
