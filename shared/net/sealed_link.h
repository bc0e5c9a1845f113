#pragma once

#include "shared/net/address_limits.h"
#include "shared/net/enet_firewall.h"
#include "shared/net/io.h"
#include "shared/net/path_check.h"
#include "shared/net/peer_identity.h"
#include "shared/net/security.h"
#include "shared/net/transport.h"
#include "shared/net/waiting_room.h"
#include "shared/secure/dialer.h"
#include "shared/secure/gate.h"
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

/// Everything between ENet's bytes and the socket: handshakes, keys and sessions. Nothing of what
/// comes in reaches ENet that was not sealed by the other end of a session.
///
/// A session is known by its number, and its owner by its keys: where its datagrams come from may
/// change at any time (a NAT that rebinds), and what is sent follows the newest of them.
class SealedLink {
 public:
  struct Options {
    SecurityOptions security;
    bool is_accepting = true;
    std::size_t max_sessions = 64;  // of those who connect to us
    /// Those who have no peer yet; one address elsewhere at most half of them.
    std::size_t max_unkept = 32;
    /// How long a session may be silent, and how long it may be at all, without keep().
    std::int64_t unkept_silence_us = 3'000'000, unkept_us = 10'000'000;
    AddressLimits::Options limits;
    /// Of one session, in the long run; it may save up two seconds of them.
    double datagrams_per_second = 600;
  };
  /// `io` and `counters` outlive it.
  SealedLink(Io& io, TransportCounters& counters, const Options& options);

  // Datagrams. All are put into the socket's queue.

  /// False: there is no such session, or the network takes nothing. Whoever sends counts it.
  bool send(DatagramSocket& socket, std::uint32_t session, std::span<const std::byte> enet_bytes);
  struct Taken {
    DatagramVerdict verdict = DatagramVerdict::Accepted;
    std::uint32_t session = 0;     // Accepted
    std::span<std::byte> bytes{};  // Accepted: ENet's, inside the datagram
  };
  /// What has come; handshakes are answered.
  Taken take(DatagramSocket& socket, std::span<std::byte> datagram, Address from);
  /// To be called often: what is not answered is sent again, what came to nothing ends.
  void advance(DatagramSocket& socket);

  // Sessions that we want.

  /// Begins a handshake; an outcome follows. Never 0.
  std::uint32_t dial(Address to);
  void hang_up(std::uint32_t dial);
  /// See Transport::trouble_with.
  std::string trouble_with(std::uint32_t dial) const;
  /// Whether the server has told of itself what it takes to go on.
  bool has_answered(std::uint32_t dial) const;
  struct Outcome {
    std::uint32_t dial = 0;
    std::uint32_t session = 0;  // 0: refused
    secure::Refusal refusal = secure::Refusal::None;
    std::string words{};  // refused: why
  };
  std::vector<Outcome> take_outcomes();

  // Sessions that stand.

  /// It has a peer now, and stands until close().
  void keep(std::uint32_t session);
  void close(std::uint32_t session);
  /// Where its newest datagram came from; null where there is no such session.
  const Address* address_of(std::uint32_t session) const;
  /// Where it has shown that it receives what is sent there; nothing where there is no such
  /// session.
  std::optional<Ip> shown_ip_of(std::uint32_t session) const;
  const PeerIdentity* identity_of(std::uint32_t session) const;
  /// Whether the token that it came by has been revoked since.
  bool is_revoked(std::uint32_t session) const;
  std::size_t session_count() const { return sessions_.size(); }
  /// Sessions that ended here because their owner came anew with a token that lets in once.
  std::vector<std::uint32_t> take_superseded();

  /// Nobody there is let in for so long.
  void ban(Ip address, std::int64_t duration_us);
  /// Refusals that were told to those who asked, by reason.
  const std::array<std::uint64_t, secure::admission_count>& admissions() const {
    return admissions_;
  }
  /// By which clients know us.
  const crypto::PublicKey& key() const { return gate_.key(); }

 private:
  struct Session {
    secure::Sealer sealer;
    secure::Opener opener;
    PathCheck path;
    std::optional<PathText> path_answer{};  // that waits to be sent
    PeerIdentity identity;
    bool is_ours = false;    // we wanted it
    bool is_proven = false;  // something was opened
    bool is_kept = false;
    std::int64_t since_us = 0, heard_us = 0;
    std::optional<secure::Token> token{};
    base::Allowance datagrams;
  };
  struct Dial {
    std::uint32_t id = 0;
    Address to;
    std::unique_ptr<secure::Dialer> dialer;
  };
  /// A key exchange of the last half minute: who asks again is told the same again.
  struct Exchange {
    std::int64_t at_us = 0;
    std::uint32_t session = 0;      // 0: refused
    std::vector<std::byte> answer;  // none: it was not made with the keys that it takes
  };

  bool seal_and_queue(DatagramSocket& socket, Session& session, std::span<const std::byte> text);
  void put_sealed(DatagramSocket& socket, Session& session, std::span<const std::byte> text);
  void take_path_text(std::uint32_t number, Session& session, PathTextKind kind,
                      std::span<const std::byte> text, Address from);
  void check_paths(DatagramSocket& socket, std::int64_t now_us);
  Taken take_sealed(std::uint32_t number, std::span<std::byte> datagram, Address from);
  bool prove(std::uint32_t number, Session& session);
  DatagramVerdict take_hello(DatagramSocket& socket, std::span<const std::byte> datagram,
                             Address from);
  DatagramVerdict take_auth(DatagramSocket& socket, std::span<const std::byte> datagram,
                            Address from);
  void make_exchanges(DatagramSocket& socket);
  void make_exchange(DatagramSocket& socket, const secure::Auth& auth,
                     const WaitingRoom::Digest& digest, Address from);
  DatagramVerdict repeat_answer(DatagramSocket& socket, const Exchange& exchange, Address from);
  std::size_t accepted_count() const;
  secure::Admission judge(const secure::Gate::Candidate& candidate, Address from) const;
  DatagramVerdict take_answer(std::span<const std::byte> datagram);
  void begin_session(const secure::Dialer::Session& admitted, Address to);
  using Places = std::map<Ip, std::size_t>;  // by wide network
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
  crypto::KeyPair own_;  // as one who connects
  secure::Gate gate_;
  AddressLimits limits_;
  std::unordered_map<std::uint32_t, Session> sessions_;
  std::vector<std::uint32_t> paths_;  // sessions with something to ask or to answer
  WaitingRoom waiting_;
  std::map<WaitingRoom::Digest, Exchange> exchanges_;  // made, by the AUTH
  std::vector<Dial> dials_;
  std::uint32_t last_dial_ = 0;
  std::vector<Outcome> outcomes_;
  std::vector<std::uint32_t> superseded_;
  std::array<std::uint64_t, secure::admission_count> admissions_{};
  std::int64_t last_forgetting_us_ = 0;
};

}  // namespace jostle::net
