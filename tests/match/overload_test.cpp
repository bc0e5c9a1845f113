#include "shared/net/enet_transport.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

// An overloaded server skips ticks (server::TickLoop). Clients must not be punished for that.

namespace jostle::match {
namespace {

std::unique_ptr<net::EnetTransport> transport_at(net::VirtualNetwork& network, net::Address bind,
                                                 bool is_server) {
  net::EnetOptions options;
  options.bind = bind;
  options.is_insecure_bind_allowed = true;
  options.is_accepting = is_server;
  return *net::EnetTransport::create(network.node(bind.ip), options);
}

client::Options options_of_client() {
  client::Options options;
  options.server = {server_ip, server_port};
  return options;
}

class Overload : public testing::Test {
 protected:
  static constexpr std::int64_t step_us = 2'000, tick_us = 1'000'000 / 60;

  net::VirtualNetwork network{3};
  std::unique_ptr<net::EnetTransport> server_transport =
      transport_at(network, {server_ip, server_port}, true);
  sim::Simulation simulation{scene_of(match_scene), {60, 3}, sim::default_rules()};
  server::Server server{network.node(server_ip), *server_transport, simulation, {}};
  std::unique_ptr<net::EnetTransport> client_transport =
      transport_at(network, {first_client_ip, 0}, false);
  client::Client client{network.node(first_client_ip), *client_transport, options_of_client()};
};

TEST_F(Overload, DoesNotDisconnectWellBehavedClients) {
  constexpr int ticks_of_which_one_is_made = 12;
  constexpr std::int64_t seconds = 20;
  std::int64_t due_us = tick_us;
  while (network.now_us() < seconds * 1'000'000) {
    network.advance(step_us);
    server.receive();
    if (network.now_us() >= due_us) {
      server.tick(due_us);
      due_us += ticks_of_which_one_is_made * tick_us;
    }
    client.update();
  }
  EXPECT_EQ(server.metrics().messages_refused, 0U);
  EXPECT_EQ(server.metrics().sessions_dropped, 0U);
  EXPECT_EQ(client.status().state, client::ClientState::Playing);
  // The client continued to send at its own rate. A message budget that grew only with simulated
  // ticks would be too small for this rate.
  const double messages = static_cast<double>(client_transport->counters().datagrams_sent);
  const double allowed_for_a_tick = server::messages_per_second_of(60) / 60;
  EXPECT_GT(messages, allowed_for_a_tick * static_cast<double>(server.metrics().ticks));
}

// All messages that were sent during the stall arrive at once after it.
TEST_F(Overload, AStallOfSecondsDoesNotCountAgainstClients) {
  std::int64_t due_us = tick_us;
  while (network.now_us() < 20'000'000) {
    network.advance(step_us);
    client.update();
    const bool stands_still = network.now_us() > 8'000'000 && network.now_us() < 12'000'000;
    if (stands_still) continue;
    server.receive();
    if (network.now_us() >= due_us) {
      server.tick(due_us);
      due_us = std::max(due_us + tick_us, network.now_us() - tick_us);
    }
  }
  EXPECT_EQ(server.metrics().messages_refused, 0U);
  EXPECT_EQ(client.status().state, client::ClientState::Playing);
}

}  // namespace
}  // namespace jostle::match
