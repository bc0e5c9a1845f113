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

/// The longest datagram that leaves a transport.
inline constexpr std::size_t max_sealed_bytes = enet_mtu_bytes + secure::sealed_overhead_bytes;
static_assert(max_sealed_bytes <= secure::max_datagram_bytes);

/// ENet knows its peers by IPv4 addresses. It is given the numbers of sessions as such: where a
/// peer really is changes under way, and may be at an IPv6 address.
inline constexpr std::uint16_t session_port = 1;

/// How often ENet called each of the functions that enet_platform.cpp replaces.
struct EnetCalls {
  std::uint64_t random_seed = 0, time_get = 0;
  std::uint64_t socket_create = 0, socket_bind = 0, socket_get_address = 0, socket_set_option = 0;
  std::uint64_t socket_send = 0, socket_receive = 0, socket_destroy = 0;
};

/// The outside world of one ENet host. While a scope makes it current, ENet's platform functions
/// (sockets, time, random seed, memory) work on it: several hosts with different Ios live in one
/// process, and in several threads.
class EnetContext {
 public:
  explicit EnetContext(Io& outside) : io(outside) {}
  EnetContext(const EnetContext&) = delete;
  EnetContext& operator=(const EnetContext&) = delete;

  /// Null outside of every scope.
  static EnetContext* current();

  /// Makes a context current for this thread, until the scope ends: then what ENet has sent goes
  /// out.
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
  void put_out();

  Io& io;
  std::optional<Address> bind;  // instead of what ENet says, which knows no IPv6
  std::unique_ptr<DatagramSocket> socket;
  std::optional<IoError> socket_error;  // why the socket could not be opened
  std::uint32_t time_base_ms = 0;
  EnetMemory memory;
  EnetCalls calls;
  TransportCounters counters;
  std::array<std::uint64_t, datagram_verdict_count> verdicts{};
  /// Datagrams that ENet may still be given in this service call: a flood cannot hold it forever.
  std::size_t receive_budget = SIZE_MAX;
  /// Through which datagrams go and come; without one ENet reaches nobody.
  SealedLink* link = nullptr;
  /// Asked before ENet sees a CONNECT; Accepted lets it in.
  std::function<DatagramVerdict(std::uint32_t session, std::uint32_t connect_id)> judge_connect;
  /// Test hook: sees what ENet sends, and to which session.
  std::function<void(std::uint32_t session, std::span<const std::byte> enet_bytes)> tap;
};

/// Creates, services and destroys an ENet host on loopback and says which of the replaced functions
/// were not called, in words; nothing when the replacement is in effect. When it is not, ENet's
/// own functions run: they bind a port of 127.0.0.1 and send one datagram to port 9 there.
std::optional<std::string> enet_seam_check();

}  // namespace jostle::net
