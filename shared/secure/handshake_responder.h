#pragma once

#include "shared/base/token_bucket.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/token_registry.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::secure {

/// The keys and rate limits of a server's end of the handshake.
struct ResponderOptions {
  AccessMode mode = AccessMode::Open;
  crypto::KeyPair key;
  /// The shared key; set if and only if the mode is SharedKey.
  std::optional<PreSharedKey> psk{};
  /// Sustained rates and bursts of the two token buckets, which limit the CPU time that
  /// unauthenticated peers can use. A key exchange takes as much CPU time as 400 cookies.
  double cookies_per_second = 20'000, cookie_burst = 2'000;
  double exchanges_per_second = 500, exchange_burst = 10;
};

/// The server's end of the handshake. It keeps no state per client.
///
/// A returned cookie proves that the client receives datagrams at its address. The key exchange and
/// the token prove that the client may join in the configured mode.
class HandshakeResponder {
 public:
  HandshakeResponder(const ResponderOptions& options, const crypto::FillRandom& fill_random);

  /// Returns the COOKIE that answers a HELLO, or nothing if the datagram is not a HELLO or the rate
  /// limit is reached. `address` is any byte string that identifies the sender's address.
  std::optional<std::vector<std::byte>> answer_hello(std::span<const std::byte> datagram,
                                                     std::span<const std::byte> address,
                                                     std::int64_t now_us);

  /// Returns the AUTH in the datagram if it has this handshake version and its cookie was made for
  /// this address in the current or previous time slot. Returns nothing otherwise.
  std::optional<Auth> check_cookie(std::span<const std::byte> datagram,
                                   std::span<const std::byte> address, std::int64_t now_us) const;

  /// A client that asks to join. It has proved that it holds the secret of `client` and, in mode
  /// SharedKey, the shared key.
  struct Candidate {
    crypto::PublicKey client{};
    std::vector<std::byte> token;  // the bytes as received; not yet checked
    NoiseResponder exchange;
  };
  /// Takes one key exchange from the token bucket. Returns false if the rate limit is reached.
  bool take_exchange(std::int64_t now_us) { return exchanges_.take(now_us); }
  /// Decrypts the first message of the key exchange. Returns nothing if the message was not made
  /// for this server's key, access mode and shared key, or does not contain a token field.
  std::optional<Candidate> read(const Auth& auth) const;

  /// The ACCEPT to send, and the session's keys.
  struct Answer {
    std::vector<std::byte> datagram;
    NoiseState::Keys keys;  // the session keys; used only if the client was admitted
  };
  /// Writes the second message of the exchange, with `text` as its payload. Returns nothing if one
  /// of the candidate's keys is a low-order point.
  std::optional<Answer> answer(Candidate& candidate, const Auth& auth, const AcceptText& text);

  const crypto::PublicKey& key() const { return options_.key.shown; }
  AccessMode mode() const { return options_.mode; }

 private:
  std::array<std::byte, mac_bytes> mac_of(std::span<const std::byte> address, std::uint64_t nonce,
                                          std::uint32_t slot) const;

  ResponderOptions options_;
  crypto::FillRandom fill_random_;
  crypto::Secret<32> cookie_secret_;
  base::TokenBucket cookies_, exchanges_;
};

}  // namespace jostle::secure
