#pragma once

#include "shared/secure/handshake_wire.h"
#include "shared/secure/refusal.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::secure {

/// What a client comes with.
struct DialOptions {
  crypto::KeyPair own;                        // the same for all its connections
  std::optional<crypto::PublicKey> server{};  // the one that it wants; nothing: whichever answers
  std::string server_source{};                // where that key is from, for people
  std::optional<PreSharedKey> psk{};
  std::vector<std::byte> token{};  // empty: none
};

/// The client's end of the handshake, with one server.
///
///   Greeting --Cookie--> Proving --Accept--> Admitted
///       ^                   |
///       +-- 5 s unanswered -+
///
/// Anybody who sees the HELLO can answer it, and faster than the server. So a cookie that cannot do
/// is believed, Refused, when for half a second none has come that can; and each of several that
/// can is proven to. What the server itself says, under its key, is final.
class Dialer {
 public:
  enum class State : std::uint8_t { Greeting, Proving, Admitted, Refused };

  Dialer(DialOptions options, crypto::FillRandom fill_random);

  /// A datagram that is to be sent now, or nothing. What is not answered is sent again.
  std::optional<std::vector<std::byte>> next_datagram(std::int64_t now_us);
  /// Something that came from the server's address, or from anybody who pretends so.
  void take(std::span<const std::byte> datagram, std::int64_t now_us);

  State state() const { return state_; }
  const DialOptions& options() const { return options_; }
  /// Refused: what the server does ("asks for a token (--token)"), for people; else what may be the
  /// matter when nothing comes of it.
  const std::string& words() const { return words_; }
  /// The kind of it; None unless Refused.
  Refusal refusal() const { return refusal_; }

  struct Session {
    std::uint32_t number = 0;
    NoiseState::Keys keys;
    Role role = Role::Spectator;
    std::uint64_t client = 0;
    crypto::PublicKey server{};
  };
  /// Of Admitted.
  const Session& session() const { return *session_; }
  /// The server's key, as it says: of another than the wanted one when that is why it is Refused.
  const std::optional<crypto::PublicKey>& server_key() const { return server_key_; }

 private:
  /// The answer to one cookie.
  struct Proof {
    Cookie cookie;
    NoiseInitiator exchange;
    std::vector<std::byte> auth;
    std::optional<std::int64_t> sent_us{};
  };

  void greet();
  std::optional<std::vector<std::byte>> next_proof(std::int64_t now_us);
  void take_cookie(const Cookie& cookie, std::int64_t now_us);
  struct Fault {
    Refusal kind = Refusal::None;
    std::string words{};
  };
  /// Why it is of no use; None where it can do.
  Fault fault_of(const Cookie& cookie) const;
  void prove_to(const Cookie& cookie, std::int64_t now_us);
  void take_accept(const Accept& accept);
  void refuse(Fault fault);

  DialOptions options_;
  crypto::FillRandom fill_random_;
  State state_ = State::Greeting;
  std::string words_;
  Refusal refusal_ = Refusal::None;
  std::uint64_t nonce_ = 0;
  std::optional<std::int64_t> sent_us_;
  std::int64_t proving_since_us_ = 0;
  std::vector<Proof> proofs_;
  /// Of the first cookie that was of no use, and when it came.
  Fault fault_;
  std::int64_t fault_us_ = 0;
  std::optional<crypto::PublicKey> server_key_;
  std::optional<Session> session_;
};

}  // namespace jostle::secure
