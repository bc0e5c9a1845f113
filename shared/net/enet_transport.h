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

/// The reason why a transport could not be created, with a description.
struct TransportError {
  enum class Kind : std::uint8_t {
    BadOptions,
    SeamNotInEffect,  // ENet would bypass Io: see enet_seam_check()
    InsecureBind,     // open mode on an address beyond loopback, without permission
    SocketFailed,     // `io` has the cause
    OutOfMemory,      // the memory quota is too small for the host
  };
  Kind kind = Kind::BadOptions;
  IoError io = IoError::Unknown;  // set for SocketFailed
  std::string text;
};

/// Maximum number of peers in an ENet host.
inline constexpr std::size_t max_enet_peers = 4'095;

/// The options of an EnetTransport.
struct EnetOptions {
  /// Local address. If empty, the transport binds a free port of 127.0.0.1. The address :: serves
  /// IPv4 clients too. Open mode on an address beyond loopback requires `is_insecure_bind_allowed`.
  std::optional<Address> bind = std::nullopt;
  bool is_insecure_bind_allowed = false;
  /// Maximum number of sessions, incoming and outgoing, 1 to `max_enet_peers`. Further clients are
  /// refused with ServerFull.
  std::size_t max_peers = 32;
  /// Maximum number of sessions per address; 0: no limit. Further clients are refused with
  /// ServerFull.
  std::size_t max_peers_per_address = 0;
  /// False for a client, which accepts no incoming connections.
  bool is_accepting = true;
  SecurityOptions security{};
  /// Rate limits per address.
  AddressLimits::Options address_limits{};
  /// Maximum number of datagrams per second of each session.
  double datagrams_per_session_second = 600;
  /// Duration of the ban on an address after a session ended as Misbehaved.
  std::int64_t ban_us = 60'000'000;
  /// Time without any datagram after which a session ends.
  std::int64_t silence_timeout_us = 12'000'000;
  /// Time after which an unfinished outgoing connection ends.
  std::int64_t connect_timeout_us = 10'000'000;
  /// Time after which an unfinished incoming connection without traffic is removed.
  std::int64_t half_open_timeout_us = 3'000'000;
  /// Limits on unsent and unacknowledged data per peer. Beyond them send() returns false.
  std::size_t max_pending_reliable_bytes = 256 * 1024;
  std::size_t max_pending_reliable_messages = 1'024;
  std::size_t max_pending_unreliable_bytes = 256 * 1024;
  /// Maximum memory that ENet may allocate for this host; 0: 16 MiB plus 64 KiB per ENet peer slot.
  std::size_t memory_quota_bytes = 0;
};

/// Transport over the unmodified ENet library, which accesses the network, clock and entropy only
/// through the given Io. ENet receives only authenticated datagrams. The destructor does not notify
/// peers, as if the process had been killed: call disconnect() or drop() first.
///
/// docs/SECURITY.md documents what the transport rejects. The class is not thread-safe; several
/// transports with different Ios may exist in one process.
class EnetTransport final : public Transport {
 public:
  /// Opens the socket and creates the transport. `io` must outlive it.
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

  /// Returns the number of received datagrams by verdict. The sum over all rejecting verdicts is
  /// TransportCounters::datagrams_refused.
  const std::array<std::uint64_t, datagram_verdict_count>& verdicts() const;
  const EnetMemory& memory() const;
  /// Returns the number of system calls of the transport's socket.
  SocketCalls socket_calls() const;
  /// Returns the public key by which clients recognise this server.
  const crypto::PublicKey& key() const { return link_.key(); }
  /// Returns the number of completed key exchanges by answer.
  const std::array<std::uint64_t, secure::admission_count>& admissions() const {
    return link_.admissions();
  }
  /// Returns the number of sessions, including those without an ENet connection.
  std::size_t sealed_sessions() const { return link_.session_count(); }
  /// Test hook: `tap` receives each datagram that ENet sends, before it is sealed.
  void set_enet_tap(
      std::function<void(std::uint32_t session, std::span<const std::byte> enet_bytes)> tap);
  /// Test hook: seals and sends bytes to a peer as if ENet had sent them.
  void send_enet_bytes(PeerId peer, std::span<const std::byte> enet_bytes);
  /// Test hook: sets ENet's clock, which wraps at 2^32 ms.
  void set_enet_time_ms(std::uint32_t time_ms);
  /// Test hook: see EnetMemory::refused_allocation.
  void refuse_allocation(std::uint64_t number);

 private:
  enum class Phase : std::uint8_t {
    Free,        // no session; ENet may hold an unfinished connection in this slot
    Connecting,  // an outgoing connection that is not yet answered
    Connected,
    Closing,   // disconnect() was called; a Disconnected event will follow
    Refusing,  // the client is being refused with ServerFull; callers never see this session
  };

  /// The state of one ENet peer slot, indexed by ENet's peer number.
  struct Slot {
    Phase phase = Phase::Free;
    PeerId id;
    // for Closing: the reason passed to disconnect()
    DisconnectReason reason = DisconnectReason::None;
    std::int64_t phase_since_us = 0;
    // time without a datagram; a gap between two service calls adds at most 1 s
    std::int64_t silence_us = 0;
    std::int64_t half_open_since_us = 0;  // 0: no unfinished connection in this slot
    std::size_t reliable_bytes = 0;       // passed to ENet and not yet acknowledged
    std::size_t reliable_messages = 0;
    std::size_t unreliable_bytes = 0;  // passed to ENet and not yet sent
  };

  /// An outgoing handshake. It has no ENet peer slot yet.
  struct Dial {
    PeerId id;
    std::uint32_t number = 0;  // the handshake's number in the link
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
  void handle_event(const _ENetEvent& event, std::vector<PeerEvent>& events);
  void handle_connected(Slot& slot, std::vector<PeerEvent>& events);
  void handle_packet(const Slot& slot, const _ENetEvent& event, std::vector<PeerEvent>& events);

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
  EnetContext context_;  // declared before the host, which frees its memory through it
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
