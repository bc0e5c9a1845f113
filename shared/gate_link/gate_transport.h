#pragma once

#include "shared/gate_link/frames.h"
#include "shared/gate_link/local_socket.h"
#include "shared/net/address_limits.h"
#include "shared/net/io.h"
#include "shared/net/security.h"
#include "shared/net/transport.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::gate_link {

/// Options of a GateTransport.
struct GateTransportOptions {
  LocalListener::Options socket;
  /// Access mode and tokens, as for the other transport of the server.
  net::SecurityOptions security{};
  /// True to admit viewers without a token as spectators, although clients need a token or key.
  bool is_public = false;
  /// Maximum number of viewers that the server serves itself.
  std::size_t max_viewers = 64;
  /// Maximum number of viewers per remote IPv4 address or IPv6 /64; 0: no limit.
  std::size_t max_viewers_per_address = 0;
  net::AddressLimits::Options address_limits{};
  /// Duration of the ban on an address after a viewer was dropped as Misbehaved, in µs.
  std::int64_t ban_us = 60'000'000;
  /// Maximum size of reliable messages that a viewer has not received yet. Beyond it send() returns
  /// false.
  std::size_t max_pending_reliable_bytes = 256 * 1024;
};

/// Transport for viewers in browsers, over the Unix socket of the gate. The gate passes on
/// messages and the addresses of the viewers. This class checks the tokens, so that the gate
/// decides nothing and knows no keys of the server.
///
/// Several gates may be connected. The destructor closes the connections without a word to the
/// viewers: call disconnect() or drop() first.
class GateTransport final : public net::Transport {
 public:
  /// Bit of the ids of all peers of this class. ENet counts its ids upwards from 1 and does not
  /// reach the bit.
  static constexpr std::uint32_t peer_bit = 0x8000'0000;

  /// Opens the socket. `io` must outlive the result. The error is one sentence.
  static base::Result<std::unique_ptr<GateTransport>, std::string> create(
      net::Io& io, GateTransportOptions options);
  ~GateTransport() override;

  void service(std::vector<net::PeerEvent>& events) override;
  /// Returns nothing: this end only accepts.
  std::optional<net::PeerId> connect(net::Address to) override;
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override;
  void flush() override;
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override;
  void drop(net::PeerId peer, net::DisconnectReason reason) override;
  std::size_t pending_reliable_bytes(net::PeerId peer) const override;
  std::optional<net::PeerStats> stats(net::PeerId peer) const override;
  std::optional<net::PeerIdentity> identity(net::PeerId peer) const override;
  std::string trouble_with(net::PeerId peer) const override;
  bool has_answered(net::PeerId peer) const override;
  /// Returns bytes on the Unix socket; a datagram stands for a frame.
  net::TransportCounters counters() const override { return counters_; }
  net::Address local_address() const override { return {}; }
  int native_handle() const override { return handles_.handle(); }

  /// Adds a handle of another transport to native_handle().
  void watch(int handle) { handles_.add(handle); }
  const std::string& path() const { return listener_->path(); }
  /// Returns the URL of the page of the gate that connected last; empty before.
  const std::string& url() const { return url_; }
  std::size_t gate_count() const { return gates_.size(); }
  /// Returns the number of admitted viewers, of which gates may serve some.
  std::size_t viewer_count() const { return peers_.size(); }
  /// Returns the number of viewers that gates serve.
  std::size_t handed_over() const { return handed_over_; }
  std::uint64_t viewers_admitted() const { return admitted_; }
  std::uint64_t viewers_refused() const { return refused_; }

 private:
  /// A connection to a gate.
  struct Gate {
    std::unique_ptr<LocalConnection> connection;
    FrameBuffer received;
    std::vector<std::byte> unsent;
    bool is_greeted = false;
    bool wants_write = false;
    bool has_open_group = false;  // unreliable messages were added since the last EndOfGroup
    std::map<ViewerId, net::PeerId> peers;
  };
  struct Peer {
    std::uint32_t gate = 0;
    ViewerId viewer;
    net::Address address;
    net::PeerIdentity identity;
    std::optional<secure::Token> token{};
    std::uint64_t reliable_sent = 0, reliable_acknowledged = 0;
    std::uint32_t round_trip_us = 0;
    bool is_gate = false;                            // the gate's own spectator
    bool is_handed_over = false;                     // the gate serves this viewer
    std::optional<net::DisconnectReason> closing{};  // set by disconnect()
    std::int64_t closing_since_us = 0;
  };
  /// The decision on an entry.
  struct Verdict {
    net::DisconnectReason reason = net::DisconnectReason::None;  // None: admitted
    secure::Refusal refusal = secure::Refusal::None;
    std::string text{};
    net::PeerIdentity identity{};
    std::optional<secure::Token> token{};
  };

  GateTransport(net::Io& io, GateTransportOptions options);
  void accept_gates();
  bool read_gate(std::uint32_t number, Gate& gate, std::vector<net::PeerEvent>& events);
  bool handle(std::uint32_t number, Gate& gate, const GateFrame& frame,
              std::vector<net::PeerEvent>& events);
  void connect_viewer(std::uint32_t number, Gate& gate, const ViewerConnect& connect,
                      std::vector<net::PeerEvent>& events);
  bool admit_gate(std::uint32_t number, Gate& gate, ViewerId viewer,
                  std::vector<net::PeerEvent>& events);
  void hand_over(net::PeerId id, std::vector<net::PeerEvent>& events);
  void end_gate_spectator(Gate& gate, std::vector<net::PeerEvent>& events);
  Verdict judge(const ViewerConnect& connect);
  Verdict judge_token(const ViewerConnect& connect, Verdict verdict);
  void end_superseded(const Verdict& verdict, std::vector<net::PeerEvent>& events);
  void watch_peers(std::vector<net::PeerEvent>& events);
  void put(Gate& gate, const ServerFrame& frame);
  void close_viewer(const Peer& peer, net::DisconnectReason reason, bool is_immediate);
  void end_peer(net::PeerId id, net::DisconnectReason reason, std::vector<net::PeerEvent>* events);
  bool write(Gate& gate);
  void end_gate(std::uint32_t number, std::vector<net::PeerEvent>& events);
  const Peer* find(net::PeerId peer) const;

  net::Io& io_;
  GateTransportOptions options_;
  net::AddressLimits limits_;
  std::unique_ptr<LocalListener> listener_;
  HandleSet handles_;
  std::map<std::uint32_t, Gate> gates_;
  std::uint32_t last_gate_ = 0;
  std::map<net::PeerId, Peer> peers_;
  std::uint32_t last_peer_ = 0;
  std::size_t handed_over_ = 0;
  std::string url_;
  net::TransportCounters counters_;
  std::uint64_t admitted_ = 0, refused_ = 0;
  std::int64_t watched_us_ = 0;
};

/// A transport that joins the clients of another transport and the viewers of a GateTransport.
class JoinedTransport final : public net::Transport {
 public:
  /// Both arguments must outlive this object.
  JoinedTransport(net::Transport& clients, GateTransport& viewers);

  void service(std::vector<net::PeerEvent>& events) override;
  std::optional<net::PeerId> connect(net::Address to) override { return clients_.connect(to); }
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override {
    return of(peer).send(peer, channel, bytes);
  }
  void flush() override;
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override {
    of(peer).disconnect(peer, reason);
  }
  void drop(net::PeerId peer, net::DisconnectReason reason) override {
    of(peer).drop(peer, reason);
  }
  std::size_t pending_reliable_bytes(net::PeerId peer) const override {
    return of(peer).pending_reliable_bytes(peer);
  }
  std::optional<net::PeerStats> stats(net::PeerId peer) const override {
    return of(peer).stats(peer);
  }
  std::optional<net::PeerIdentity> identity(net::PeerId peer) const override {
    return of(peer).identity(peer);
  }
  std::string trouble_with(net::PeerId peer) const override { return of(peer).trouble_with(peer); }
  bool has_answered(net::PeerId peer) const override { return of(peer).has_answered(peer); }
  /// Returns the sums of both, but the breakdown of the other transport alone.
  net::TransportCounters counters() const override;
  net::Address local_address() const override { return clients_.local_address(); }
  int native_handle() const override { return viewers_.native_handle(); }

 private:
  net::Transport& of(net::PeerId peer) const {
    return (peer.value & GateTransport::peer_bit) != 0 ? static_cast<net::Transport&>(viewers_)
                                                       : clients_;
  }
  net::Transport& clients_;
  GateTransport& viewers_;
};

}  // namespace jostle::gate_link
