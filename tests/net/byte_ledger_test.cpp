#include "shared/base/random.h"
#include "shared/net/traffic_breakdown.h"
#include "tests/net/enet_bytes.h"
#include "tests/net/net_fixture.h"

#include <algorithm>

namespace jostle::net {
namespace {

constexpr std::uint64_t ip_and_udp = 28;

/// Returns a message of `bytes` bytes with the FlatBuffers file identifier `letters`, which follows
/// the first four bytes.
std::vector<std::byte> lettered(std::string_view letters, std::size_t bytes) {
  std::vector<std::byte> made(bytes, std::byte{200});
  const auto view = std::as_bytes(std::span(letters));
  std::copy(view.begin(), view.end(), made.begin() + 4);
  return made;
}

std::uint64_t bytes_of_kind(const TrafficBreakdown& ledger, std::string_view letters) {
  for (const TrafficBreakdown::Kind& kind : ledger.kinds) {
    if (std::string_view(kind.letters.data(), 4) == letters) return kind.bytes;
  }
  return 0;
}

void expect_whole(const TransportCounters& counters) {
  EXPECT_EQ(counters.sent.datagrams, counters.datagrams_sent);
  EXPECT_EQ(counters.received.datagrams, counters.datagrams_received);
  EXPECT_EQ(counters.sent.total_bytes(),
            counters.bytes_sent + ip_and_udp * counters.datagrams_sent);
  EXPECT_EQ(counters.received.total_bytes(),
            counters.bytes_received + ip_and_udp * counters.datagrams_received);
}

TEST(TrafficBreakdown, AccountsForEveryByteOfASession) {
  VirtualMatch match(3);
  match.network.set_default_faults({.loss = 0.1F, .latency_us = 20'000, .corruption = 0.05F});
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  const PeerId client = match.server.events[0].peer;
  Transport& up = *match.clients[0].transport;
  Transport& down = *match.server.transport;
  for (int i = 0; i < 40; ++i) {
    up.send(*match.ids[0], Channel::State, lettered("JINP", 60));
    down.send(client, Channel::State, lettered("JSN2", 400));
    if (i % 4 == 0) down.send(client, Channel::Bulk, lettered("JBLB", 5'000));
    match.run(tick_us);
  }
  match.run(5 * second_us);
  expect_whole(up.counters());
  expect_whole(down.counters());

  const TrafficBreakdown sent = down.counters().sent;
  EXPECT_EQ(bytes_of_kind(sent, "JSN2"), 40U * 400);
  // The ten messages have five fragments each. Only the first fragment of a message contains the
  // letters. Lost fragments are sent again.
  EXPECT_GE(bytes_of_kind(sent, "JBLB"), 10 * enet_fragment_bytes);
  EXPECT_GE(bytes_of_kind(sent, "JBLB") + bytes_of_kind(sent, "...."), 10U * 5'000);
  EXPECT_GT(sent.connection_bytes, 0U);
  EXPECT_GT(up.counters().sent.acknowledge_bytes, 0U);
  EXPECT_GT(up.counters().received.refused_bytes, 0U) << "corrupted datagrams";
  EXPECT_LT(bytes_of_kind(up.counters().received, "JSN2"), 40U * 400);
}

TEST(TrafficBreakdown, CountsMoreKindsThanItHasEntries) {
  TrafficBreakdown ledger;
  base::Random random(4);
  std::uint64_t bytes = 0;
  for (int i = 0; i < 200; ++i) {
    std::string letters(4, 'a');
    for (char& c : letters)
      c = static_cast<char>(random.below(256));
    const auto payload = lettered(letters, 8 + random.below(50));
    EnetBytes datagram;
    datagram.header_without_time(1)
        .command(0x49, 1, 0)
        .u16(1)
        .u16(static_cast<unsigned>(payload.size()));
    std::vector<std::byte> raw = datagram.take();
    raw.insert(raw.end(), payload.begin(), payload.end());
    bytes += raw.size() + ip_and_udp + secure::sealed_overhead_bytes;
    ledger.add(raw);
  }
  EXPECT_EQ(ledger.total_bytes(), bytes);
  EXPECT_EQ(ledger.datagrams, 200U);
}

TEST(TrafficBreakdown, DifferencesAndTableRowsSumToTheTotal) {
  TrafficBreakdown earlier;
  earlier.add_refused(100);
  TrafficBreakdown later = earlier;
  EnetBytes datagram;
  datagram.header_without_time(1).command(0x49, 1, 0).u16(1).u16(30);
  std::vector<std::byte> raw = datagram.take();
  const auto payload = lettered("JSN2", 30);
  raw.insert(raw.end(), payload.begin(), payload.end());
  later.add(raw);
  const TrafficBreakdown between = later - earlier;
  EXPECT_EQ(between.total_bytes(), 28U + secure::sealed_overhead_bytes + 2 + 8 + 30);
  EXPECT_EQ(between.refused_bytes, 0U);
  std::uint64_t sum = 0;
  const std::vector<TrafficLine> lines = lines_of(between);
  for (const TrafficLine& line : lines)
    sum += line.bytes;
  EXPECT_EQ(sum, between.total_bytes());
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].name, "JSN2");
  EXPECT_EQ(lines[0].messages, 1U);
}

}  // namespace
}  // namespace jostle::net
