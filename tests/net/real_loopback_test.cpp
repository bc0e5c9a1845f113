#include "shared/net/system_io.h"
#include "tests/net/net_fixture.h"

#include <poll.h>

namespace jostle::net {
namespace {

/// Services the parties until the condition holds. Each round waits up to 1 ms for a datagram.
/// Returns false after 300 s, which is far longer than a busy machine takes.
bool service_until(std::vector<Party*> parties, const std::function<bool()>& condition) {
  SystemIo io;
  const std::int64_t end_us = io.now_us() + 300 * second_us;
  while (!condition()) {
    if (io.now_us() >= end_us) return false;
    std::vector<pollfd> waits;
    for (Party* party : parties) {
      party->transport->service(party->events);
      waits.push_back({.fd = party->transport->native_handle(), .events = POLLIN, .revents = 0});
    }
    ::poll(waits.data(), waits.size(), 1);
  }
  return true;
}

TEST(RealLoopback, CarriesMessagesOfEverySizeBothWays) {
  SystemIo io;
  Party server = open_party(io, EnetOptions{});
  EnetOptions options;
  options.is_accepting = false;
  Party client = open_party(io, options);
  const auto id = client.transport->connect(server.transport->local_address());
  ASSERT_TRUE(id);
  ASSERT_TRUE(service_until({&server, &client},
                            [&] { return server.connected() == 1 && client.connected() == 1; }));
  const PeerId peer = server.events[0].peer;
  const std::vector<std::byte> large(max_reliable_bytes, std::byte{0x42});
  const std::vector<std::byte> small(max_unreliable_bytes, std::byte{0x17});
  EXPECT_TRUE(client.transport->send(*id, Channel::Bulk, large));
  EXPECT_TRUE(server.transport->send(peer, Channel::State, small));
  ASSERT_TRUE(service_until({&server, &client}, [&] {
    return server.received().size() == 1 && client.received().size() == 1;
  }));
  EXPECT_EQ(server.received()[0].bytes, large);
  EXPECT_EQ(client.received()[0].bytes, small);

  client.transport->disconnect(*id, DisconnectReason::Requested);
  ASSERT_TRUE(service_until({&server, &client}, [&] {
    return server.disconnected() == 1 && client.disconnected() == 1;
  }));
  EXPECT_EQ(server.events.back().reason, DisconnectReason::Requested);
}

}  // namespace
}  // namespace jostle::net
