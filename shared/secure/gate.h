#pragma once

#include "shared/base/allowance.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/token_book.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::secure {

/// What a server lets in by.
struct GateOptions {
  AccessMode mode = AccessMode::Open;
  crypto::KeyPair key;
  std::optional<PreSharedKey> psk{};  // of SharedKey
  /// What it answers in the long run, and at once: an exchange takes what 400 cookies take.
  double cookies_per_second = 20'000, cookie_burst = 2'000;
  double exchanges_per_second = 500, exchange_burst = 10;
};

/// The server's end of the handshake. Keeps nothing of anybody: who has shown a cookie of the gate
/// receives what is sent to his address, and who is admitted has shown what the mode asks for.
class Gate {
 public:
  Gate(const GateOptions& options, const crypto::FillRandom& fill_random);

  /// The answer to a HELLO from an address, given as any bytes that stand for it; nothing when it
  /// is none, or too many have come.
  std::optional<std::vector<std::byte>> answer_hello(std::span<const std::byte> datagram,
                                                     std::span<const std::byte> address,
                                                     std::int64_t now_us);

  /// An AUTH with a cookie that was made for this address, lately; nothing else.
  std::optional<Auth> check_cookie(std::span<const std::byte> datagram,
                                   std::span<const std::byte> address, std::int64_t now_us) const;

  /// Who asks to come in: he has the keys that he shows, and in mode SharedKey the common one.
  struct Candidate {
    crypto::PublicKey client{};
    std::vector<std::byte> token;  // as it came
    NoiseResponder exchange;
  };
  /// Whether there is time for another exchange now; then it is used.
  bool take_exchange(std::int64_t now_us) { return exchanges_.take(now_us); }
  /// Nothing when the message was not made for this server and mode.
  std::optional<Candidate> read(const Auth& auth) const;

  struct Answer {
    std::vector<std::byte> datagram;
    NoiseState::Keys keys;  // of the session, if he was admitted
  };
  /// Nothing when the candidate's keys are none.
  std::optional<Answer> answer(Candidate& candidate, const Auth& auth, const AcceptText& text);

  const crypto::PublicKey& key() const { return options_.key.shown; }
  AccessMode mode() const { return options_.mode; }

 private:
  std::array<std::byte, mac_bytes> mac_of(std::span<const std::byte> address, std::uint64_t nonce,
                                          std::uint32_t slot) const;

  GateOptions options_;
  crypto::FillRandom fill_random_;
  crypto::Secret<32> cookie_secret_;
  base::Allowance cookies_, exchanges_;
};

}  // namespace jostle::secure
