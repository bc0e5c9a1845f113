// A program that uses ENet itself beside the libraries, which replace ENet's platform functions for
// their own hosts.
#include "tests/api/server_support.h"

#include <enet/enet.h>

#include <memory>

namespace jostle::api_test {
namespace {

using Host = std::unique_ptr<ENetHost, decltype(&enet_host_destroy)>;

/// Sends a packet from one ENet host to another and returns the received text.
std::string send_packet(ENetHost& from, ENetHost& to) {
  ENetAddress address{};
  enet_address_set_host(&address, "localhost");
  ENetAddress bound{};
  if (enet_socket_get_address(to.socket, &bound) != 0) return "the host has no address";
  address.port = bound.port;
  ENetPeer* const peer = enet_host_connect(&from, &address, 1, 0);
  if (peer == nullptr) return "no peer";
  constexpr int rounds = 2'000;
  for (int i = 0; i < rounds; ++i) {
    ENetEvent event{};
    if (enet_host_service(&from, &event, 1) > 0 && event.type == ENET_EVENT_TYPE_CONNECT)
      enet_peer_send(peer, 0, enet_packet_create("hello", 5, ENET_PACKET_FLAG_RELIABLE));
    if (enet_host_service(&to, &event, 1) > 0 && event.type == ENET_EVENT_TYPE_RECEIVE) {
      std::string text(reinterpret_cast<const char*>(event.packet->data), event.packet->dataLength);
      enet_packet_destroy(event.packet);
      return text;
    }
  }
  return "nothing arrived";
}

Host make_host(bool is_server) {
  ENetAddress address{ENET_HOST_ANY, ENET_PORT_ANY};
  return {enet_host_create(is_server ? &address : nullptr, 4, 1, 0, 0), &enet_host_destroy};
}

TEST(Enet, IsUsableByTheProgramBesideAServer) {
  ASSERT_EQ(0, enet_initialize());
  const Host early = make_host(true);
  ASSERT_NE(nullptr, early);
  const jostle_scene scene = make_scene();
  {
    const Server server(server_def(scene));
    server.step(3);
    const Host late = make_host(false);
    ASSERT_NE(nullptr, late);
    EXPECT_EQ("hello", send_packet(*late, *early));
    server.step(3);
    EXPECT_EQ(6U, server.info().tick);
  }
  const Host last = make_host(false);
  EXPECT_EQ("hello", send_packet(*last, *early));
  jostle_scene_destroy(scene);
}

}  // namespace
}  // namespace jostle::api_test
