#pragma once

#include "shared/net/enet_platform.h"
#include "shared/net/io.h"
#include "shared/net/sealed_link.h"
#include "shared/net/security.h"
#include "shared/net/transport.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

struct _ENetHost;
struct _ENetPeer;
struct _ENetEvent;
struct _ENetPacket;

namespace jostle::net {

/// Why there is no transport, with the whole story in words.
struct TransportError {
  enum class Kind : std::uint8_t {
    BadOptions,
    SeamNotInEffect,  // ENet would bypass Io: see enet_seam_check
    InsecureBind,     // open to everybody beyond this machine, and not allowed
    SocketFailed,     // io says why
    OutOfMemory,      // the quota does not hold the host
  };
  Kind kind = Kind::BadOptions;
  IoError io = IoError::Unknown;  // SocketFailed
  std::string text;
};

/// Peers that an ENet host can name.
inline constexpr std::size_t max_enet_peers = 4'095;

struct EnetOptions {
  /// Nothing: a free port of 127.0.0.1. At :: those who come by IPv4 are served, too. Who lets
  /// everybody in beyond this machine needs `is_insecure_bind_allowed`.
  std::optional<Address> bind = std::nullopt;
  bool is_insecure_bind_allowed = false;
  /// Sessions, made by either side. Later ones are told ServerFull. 1..max_enet_peers.
  std::size_t max_peers = 32;
  /// Sessions that one address may hold; 0: no limit. Later ones are told ServerFull.
  std::size_t max_peers_per_address = 0;
  /// False for a client: nobody may connect to it.
  bool is_accepting = true;
  SecurityOptions security{};
  /// What strangers and sessions may ask of it.
  AddressLimits::Options address_limits{};
  double datagrams_per_session_second = 600;
  /// How long nobody is let in from the address of a session that ended as Misbehaved.
  std::int64_t ban_us = 60'000'000;
  /// A session from which nothing has been heard for so long has ended.
  std::int64_t silence_timeout_us = 5'000'000;
  std::int64_t connect_timeout_us = 10'000'000;
  /// A connection that was begun and not followed up keeps its place so long.
  std::int64_t half_open_timeout_us = 3'000'000;
  /// Per peer; beyond, send() is false.
  std::size_t max_pending_reliable_bytes = 256 * 1024;
  std::size_t max_pending_reliable_messages = 1'024;
  std::size_t max_pending_unreliable_bytes = 256 * 1024;
  /// What ENet may allocate for this host; 0: 16 MiB and 64 KiB per peer.
  std::size_t memory_quota_bytes = 0;
};

/// Transport over unmodified ENet, which sees the world only through the given Io, and nothing of
/// it but what the other end of a session has sealed. Destroying it says goodbye to nobody, as a
/// killed process would: use disconnect() or drop() first.
///
/// docs/SECURITY.md says what it refuses from strangers. Not for several threads at once; several
/// transports with different Ios may live in one process.
class EnetTransport final : public Transport {
 public:
  /// `io` must outlive the transport.
  static base::Result<std::unique_ptr<EnetTransport>, TransportError> create(
      Io& io, const EnetOptions& options);
  ~EnetTransport() override;
  EnetTransport(const EnetTransport&) = delete;
  EnetTransport& operator=(const EnetTransport&) = delete;

  void service(std::vector<PeerEvent>& events) override;
  std::optional<PeerId> connect(Address to) override;
  bool send(PeerId peer, Channel channel, std::span<const std::byte> bytes) override;
  void flush() override;
  void disconnect(PeerId peer, DisconnectReason reason) override;
  void drop(PeerId peer, DisconnectReason reason) override;
  std::size_t pending_reliable_bytes(PeerId peer) const override;
  std::optional<PeerStats> stats(PeerId peer) const override;
  std::optional<PeerIdentity> identity(PeerId peer) const override;
  std::string trouble_with(PeerId peer) const override;
  bool has_answered(PeerId peer) const override;
  TransportCounters counters() const override;
  Address local_address() const override;
  int native_handle() const override;

  /// Datagrams by verdict; TransportCounters::datagrams_refused is the sum but Accepted.
  const std::array<std::uint64_t, datagram_verdict_count>& verdicts() const;
  const EnetMemory& memory() const;
  /// System calls of its socket.
  SocketCalls socket_calls() const;
  /// By which clients know it.
  const crypto::PublicKey& key() const { return link_.key(); }
  /// Those who have shown what they have, by the answer.
  const std::array<std::uint64_t, secure::admission_count>& admissions() const {
    return link_.admissions();
  }
  /// Sessions in the sense of keys, with those that have not come to a connection.
  std::size_t sealed_sessions() const { return link_.session_count(); }
  /// Test hooks: what ENet sends, before it is sealed; and bytes sealed for a peer as if ENet had
  /// sent them.
  void set_enet_tap(
      std::function<void(std::uint32_t session, std::span<const std::byte> enet_bytes)> tap);
  void send_enet_bytes(PeerId peer, std::span<const std::byte> enet_bytes);
  /// Test hook: ENet's clock goes on from here; it wraps at 2^32.
  void set_enet_time_ms(std::uint32_t time_ms);
  /// Test hook: see EnetMemory::refused_allocation.
  void refuse_allocation(std::uint64_t number);

 private:
  enum class Phase : std::uint8_t {
    Free,        // no session; ENet may hold an unfinished connection in this place
    Connecting,  // ours, not yet answered
    Connected,
    Closing,   // disconnect() was called; Disconnected will follow
    Refusing,  // told ServerFull; the caller never hears of it
  };

  /// One per place for a peer in the ENet host, by its number there.
  struct Slot {
    Phase phase = Phase::Free;
    PeerId id;
    DisconnectReason reason = DisconnectReason::None;  // Closing: what was given as reason
    std::int64_t phase_since_us = 0;
    std::int64_t silence_us = 0;          // observed: time while nobody serviced does not count
    std::int64_t half_open_since_us = 0;  // 0: no unfinished connection here
    std::size_t reliable_bytes = 0;       // given to ENet and not yet acknowledged
    std::size_t reliable_messages = 0;
    std::size_t unreliable_bytes = 0;  // given to ENet and not yet sent
  };

  /// A handshake that we have begun; there is no place in ENet's host for it yet.
  struct Dial {
    PeerId id;
    std::uint32_t number = 0;  // of the link
    std::int64_t since_us = 0;
  };

  EnetTransport(Io& io, const EnetOptions& options);
  std::optional<TransportError> open();

  _ENetPeer& peer_at(std::size_t number) const;
  Slot* slot_of(PeerId peer);
  const Slot* slot_of(PeerId peer) const;
  std::size_t number_of(const Slot& slot) const;
  PeerId next_id() { return PeerId{++last_id_}; }
  void occupy(Slot& slot, Phase phase, PeerId id);
  void vacate(Slot& slot);
  void end_session(Slot& slot, DisconnectReason reason, std::vector<PeerEvent>& events);

  void take_events(std::vector<PeerEvent>& events);
  void take_event(const _ENetEvent& event, std::vector<PeerEvent>& events);
  void take_connected(Slot& slot, std::vector<PeerEvent>& events);
  void take_packet(const Slot& slot, const _ENetEvent& event, std::vector<PeerEvent>& events);

  void watch_dials(std::vector<PeerEvent>& events);
  bool connect_session(const Dial& dial, std::uint32_t session);
  bool hang_up(PeerId peer);
  void end_superseded(std::vector<PeerEvent>& events);
  void ban(const Slot& slot);

  DatagramVerdict judge_connect(std::uint32_t session, std::uint32_t connect_id);
  bool is_full_for(const _ENetPeer& peer) const;
  void watch_sessions(std::vector<PeerEvent>& events);
  void watch_session(Slot& slot, std::int64_t now_us, std::int64_t passed_us,
                     std::vector<PeerEvent>& events);
  void keep_up(Slot& slot, std::vector<PeerEvent>& events);
  void watch_half_open(Slot& slot, std::int64_t now_us);
  static void give_back(_ENetPacket* packet);

  EnetOptions options_;
  std::size_t half_open_places_ = 0;
  EnetContext context_;  // outlives the host, which frees its memory through it
  SealedLink link_;
  _ENetHost* host_ = nullptr;
  std::vector<Slot> slots_;
  std::unordered_map<std::uint32_t, std::size_t> number_by_id_;
  std::vector<Dial> dials_;
  std::uint32_t last_id_ = 0;
  std::size_t session_count_ = 0;
  std::vector<PeerEvent> pending_events_;
  std::int64_t last_service_us_ = 0;
  std::int64_t last_upkeep_us_ = 0;
};

}  // namespace jostle::net
