#pragma once

#include "shared/net/enet_firewall.h"
#include "shared/net/enet_memory.h"
#include "shared/net/io.h"
#include "shared/net/sealed_link.h"
#include "shared/net/transport.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace jostle::net {

/// Maximum size of a sealed datagram with an ENet payload, in bytes.
inline constexpr std::size_t max_sealed_bytes = enet_mtu_bytes + secure::sealed_overhead_bytes;
static_assert(max_sealed_bytes <= secure::max_datagram_bytes);

/// Port of all ENet addresses. ENet identifies peers by IPv4 address, and is given session ids in
/// place of addresses. The real address of a peer may change during a session, and may be IPv6.
inline constexpr std::uint16_t session_port = 1;

/// Number of calls that ENet made to each function that enet_platform.cpp replaces.
struct EnetCalls {
  std::uint64_t random_seed = 0, time_get = 0;
  std::uint64_t socket_create = 0, socket_bind = 0, socket_get_address = 0, socket_set_option = 0;
  std::uint64_t socket_send = 0, socket_receive = 0, socket_destroy = 0;
};

/// The environment of one ENet host. While a scope makes a context current, ENet's platform
/// functions (sockets, time, random seed, memory) use it. Several hosts with different Ios can
/// therefore exist in one process and in several threads.
class EnetContext {
 public:
  explicit EnetContext(Io& outside) : io(outside) {}
  EnetContext(const EnetContext&) = delete;
  EnetContext& operator=(const EnetContext&) = delete;

  /// Returns the current context, or null outside of all scopes.
  static EnetContext* current();

  /// A scope in which a context is current for this thread. At its end, the datagrams that ENet has
  /// queued are sent.
  class Scope {
   public:
    explicit Scope(EnetContext& context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    EnetContext& context_;
    EnetContext* previous_;
  };
  /// Sends the datagrams that are queued in the socket.
  void put_out();

  Io& io;
  std::optional<Address> bind;  // overrides the address that ENet passes, which cannot be IPv6
  std::unique_ptr<DatagramSocket> socket;
  std::optional<IoError> socket_error;  // the reason why the socket could not be opened
  std::uint32_t time_base_ms = 0;
  EnetMemory memory;
  EnetCalls calls;
  TransportCounters counters;
  std::array<std::uint64_t, datagram_verdict_count> verdicts{};
  /// Number of datagrams that this service call may still receive, so that a flood cannot stall the
  /// caller.
  std::size_t receive_budget = SIZE_MAX;
  /// The link that seals outgoing and opens incoming datagrams. Without one, ENet can neither send
  /// nor receive.
  SealedLink* link = nullptr;
  /// Called before ENet processes a CONNECT; returns Accepted to allow it.
  std::function<DatagramVerdict(std::uint32_t session, std::uint32_t connect_id)> judge_connect;
  /// Test hook: receives each datagram that ENet sends, and its session.
  std::function<void(std::uint32_t session, std::span<const std::byte> enet_bytes)> tap;
};

/// Runs an ENet host on loopback for a moment. Returns an error if ENet did not call all replaced
/// functions, rejects the allocator or has another version than its headers; returns nothing
/// otherwise. If the replacement is not in effect, ENet's own functions run: they bind a port of
/// 127.0.0.1 and send one datagram to port 9 there.
std::optional<std::string> enet_seam_check();

}  // namespace jostle::net
