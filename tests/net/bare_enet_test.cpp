// Tests that the unmodified ENet library is vulnerable to attacks like those of hostile_test.cpp
// and insider_test.cpp. They show why this project protects ENet by a firewall and by encryption.
// This program replaces ENet's platform layer by one without protection, over the same simulated
// network.
#include "shared/net/virtual_network.h"
#include "tests/net/enet_bytes.h"

#include <enet/enet.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

namespace jostle::net {
namespace {

/// The node on which ENet is being called. ENet knows the sockets by the keys of `sockets`.
VirtualNode* current_node = nullptr;
std::map<int, std::unique_ptr<DatagramSocket>> sockets;
std::map<int, VirtualNode*> owners;
int next_socket = 1;
std::size_t live_bytes = 0, peak_bytes = 0;

/// Allocates a block. Its size is stored in front of it, for counting.
void* counted_malloc(std::size_t bytes) {
  auto* const block = static_cast<std::size_t*>(std::malloc(bytes + 16));
  *block = bytes;
  live_bytes += bytes;
  peak_bytes = std::max(peak_bytes, live_bytes);
  return block + 2;
}
void counted_free(void* memory) {
  if (memory == nullptr) return;
  auto* const block = static_cast<std::size_t*>(memory) - 2;
  live_bytes -= *block;
  std::free(block);
}

}  // namespace
}  // namespace jostle::net

using jostle::net::Address;
using jostle::net::current_node;
using jostle::net::sockets;

// ENet's platform functions, implemented with the virtual network.
// The ENet library can only call these functions if they are visible outside of the program.
#pragma GCC visibility push(default)
extern "C" {

enet_uint32 enet_host_random_seed(void) {
  return 4'242;
}
enet_uint32 enet_time_get(void) {
  return static_cast<enet_uint32>(current_node->now_us() / 1'000);
}
ENetSocket enet_socket_create(ENetSocketType) {
  return jostle::net::next_socket++;
}
int enet_socket_bind(ENetSocket socket, const ENetAddress* address) {
  const Address local{ENET_NET_TO_HOST_32(address->host), address->port};
  sockets[socket] = *current_node->open_datagram_socket(local);
  return 0;
}
int enet_socket_get_address(ENetSocket socket, ENetAddress* address) {
  const Address local = sockets.at(socket)->local_address();
  *address = {ENET_HOST_TO_NET_32(local.ip.v4()), local.port};
  return 0;
}
int enet_socket_set_option(ENetSocket, ENetSocketOption, int) {
  return 0;
}
void enet_socket_destroy(ENetSocket socket) {
  sockets.erase(socket);
}
int enet_socket_send(ENetSocket socket, const ENetAddress* to, const ENetBuffer* buffers,
                     size_t count) {
  if (to->port == 0) return -1;  // EINVAL, as on Linux
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < count; ++i) {
    const auto* const data = static_cast<const std::byte*>(buffers[i].data);
    bytes.insert(bytes.end(), data, data + buffers[i].dataLength);
  }
  sockets.at(socket)->send({ENET_NET_TO_HOST_32(to->host), to->port}, bytes);
  return static_cast<int>(bytes.size());
}
int enet_socket_receive(ENetSocket socket, ENetAddress* from, ENetBuffer* buffers, size_t) {
  const auto got = sockets.at(socket)->receive(
      {static_cast<std::byte*>(buffers[0].data), buffers[0].dataLength});
  if (!got) return 0;
  if (got->is_truncated) return -1;  // MSG_TRUNC
  *from = {ENET_HOST_TO_NET_32(got->from.ip.v4()), got->from.port};
  return static_cast<int>(got->bytes);
}
int enet_socket_wait(ENetSocket, enet_uint32* condition, enet_uint32) {
  *condition = ENET_SOCKET_WAIT_NONE;
  return 0;
}

}  // extern "C"
#pragma GCC visibility pop

namespace jostle::net {
namespace {

constexpr std::uint32_t server_ip = 0x0A000001, client_ip = 0x0A000101, forger_ip = 0x0A00BEEF;
constexpr std::uint16_t port = 7'777;
constexpr Address server_address{server_ip, port};

/// An ENet host that is used as in ENet's tutorial, without any protection.
struct BareHost {
  BareHost(VirtualNetwork& network, std::uint32_t ip, std::uint16_t at, std::size_t peers)
      : node(&network.node(ip)) {
    current_node = node;
    const ENetAddress address{ENET_HOST_TO_NET_32(ip), at};
    host = enet_host_create(&address, peers, 4, 0, 0);
  }
  BareHost(const BareHost&) = delete;
  BareHost& operator=(const BareHost&) = delete;
  ~BareHost() {
    current_node = node;
    enet_host_destroy(host);
  }
  ENetPeer* connect() {
    current_node = node;
    const ENetAddress address{ENET_HOST_TO_NET_32(server_ip), port};
    return enet_host_connect(host, &address, 4, 0);
  }
  void service() {
    current_node = node;
    ENetEvent event{};
    int result = 0;
    while ((result = enet_host_service(host, &event, 0)) > 0) {
      if (event.type == ENET_EVENT_TYPE_CONNECT) ++connects;
      if (event.type == ENET_EVENT_TYPE_DISCONNECT) ++disconnects;
      if (event.type != ENET_EVENT_TYPE_RECEIVE) continue;
      received.emplace_back(reinterpret_cast<const char*>(event.packet->data),
                            event.packet->dataLength);
      enet_packet_destroy(event.packet);
    }
    if (result < 0) ++errors;
  }

  VirtualNode* node;
  ENetHost* host = nullptr;
  int connects = 0, disconnects = 0, errors = 0;
  std::vector<std::string> received;
};

struct BareEnet : testing::Test {
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 60); ++i) {
      network.advance(16'667);
      server.service();
      if (client) client->service();
    }
  }
  ENetPeer* connect_one() {
    client = std::make_unique<BareHost>(network, client_ip, 9'000, 1);
    ENetPeer* const peer = client->connect();
    run(1);
    EXPECT_EQ(server.connects, 1);
    return peer;
  }
  void inject(Address from, std::vector<std::byte> bytes) {
    network.inject({.from = from, .to = server_address, .bytes = std::move(bytes)});
  }
  void send(ENetPeer* peer, std::string_view text, enet_uint32 flags) {
    current_node = client->node;
    enet_peer_send(peer, 0, enet_packet_create(text.data(), text.size(), flags));
    enet_host_flush(client->host);
  }

  /// Counts the memory that ENet allocates. This member is the first, so that the counters are
  /// installed before the first host is created.
  struct CountedMemory {
    CountedMemory() {
      const ENetCallbacks callbacks{counted_malloc, counted_free, nullptr};
      enet_initialize_with_callbacks(ENET_VERSION, &callbacks);
    }
  } counted_memory;
  VirtualNetwork network{1};
  BareHost server{network, server_ip, port, 32};
  std::unique_ptr<BareHost> client;
};

TEST_F(BareEnet, ForgedConnectsTakeAllPeersAndAreAmplifiedFourfold) {
  std::uint64_t sent = 0, answered = 0;
  network.set_tap([&](const Datagram& datagram) { answered += datagram.bytes.size(); });
  for (std::uint32_t i = 0; i < 32; ++i) {
    auto bytes = connect_datagram({.mtu = 1'400, .id = i});
    sent += bytes.size();
    inject({forger_ip + i, 9}, std::move(bytes));
  }
  run(20);
  EXPECT_GT(answered, 4 * sent);
  network.set_tap({});
  client = std::make_unique<BareHost>(network, client_ip, 9'000, 1);
  client->connect();
  run(5);
  EXPECT_EQ(client->connects, 0);
}

TEST_F(BareEnet, AForgedDisconnectEndsASession) {
  connect_one();
  // The attacker can guess both values: the first peer has the number 0, and a session has one of
  // only four values.
  for (unsigned session = 0; session < 4; ++session) {
    EnetBytes bytes;
    bytes.u16(session << 12).command(0x44, 0xFF, 1).u32(0);
    inject({client_ip, 9'000}, bytes.take());
  }
  run(0.1);
  EXPECT_EQ(server.disconnects, 1);
}

TEST_F(BareEnet, AFewKilobytesOfFragmentsAllocateTensOfMegabytes) {
  connect_one();
  const std::size_t before = live_bytes;
  std::size_t sent = 0;
  for (unsigned i = 0; i < 50; ++i) {
    const unsigned sequence = 10 + 2 * i;
    EnetBytes bytes;
    bytes.u16(0x8000U).u16(1).command(0x88, 0, sequence).u16(sequence).u16(1);
    bytes.u32(1'000).u32(0).u32(700'000).u32(0).u8(0);
    auto datagram = bytes.take();
    // Try all four session values, as ENet's choice is unknown here.
    for (unsigned session = 0; session < 4; ++session) {
      datagram[0] = static_cast<std::byte>(0x80U | (session << 4));
      sent += datagram.size();
      inject({client_ip, 9'000}, datagram);
    }
    if (i % 20 == 0) run(0.02);
  }
  run(0.1);
  EXPECT_LT(sent, 7'000U);
  EXPECT_GT(live_bytes - before, 30'000'000U) << "for a single peer";
}

TEST_F(BareEnet, AnOversizedDatagramOrPortZeroFailsTheServiceCall) {
  inject({forger_ip, 9}, std::vector<std::byte>(5'000));
  run(0.1);
  EXPECT_EQ(server.errors, 1);
  inject({forger_ip, 0}, connect_datagram({}));
  run(0.1);
  EXPECT_GE(server.errors, 2);
}

TEST_F(BareEnet, LostUnreliableFragmentsMakeAPeerStopReceiving) {
  ENetPeer* const peer = connect_one();
  network.set_default_faults({.loss = 0.05f});
  const std::string long_text(3'000, 'x');
  std::size_t heard = 0, last_minute = 0;
  int minutes = 0;
  for (; minutes < 120; ++minutes) {
    const std::size_t before = server.received.size();
    for (int tick = 0; tick < 3'600; ++tick) {
      send(peer, long_text, ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT);
      network.advance(16'667);
      server.service();
      client->service();
    }
    last_minute = server.received.size() - before;
    heard += last_minute;
    server.received.clear();
    if (last_minute == 0) break;
  }
  EXPECT_EQ(last_minute, 0U) << "after " << minutes << " minutes; " << heard << " were received";
  EXPECT_EQ(server.disconnects, 0) << "still connected, but receives nothing";
}

TEST_F(BareEnet, AcceptsReplayedDatagrams) {
  ENetPeer* const peer = connect_one();
  std::vector<Datagram> captured;
  network.set_tap([&](const Datagram& datagram) {
    if (datagram.to == server_address) captured.push_back(datagram);
  });
  send(peer, "fire", ENET_PACKET_FLAG_UNSEQUENCED);
  network.set_tap({});
  run(0.1);
  // Move ENet's window of received unsequenced groups, which has 1,024 bits, past the captured
  // datagram.
  for (int i = 0; i < 3'000; ++i) {
    send(peer, "other", ENET_PACKET_FLAG_UNSEQUENCED);
    if (i % 100 == 0) run(0.02);
  }
  run(0.1);
  const auto count = [&] {
    return std::count(server.received.begin(), server.received.end(), "fire");
  };
  EXPECT_EQ(count(), 1);
  // Group numbers have 16 bits. After 65,000 datagrams they have nearly wrapped, so ENet takes the
  // captured group for a new one.
  for (int i = 0; i < 62'000; ++i) {
    send(peer, "other", ENET_PACKET_FLAG_UNSEQUENCED);
    if (i % 100 == 0) run(0.02);
  }
  for (const Datagram& datagram : captured)
    network.inject(datagram);
  run(0.1);
  EXPECT_EQ(count(), 2);
}

TEST_F(BareEnet, DeliversCorruptedMessages) {
  ENetPeer* const peer = connect_one();
  std::optional<Datagram> captured;
  network.set_tap([&](const Datagram& datagram) { captured = datagram; });
  network.set_default_faults({.latency_us = 5'000'000});
  send(peer, "hello", ENET_PACKET_FLAG_UNSEQUENCED);
  network.set_tap({});
  ASSERT_TRUE(captured);
  captured->bytes.back() ^= std::byte{1};
  network.inject(*captured);
  run(0.1);
  ASSERT_EQ(server.received.size(), 1U);
  EXPECT_EQ(server.received[0], "helln");
}

}  // namespace
}  // namespace jostle::net
