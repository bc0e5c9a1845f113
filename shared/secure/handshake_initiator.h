#pragma once

#include "shared/secure/admission.h"
#include "shared/secure/credential_names.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/refusal.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::secure {

/// The credentials of a client, and the server key that it expects.
struct InitiatorOptions {
  crypto::KeyPair own;  // the client's long-term key pair, used for all its connections
  // the expected key; if empty, that of the server that `token` names, or any key without a token
  std::optional<crypto::PublicKey> server{};
  std::string server_source{};  // a clause for error messages that says where `server` was read
  std::optional<PreSharedKey> psk{};
  std::vector<std::byte> token{};  // the bytes of a token; empty if the client has none
  CredentialNames names{};         // for error messages
};

/// The client's end of the handshake with one server.
///
///   Greeting --Cookie--> Proving --Accept--> Admitted
///       ^                   |
///       +-- 5 s unanswered -+
///
/// An attacker that sees the HELLO can send a forged cookie, and do so before the server answers.
/// The initiator therefore does not give up on an unacceptable cookie at once. It enters Refused if
/// no acceptable one arrives within 500 ms, and at least two cookies have had the same fault,
/// because the network may have damaged a single one. It answers up to four acceptable cookies, and
/// only the genuine server can complete the exchange. A refusal in an ACCEPT is authenticated by
/// the server's key and therefore final.
class HandshakeInitiator {
 public:
  enum class State : std::uint8_t { Greeting, Proving, Admitted, Refused };

  HandshakeInitiator(InitiatorOptions options, crypto::FillRandom fill_random);

  /// Returns the datagram to send now, or nothing if none is due. Unanswered datagrams are sent
  /// again every 250 ms.
  std::optional<std::vector<std::byte>> next_datagram(std::int64_t now_us);
  /// Processes a datagram that names the server's address as its source. The address may be forged.
  void take(std::span<const std::byte> datagram, std::int64_t now_us);

  State state() const { return state_; }
  const InitiatorOptions& options() const { return options_; }
  /// Returns a clause for users. In state Refused the clause says why, with the server as its
  /// subject ("requires a token; give one with --token"). In other states the clause names the
  /// likely cause if the handshake does not complete, and may be empty.
  const std::string& text() const { return words_; }
  /// Returns the kind of refusal, or None unless the state is Refused.
  Refusal refusal() const { return refusal_; }

  /// The result of a completed handshake.
  struct Session {
    std::uint32_t number = 0;
    NoiseState::Keys keys;
    Role role = Role::Spectator;
    std::uint64_t client = 0;
    crypto::PublicKey server{};
  };
  /// Returns the session. The state must be Admitted.
  const Session& session() const { return *session_; }
  /// Returns the key that the server claims, or nothing if no cookie has arrived. If the initiator
  /// was refused because the key is not the expected one, this is the unexpected key.
  const std::optional<crypto::PublicKey>& server_key() const { return server_key_; }

 private:
  /// The AUTH that answers one cookie, and the state of its key exchange.
  struct Proof {
    Cookie cookie;
    NoiseInitiator exchange;
    std::vector<std::byte> auth;
    std::optional<std::int64_t> sent_us{};
  };

  std::string hint_for(Admission admission) const;
  void greet();
  std::optional<std::vector<std::byte>> next_proof(std::int64_t now_us);
  void handle_cookie(const Cookie& cookie, std::int64_t now_us);
  struct Fault {
    Refusal kind = Refusal::None;
    std::string text{};
  };
  /// Returns why a cookie is unacceptable, or a Fault of kind None if it is acceptable.
  Fault fault_of(const Cookie& cookie) const;
  void prove_to(const Cookie& cookie, std::int64_t now_us);
  void handle_accept(const Accept& accept);
  void refuse(Fault fault);

  InitiatorOptions options_;
  crypto::FillRandom fill_random_;
  State state_ = State::Greeting;
  std::string words_;
  Refusal refusal_ = Refusal::None;
  std::uint64_t nonce_ = 0;
  std::optional<std::int64_t> sent_us_;
  std::int64_t auth_repeat_us_ = 0;  // 0: not known yet
  std::int64_t proving_since_us_ = 0;
  std::vector<Proof> proofs_;
  /// The fault of the newest unacceptable cookies, their number, and the time at which the first
  /// unacceptable cookie arrived.
  Fault fault_;
  int fault_count_ = 0;
  std::int64_t fault_us_ = 0;
  std::optional<crypto::PublicKey> server_key_;
  std::optional<Session> session_;
};

}  // namespace jostle::secure
