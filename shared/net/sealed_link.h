#pragma once

#include "shared/net/address_limits.h"
#include "shared/net/enet_firewall.h"
#include "shared/net/handshake_queue.h"
#include "shared/net/io.h"
#include "shared/net/path_validation.h"
#include "shared/net/peer_identity.h"
#include "shared/net/security.h"
#include "shared/net/transport.h"
#include "shared/secure/handshake_initiator.h"
#include "shared/secure/handshake_responder.h"
#include "shared/secure/sealed_datagram.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace jostle::net {

/// The layer between ENet and the socket: handshakes, keys and sessions. ENet receives only
/// datagrams that the other end of a session has sealed.
///
/// A session is identified by its number and authenticated by its keys, not by an address. The
/// client's address may change at any time, for example by NAT rebinding. The server sends to the
/// source address of the newest datagram.
class SealedLink {
 public:
  struct Options {
    SecurityOptions security;
    bool is_accepting = true;
    /// Maximum number of incoming sessions.
    std::size_t max_sessions = 64;
    /// Maximum number of incoming sessions without an ENet peer. A remote IPv4 address or IPv6 /64
    /// may hold at most half of them.
    std::size_t max_unkept = 32;
    /// Maximum silence and maximum age of a session that is not yet marked by keep(), in µs.
    std::int64_t unkept_silence_us = 3'000'000, unkept_us = 10'000'000;
    AddressLimits::Options limits;
    /// Rate limit of one session. The burst is two seconds' worth.
    double datagrams_per_second = 600;
  };
  /// Creates a link without sessions. `io` and `counters` must outlive it.
  SealedLink(Io& io, TransportCounters& counters, const Options& options);

  // Datagrams. All outgoing ones are put into the socket's queue.

  /// Seals and queues an ENet datagram. Returns false if the session does not exist or the socket
  /// rejects the datagram; the caller counts these failures. Returns true for a datagram that
  /// exceeds the budget of an unproved path, which counts as lost.
  bool send(DatagramSocket& socket, std::uint32_t session, std::span<const std::byte> enet_bytes);
  struct Taken {
    DatagramVerdict verdict = DatagramVerdict::Accepted;
    std::uint32_t session = 0;     // set if Accepted
    std::span<std::byte> bytes{};  // set if Accepted: the plaintext for ENet, inside the datagram
  };
  /// Processes a received datagram in place, and answers handshakes.
  Taken take(DatagramSocket& socket, std::span<std::byte> datagram, Address from);
  /// Sends the datagrams that are due, repeats unanswered ones, answers waiting clients and closes
  /// stale sessions. Call it often.
  void advance(DatagramSocket& socket);

  // Outgoing sessions.

  /// Starts a handshake with a server. Returns the handshake's number, which is never 0.
  /// take_outcomes() later returns the result.
  std::uint32_t dial(Address to);
  void hang_up(std::uint32_t dial);
  /// Returns the likely reason why the handshake has not succeeded yet; see
  /// Transport::trouble_with.
  std::string trouble_with(std::uint32_t dial) const;
  /// Returns true if the server has sent an acceptable cookie.
  bool has_answered(std::uint32_t dial) const;
  struct Outcome {
    std::uint32_t dial = 0;
    std::uint32_t session = 0;  // 0 if refused
    secure::Refusal refusal = secure::Refusal::None;
    std::string text{};  // reason, if the client was refused
  };
  std::vector<Outcome> take_outcomes();

  // Established sessions.

  /// Marks the session as used by an ENet peer. It then exists until close().
  void keep(std::uint32_t session);
  void close(std::uint32_t session);
  /// Returns the address to which the session's datagrams are sent, or null if the session does not
  /// exist.
  const Address* address_of(std::uint32_t session) const;
  /// Returns the last address that the client has proved, or nothing if the session does not exist.
  std::optional<Ip> shown_ip_of(std::uint32_t session) const;
  const PeerIdentity* identity_of(std::uint32_t session) const;
  /// Returns true if the token of the session has been revoked.
  bool is_revoked(std::uint32_t session) const;
  std::size_t session_count() const { return sessions_.size(); }
  /// Returns and clears the list of sessions that were closed because their client has reconnected
  /// with its single-use token.
  std::vector<std::uint32_t> take_superseded();
  /// Returns and clears the list of outgoing sessions that the server does not know any more, for
  /// example because it was restarted. A hint of the server is not authenticated, so it counts only
  /// if no datagram of the session arrives for a quarter of a second after it.
  std::vector<std::uint32_t> take_unknown();

  /// Bans an address for a duration.
  void ban(Ip address, std::int64_t duration_us);
  /// Returns the number of completed key exchanges by answer.
  const std::array<std::uint64_t, secure::admission_count>& admissions() const {
    return admissions_;
  }
  /// Returns the public key by which clients recognise this server.
  const crypto::PublicKey& key() const { return responder_.key(); }

 private:
  struct Session {
    secure::DatagramEncryptor sealer;
    secure::DatagramDecryptor opener;
    PathValidation path;
    std::optional<PathText> path_answer{};  // path response that waits to be sent
    PeerIdentity identity;
    bool is_ours = false;    // true for outgoing sessions
    bool is_proven = false;  // true once a datagram of the session was opened
    bool is_kept = false;
    // Outgoing sessions: number of the next datagram when the last one was heard, and the time of
    // the server's first hint since then that it does not know the session
    std::uint64_t number_at_heard = 0;
    std::optional<std::int64_t> unknown_since_us{};
    std::int64_t since_us = 0, heard_us = 0;
    std::optional<secure::Token> token{};
    base::TokenBucket datagrams;
  };
  struct Dial {
    std::uint32_t id = 0;
    Address to;
    std::unique_ptr<secure::HandshakeInitiator> initiator;
  };
  /// A key exchange of the last 30 s. A repeated AUTH gets the same answer.
  struct Exchange {
    std::int64_t at_us = 0;
    std::uint32_t session = 0;      // 0 if refused
    std::vector<std::byte> answer;  // empty if the exchange failed: wrong keys
  };

  bool seal_and_queue(DatagramSocket& socket, Session& session, std::span<const std::byte> text);
  void put_sealed(DatagramSocket& socket, Session& session, std::span<const std::byte> text);
  void handle_path_text(std::uint32_t number, Session& session, PathTextKind kind,
                        std::span<const std::byte> text, Address from);
  void check_paths(DatagramSocket& socket, std::int64_t now_us);
  Taken handle_sealed(DatagramSocket& socket, std::uint32_t number, std::span<std::byte> datagram,
                      Address from);
  bool prove(std::uint32_t number, Session& session);
  DatagramVerdict handle_hello(DatagramSocket& socket, std::span<const std::byte> datagram,
                               Address from);
  DatagramVerdict handle_auth(DatagramSocket& socket, std::span<const std::byte> datagram,
                              Address from);
  void make_exchanges(DatagramSocket& socket);
  void make_exchange(DatagramSocket& socket, const secure::Auth& auth,
                     const HandshakeQueue::Digest& digest, Address from);
  DatagramVerdict repeat_answer(DatagramSocket& socket, const Exchange& exchange, Address from);
  std::size_t accepted_count() const;
  secure::Admission judge(const secure::HandshakeResponder::Candidate& candidate,
                          Address from) const;
  DatagramVerdict handle_answer(std::span<const std::byte> datagram);
  DatagramVerdict handle_hint(std::span<const std::byte> datagram, Address from);
  void begin_session(const secure::HandshakeInitiator::Session& admitted, Address to);
  using Places = std::map<Ip, std::size_t>;  // number of slots held, keyed by network prefix
  Places places_by_network() const;
  bool has_room_for(Address from, Places& places);
  void close_oldest_unkept(Ip network);
  std::uint64_t random_number();
  std::uint32_t free_number();
  void put(DatagramSocket& socket, Address to, std::span<const std::byte> datagram);
  void forget_old(std::int64_t now_us);

  Io& io_;
  TransportCounters& counters_;
  Options options_;
  crypto::FillRandom fill_random_;
  crypto::KeyPair own_;  // the key pair for outgoing connections
  secure::HandshakeResponder responder_;
  AddressLimits limits_;
  std::unordered_map<std::uint32_t, Session> sessions_;
  std::vector<std::uint32_t> paths_;  // sessions with a path challenge or response to send
  HandshakeQueue waiting_;
  std::map<HandshakeQueue::Digest, Exchange> exchanges_;  // completed ones, by digest of the AUTH
  std::vector<Dial> dials_;
  std::uint32_t last_dial_ = 0;
  std::vector<Outcome> outcomes_;
  std::vector<std::uint32_t> superseded_;
  base::TokenBucket hints_;  // hints about unknown sessions that may be sent
  std::array<std::uint64_t, secure::admission_count> admissions_{};
  std::int64_t last_forgetting_us_ = 0;
};

}  // namespace jostle::net
