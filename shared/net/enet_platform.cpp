#include "shared/net/enet_platform.h"

#include "shared/base/assert.h"

#include <dlfcn.h>
#include <enet/enet.h>

#include <algorithm>
#include <cstring>

// Replacement of ENet's platform layer. The functions below have the names of functions in libenet.
// The dynamic linker prefers the definitions of the executable, and then those of libjostle.so and
// libjostle-client.so, so the unmodified library calls these; enet_seam_check() verifies it. They
// work on the thread's current EnetContext. Outside of all scopes they call ENet's own functions,
// so that a program that uses one of these libraries may use ENet itself.

// Returns the address of the thread's current context. If a process has both libraries, the dynamic
// linker binds libenet to the functions of one of them, and all calls of this function to one
// definition. It is weak, so that no compiler inlines it. Both libraries have the same version.
extern "C" __attribute__((weak, visibility("default"))) jostle::net::EnetContext**
jostle_enet_context() noexcept {
  thread_local jostle::net::EnetContext* context = nullptr;
  return &context;
}

namespace jostle::net {
namespace {

/// Returns the current context, of which there must be one.
EnetContext& active() {
  EnetContext* const context = EnetContext::current();
  JOSTLE_ASSERT(context != nullptr);
  return *context;
}

/// Returns ENet's own function outside of all scopes, else null.
template <typename Function>
Function* original(const char* name) {
  if (EnetContext::current() != nullptr) return nullptr;
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// The number of a context's only socket. ENet identifies sockets by number.
constexpr ENetSocket the_socket = 0;
std::uint32_t clock_ms(EnetContext& context) {
  // ENet expects its clock to wrap at 2^32 ms.
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(context.io.now_us() / 1'000));
}

Address to_address(const ENetAddress& address) {
  return {.ip = ENET_NET_TO_HOST_32(address.host), .port = address.port};
}

/// Converts an address for ENet. ENet does not support IPv6; an IPv6 address becomes 0.0.0.0.
ENetAddress from_address(Address address) {
  const Ip ip = address.ip.is_v4() ? address.ip : any_ip;
  return {.host = ENET_HOST_TO_NET_32(ip.v4()), .port = address.port};
}

/// Decrypts and inspects a datagram. Returns its plaintext, or the verdict with which it is
/// rejected.
SealedLink::Taken open_datagram(EnetContext& context, const DatagramSocket::Received& received,
                                std::span<std::byte> bytes) {
  if (received.from.port == 0) return {.verdict = DatagramVerdict::BadSource};
  if (received.is_truncated || bytes.size() > secure::max_datagram_bytes)
    return {.verdict = DatagramVerdict::TooLong};
  SealedLink::Taken taken = context.link->take(*context.socket, bytes, received.from);
  if (taken.verdict != DatagramVerdict::Accepted) return taken;
  taken.verdict = inspect(taken.bytes);
  if (taken.verdict != DatagramVerdict::Accepted || !context.judge_connect) return taken;
  if (const std::optional<std::uint32_t> id = connect_id(taken.bytes))
    taken.verdict = context.judge_connect(taken.session, *id);
  return taken;
}

/// Receives the next datagram that ENet may process into `buffer`, and its session id into
/// `session`. Returns its length, or 0 if there is none or the receive budget is used up.
std::size_t receive_checked(EnetContext& context, std::span<std::byte> buffer,
                            std::uint32_t& session) {
  while (context.receive_budget > 0 && context.link != nullptr) {
    const std::optional<DatagramSocket::Received> received = context.socket->receive(buffer);
    if (!received) return 0;
    --context.receive_budget;
    ++context.counters.datagrams_received;
    context.counters.bytes_received += received->bytes;

    const SealedLink::Taken taken =
        open_datagram(context, *received, buffer.first(received->bytes));
    ++context.verdicts[static_cast<std::size_t>(taken.verdict)];
    if (taken.verdict == DatagramVerdict::Accepted) {
      context.counters.received.add(taken.bytes);
      std::memmove(buffer.data(), taken.bytes.data(), taken.bytes.size());
      session = taken.session;
      return taken.bytes.size();
    }
    if (taken.verdict == DatagramVerdict::Handshake) {
      context.counters.received.add_handshake(received->bytes);
      continue;
    }
    ++context.counters.datagrams_refused;
    context.counters.received.add_refused(received->bytes);
  }
  return 0;
}

}  // namespace

EnetContext* EnetContext::current() {
  return *jostle_enet_context();
}

EnetContext::Scope::Scope(EnetContext& context)
    : context_(context), previous_(std::exchange(*jostle_enet_context(), &context)) {}

EnetContext::Scope::~Scope() {
  context_.put_out();
  *jostle_enet_context() = previous_;
}

void EnetContext::put_out() {
  if (socket != nullptr) counters.send_failures += socket->flush();
}

}  // namespace jostle::net

using jostle::net::active;
using jostle::net::EnetContext;
using jostle::net::original;
using jostle::net::the_socket;

// The ENet library can only call these functions if they are visible outside of the program.
#pragma GCC visibility push(default)
extern "C" {

int enet_initialize(void) {
  return 0;
}

void enet_deinitialize(void) {}

enet_uint32 enet_host_random_seed(void) {
  if (auto* const own = original<decltype(enet_host_random_seed)>("enet_host_random_seed"))
    return own();
  EnetContext& context = active();
  ++context.calls.random_seed;
  std::array<std::byte, sizeof(enet_uint32)> bytes{};
  context.io.fill_random(bytes);
  enet_uint32 seed = 0;
  std::memcpy(&seed, bytes.data(), sizeof(seed));
  return seed;
}

enet_uint32 enet_time_get(void) {
  if (auto* const own = original<decltype(enet_time_get)>("enet_time_get")) return own();
  EnetContext& context = active();
  ++context.calls.time_get;
  return jostle::net::clock_ms(context) - context.time_base_ms;
}

void enet_time_set(enet_uint32 new_time_ms) {
  if (auto* const own = original<decltype(enet_time_set)>("enet_time_set")) return own(new_time_ms);
  EnetContext& context = active();
  context.time_base_ms = jostle::net::clock_ms(context) - new_time_ms;
}

int enet_address_set_host_ip(ENetAddress* address, const char* name) {
  if (auto* const own = original<decltype(enet_address_set_host_ip)>("enet_address_set_host_ip"))
    return own(address, name);
  const auto ip = jostle::net::parse_ip(name);
  if (!ip || !ip->is_v4()) return -1;
  address->host = ENET_HOST_TO_NET_32(ip->v4());
  return 0;
}

// Names are not resolved here: the programs do that, and pass dotted quads.
int enet_address_set_host(ENetAddress* address, const char* name) {
  if (auto* const own = original<decltype(enet_address_set_host)>("enet_address_set_host"))
    return own(address, name);
  return enet_address_set_host_ip(address, name);
}

int enet_address_get_host_ip(const ENetAddress* address, char* name, size_t name_bytes) {
  if (auto* const own = original<decltype(enet_address_get_host_ip)>("enet_address_get_host_ip"))
    return own(address, name, name_bytes);
  std::string text = to_string(jostle::net::to_address(*address));
  text.resize(text.find(':'));
  if (text.size() >= name_bytes) return -1;
  std::memcpy(name, text.c_str(), text.size() + 1);
  return 0;
}

int enet_address_get_host(const ENetAddress* address, char* name, size_t name_bytes) {
  if (auto* const own = original<decltype(enet_address_get_host)>("enet_address_get_host"))
    return own(address, name, name_bytes);
  return enet_address_get_host_ip(address, name, name_bytes);
}

ENetSocket enet_socket_create(ENetSocketType type) {
  if (auto* const own = original<decltype(enet_socket_create)>("enet_socket_create"))
    return own(type);
  EnetContext& context = active();
  ++context.calls.socket_create;
  const bool is_free = type == ENET_SOCKET_TYPE_DATAGRAM && context.socket == nullptr;
  return is_free ? the_socket : ENET_SOCKET_NULL;
}

int enet_socket_bind(ENetSocket number, const ENetAddress* address) {
  if (auto* const own = original<decltype(enet_socket_bind)>("enet_socket_bind"))
    return own(number, address);
  EnetContext& context = active();
  ++context.calls.socket_bind;
  const auto asked =
      address == nullptr ? jostle::net::Address{} : jostle::net::to_address(*address);
  auto socket = context.io.open_datagram_socket(context.bind.value_or(asked));
  if (!socket) {
    context.socket_error = socket.error();
    return -1;
  }
  context.socket = std::move(*socket);
  return 0;
}

int enet_socket_get_address(ENetSocket socket, ENetAddress* address) {
  if (auto* const own = original<decltype(enet_socket_get_address)>("enet_socket_get_address"))
    return own(socket, address);
  EnetContext& context = active();
  ++context.calls.socket_get_address;
  if (context.socket == nullptr) return -1;
  *address = jostle::net::from_address(context.socket->local_address());
  return 0;
}

// Io's sockets never block and choose their own buffer sizes, so there is no option to set.
int enet_socket_set_option(ENetSocket socket, ENetSocketOption option, int value) {
  if (auto* const own = original<decltype(enet_socket_set_option)>("enet_socket_set_option"))
    return own(socket, option, value);
  ++active().calls.socket_set_option;
  return 0;
}

int enet_socket_get_option(ENetSocket socket, ENetSocketOption option, int* value) {
  if (auto* const own = original<decltype(enet_socket_get_option)>("enet_socket_get_option"))
    return own(socket, option, value);
  if (option != ENET_SOCKOPT_ERROR) return -1;
  *value = 0;
  return 0;
}

// TCP functions. ENet never calls them; they return errors.
int enet_socket_listen(ENetSocket socket, int backlog) {
  if (auto* const own = original<decltype(enet_socket_listen)>("enet_socket_listen"))
    return own(socket, backlog);
  return -1;
}
ENetSocket enet_socket_accept(ENetSocket socket, ENetAddress* address) {
  if (auto* const own = original<decltype(enet_socket_accept)>("enet_socket_accept"))
    return own(socket, address);
  return ENET_SOCKET_NULL;
}
int enet_socket_connect(ENetSocket socket, const ENetAddress* address) {
  if (auto* const own = original<decltype(enet_socket_connect)>("enet_socket_connect"))
    return own(socket, address);
  return -1;
}
int enet_socket_shutdown(ENetSocket socket, ENetSocketShutdown how) {
  if (auto* const own = original<decltype(enet_socket_shutdown)>("enet_socket_shutdown"))
    return own(socket, how);
  return -1;
}

void enet_socket_destroy(ENetSocket socket) {
  if (auto* const own = original<decltype(enet_socket_destroy)>("enet_socket_destroy"))
    return own(socket);
  EnetContext& context = active();
  ++context.calls.socket_destroy;
  if (socket != the_socket) return;
  context.put_out();
  context.socket.reset();
}

int enet_socket_send(ENetSocket socket, const ENetAddress* address, const ENetBuffer* buffers,
                     size_t buffer_count) {
  if (auto* const own = original<decltype(enet_socket_send)>("enet_socket_send"))
    return own(socket, address, buffers, buffer_count);
  EnetContext& context = active();
  ++context.calls.socket_send;
  if (context.socket == nullptr || address == nullptr) return -1;

  std::array<std::byte, jostle::net::enet_mtu_bytes> buffer;
  std::size_t length = 0;
  for (std::size_t i = 0; i < buffer_count; ++i) {
    if (buffers[i].dataLength > buffer.size() - length) return -1;
    if (buffers[i].dataLength == 0) continue;
    std::memcpy(buffer.data() + length, buffers[i].data, buffers[i].dataLength);
    length += buffers[i].dataLength;
  }
  const std::span<const std::byte> enet_bytes(buffer.data(), length);
  if (context.tap) context.tap(address->host, enet_bytes);

  // A datagram that the socket rejected counts as lost; ENet retransmits its reliable commands. An
  // error code would make ENet skip all peers after this one.
  if (context.link == nullptr || !context.link->send(*context.socket, address->host, enet_bytes)) {
    ++context.counters.send_failures;
    return 0;
  }
  ++context.counters.datagrams_sent;
  context.counters.bytes_sent += length + jostle::secure::sealed_overhead_bytes;
  context.counters.sent.add(enet_bytes);
  return static_cast<int>(length);
}

int enet_socket_receive(ENetSocket socket, ENetAddress* address, ENetBuffer* buffers,
                        size_t buffer_count) {
  if (auto* const own = original<decltype(enet_socket_receive)>("enet_socket_receive"))
    return own(socket, address, buffers, buffer_count);
  EnetContext& context = active();
  ++context.calls.socket_receive;
  if (context.socket == nullptr || buffer_count == 0) return -1;
  std::uint32_t session = 0;
  const std::size_t length = jostle::net::receive_checked(
      context, std::span(static_cast<std::byte*>(buffers[0].data), buffers[0].dataLength), session);
  if (length > 0 && address != nullptr) {
    *address = {.host = session, .port = jostle::net::session_port};
  }
  return static_cast<int>(length);
}

// Never waits. The programs' event loops wait on the transport's native handle.
int enet_socket_wait(ENetSocket socket, enet_uint32* condition, enet_uint32 timeout) {
  if (auto* const own = original<decltype(enet_socket_wait)>("enet_socket_wait"))
    return own(socket, condition, timeout);
  *condition = ENET_SOCKET_WAIT_NONE;
  return 0;
}

int enet_socketset_select(ENetSocket socket, ENetSocketSet* readable, ENetSocketSet* writable,
                          enet_uint32 timeout) {
  if (auto* const own = original<decltype(enet_socketset_select)>("enet_socketset_select"))
    return own(socket, readable, writable, timeout);
  return 0;
}

}  // extern "C"
#pragma GCC visibility pop
