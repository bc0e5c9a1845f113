#include "shared/net/enet_firewall.h"

#include "shared/base/random.h"
#include "tests/net/enet_bytes.h"
#include "tests/net/net_fixture.h"

#include <map>
#include <set>

namespace jostle::net {
namespace {

struct Case {
  std::string name;
  std::vector<std::byte> datagram;
  DatagramVerdict verdict;
};

std::ostream& operator<<(std::ostream& out, const Case& row) {
  return out << row.name;
}

std::vector<std::byte> one(unsigned code, unsigned channel, std::size_t fill) {
  return EnetBytes().header(3).command(code, channel, 7).fill(fill).take();
}

std::vector<std::byte> with_payload(unsigned code, unsigned channel, unsigned length,
                                    std::size_t payload) {
  EnetBytes out;
  out.header(3).command(code, channel, 7);
  if (code == 0x49 || code == 0x07) out.u16(9);
  return out.u16(length).fill(payload).take();
}

std::vector<Case> plain_cases() {
  using V = DatagramVerdict;
  const auto acknowledgement = [](unsigned channel, unsigned first, unsigned second) {
    return EnetBytes().header_without_time(3).command(1, channel, first).u16(second).u16(0).take();
  };
  const auto limit = [](std::uint32_t in, std::uint32_t out) {
    return EnetBytes().header(3).command(0x8A, 0xFF, 4).u32(in).u32(out).take();
  };
  const auto pings = [](int count) {
    EnetBytes out;
    out.header(3);
    for (int i = 0; i < count; ++i)
      out.command(0x85, 0xFF, 5);
    return out.take();
  };
  return {
      {"empty datagram", {}, V::TooShort},
      {"one byte", EnetBytes().u8(0).take(), V::TooShort},
      {"header without its time", EnetBytes().u16(0x8003).take(), V::TooShort},
      {"header only", EnetBytes().header(3).take(), V::Empty},
      {"header without time only", EnetBytes().u16(0x1003).take(), V::Empty},
      {"compressed", EnetBytes().u16(0x4003).command(5, 0xFF, 1).take(), V::Compressed},
      {"ping", pings(1), V::Accepted},
      {"32 pings", pings(32), V::Accepted},
      {"33 pings", pings(33), V::TooManyCommands},
      {"longest", with_payload(0x86, 0, 1'140, 1'140), V::Accepted},
      {"beyond the MTU", one(0x85, 0xFF, 1'161), V::TooLong},
      {"cut inside a command header", EnetBytes().header(3).u8(0x85).u8(0xFF).take(), V::TooShort},
      {"command 0", one(0x80, 0xFF, 0), V::UnknownCommand},
      {"command 13", one(0x8D, 0xFF, 40), V::UnknownCommand},
      {"command 14", one(0x8E, 0xFF, 40), V::UnknownCommand},
      {"command 15", one(0x8F, 0xFF, 40), V::UnknownCommand},
      {"sequenced unreliable", with_payload(0x07, 1, 4, 4), V::ForbiddenCommand},
      {"throttle configure", one(0x8B, 0xFF, 12), V::ForbiddenCommand},
      {"unreliable fragment", one(0x0C, 1, 20), V::ForbiddenCommand},
      {"acknowledgement", acknowledgement(0, 5, 5), V::Accepted},
      {"acknowledgement of protocol", acknowledgement(0xFF, 5, 5), V::Accepted},
      {"acknowledgement, two numbers", acknowledgement(0, 5, 6), V::BadAcknowledgement},
      {"acknowledgement, unsequenced channel", acknowledgement(1, 5, 5), V::BadChannel},
      {"acknowledgement, channel 4", acknowledgement(4, 5, 5), V::BadChannel},
      {"acknowledgement with a flag", one(0x81, 0, 4), V::BadFlags},
      {"acknowledgement, short", EnetBytes().header_without_time(3).command(1, 0, 5).u16(5).take(),
       V::TooShort},
      {"bandwidth limit", limit(0, 0), V::Accepted},
      {"bandwidth limit in", limit(1, 0), V::BadBandwidth},
      {"bandwidth limit out", limit(0, 1), V::BadBandwidth},
      {"disconnect", one(0x84, 0xFF, 4), V::Accepted},
      {"disconnect now", EnetBytes().header_without_time(3).command(0x44, 0xFF, 2).u32(1).take(),
       V::Accepted},
      {"disconnect without flag", one(0x04, 0xFF, 4), V::BadFlags},
      {"disconnect with both flags", one(0xC4, 0xFF, 4), V::BadFlags},
      {"disconnect on a channel", one(0x84, 0, 4), V::BadChannel},
      {"ping not acknowledged", one(0x05, 0xFF, 0), V::BadFlags},
      {"ping without time", EnetBytes().header_without_time(3).command(0x85, 0xFF, 1).take(),
       V::BadFlags},
      {"ping on a channel", one(0x85, 2, 0), V::BadChannel},
      {"ping from an unknown peer", EnetBytes().header_from_unknown().command(0x85, 0xFF, 1).take(),
       V::BadPeer},
  };
}

std::vector<Case> message_cases() {
  using V = DatagramVerdict;
  return {
      {"reliable", with_payload(0x86, 0, 10, 10), V::Accepted},
      {"reliable, empty", with_payload(0x86, 2, 0, 0), V::Accepted},
      {"reliable on an unsequenced channel", with_payload(0x86, 1, 10, 10), V::BadChannel},
      {"reliable on channel 4", with_payload(0x86, 4, 10, 10), V::BadChannel},
      {"reliable on channel 255", with_payload(0x86, 255, 10, 10), V::BadChannel},
      {"reliable, longer than the datagram", with_payload(0x86, 0, 11, 10), V::BadLength},
      {"reliable, one byte left over", with_payload(0x86, 0, 9, 10), V::BadFlags},
      {"reliable, longer than a fragment", with_payload(0x86, 0, 1'141, 1'141), V::BadLength},
      {"reliable, unsequenced flag", with_payload(0xC6, 0, 10, 10), V::BadFlags},
      {"unsequenced", with_payload(0x49, 1, 10, 10), V::Accepted},
      {"unsequenced, longest", with_payload(0x49, 3, 1'120, 1'120), V::Accepted},
      {"unsequenced, too long", with_payload(0x49, 3, 1'121, 1'121), V::BadLength},
      {"unsequenced, longer than the datagram", with_payload(0x49, 3, 0xFFFF, 4), V::BadLength},
      {"unsequenced on a reliable channel", with_payload(0x49, 2, 10, 10), V::BadChannel},
      {"unsequenced, to be acknowledged", with_payload(0x89, 1, 10, 10), V::BadFlags},
      {"first fragment", fragment_datagram({}), V::Accepted},
      {"last fragment",
       fragment_datagram(
           {.sequence = 114, .length = 424, .number = 14, .offset = 14 * 1'140, .payload = 424}),
       V::Accepted},
      {"fragment across the sequence wrap",
       fragment_datagram({.sequence = 0, .start = 65'535, .number = 1, .offset = 1'140}),
       V::Accepted},
      {"fragment on an unsequenced channel", fragment_datagram({.channel = 1}), V::BadChannel},
      {"fragment, total beyond the limit", fragment_datagram({.total = 16'385}), V::BadFragment},
      {"fragment, total of one fragment", fragment_datagram({.count = 1, .total = 1'140}),
       V::BadFragment},
      {"fragment, no total", fragment_datagram({.length = 0, .count = 0, .total = 0, .payload = 0}),
       V::BadFragment},
      {"fragment, 17 of them", fragment_datagram({.count = 17}), V::BadFragment},
      {"fragment, a million of them", fragment_datagram({.count = 1'000'000}), V::BadFragment},
      {"fragment, count does not fit total", fragment_datagram({.count = 14}), V::BadFragment},
      {"fragment, number = count", fragment_datagram({.number = 15}), V::BadFragment},
      {"fragment, huge number", fragment_datagram({.number = 0xFFFFFFFF}), V::BadFragment},
      {"fragment, offset of another", fragment_datagram({.offset = 1'140}), V::BadFragment},
      {"fragment, offset beyond total", fragment_datagram({.offset = 16'384}), V::BadFragment},
      {"fragment, offset wraps", fragment_datagram({.offset = 0xFFFFFFFF}), V::BadFragment},
      {"fragment, short", fragment_datagram({.length = 1'139, .payload = 1'139}), V::BadFragment},
      {"fragment, sequence of another", fragment_datagram({.sequence = 101}), V::BadFragment},
      {"fragment, payload missing", fragment_datagram({.payload = 1'139}), V::BadLength},
  };
}

std::vector<Case> connect_cases() {
  using V = DatagramVerdict;
  auto followed = connect_datagram({});
  followed.insert(followed.end(), 8, std::byte{1});
  auto from_peer = connect_datagram({});
  from_peer[0] = std::byte{0x80};
  from_peer[1] = std::byte{0x03};
  auto with_session = connect_datagram({});
  with_session[0] = std::byte{0x9F};
  return {
      {"connect", connect_datagram({}), V::Accepted},
      {"connect again", connect_datagram({.incoming_session = 3, .outgoing_session = 0}),
       V::Accepted},
      {"connect, short",
       [] {
         auto d = connect_datagram({});
         d.pop_back();
         return d;
       }(),
       V::TooShort},
      {"connect, followed by more", followed, V::BadConnect},
      {"connect from a known peer", from_peer, V::BadPeer},
      {"connect with a session", with_session, V::BadPeer},
      {"connect, peer 4095", connect_datagram({.peer = 0xFFF}), V::BadConnect},
      {"connect, peer 65535", connect_datagram({.peer = 0xFFFF}), V::BadConnect},
      {"connect, session 4", connect_datagram({.incoming_session = 4}), V::BadConnect},
      {"connect, session 254", connect_datagram({.outgoing_session = 0xFE}), V::BadConnect},
      {"connect, MTU above", connect_datagram({.mtu = 1'169}), V::BadConnect},
      {"connect, MTU below", connect_datagram({.mtu = 576}), V::BadConnect},
      {"connect, no window", connect_datagram({.window = 0}), V::BadConnect},
      {"connect, window above", connect_datagram({.window = 65'537}), V::BadConnect},
      {"connect, no channels", connect_datagram({.channels = 0}), V::BadConnect},
      {"connect, 3 channels", connect_datagram({.channels = 3}), V::BadConnect},
      {"connect, 255 channels", connect_datagram({.channels = 255}), V::BadConnect},
      {"connect, bandwidth in", connect_datagram({.incoming_bandwidth = 1}), V::BadConnect},
      {"connect, bandwidth out", connect_datagram({.outgoing_bandwidth = 1}), V::BadConnect},
      {"connect, throttle interval", connect_datagram({.throttle_interval = 1}), V::BadConnect},
      {"connect, throttle acceleration", connect_datagram({.throttle_acceleration = 2}),
       V::BadConnect},
      {"connect, throttle deceleration", connect_datagram({.throttle_deceleration = 2}),
       V::BadConnect},
      {"verify", verify_datagram({}), V::Accepted},
      {"verify, session 4", verify_datagram({.incoming_session = 4}), V::BadConnect},
      {"verify, session 254", verify_datagram({.outgoing_session = 0xFE}), V::BadConnect},
      {"verify, MTU above", verify_datagram({.mtu = 4'096}), V::BadConnect},
      {"verify, 2 channels", verify_datagram({.channels = 2}), V::BadConnect},
      {"verify, peer 4095", verify_datagram({.peer = 0xFFF}), V::BadConnect},
  };
}

class EnetFirewall : public testing::TestWithParam<Case> {};

TEST_P(EnetFirewall, ReturnsTheExpectedVerdict) {
  const Case& row = GetParam();
  EXPECT_EQ(describe(inspect(row.datagram)), describe(row.verdict));
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char letter : info.param.name)
    name += std::isalnum(letter) ? letter : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Protocol, EnetFirewall, testing::ValuesIn(plain_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Messages, EnetFirewall, testing::ValuesIn(message_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Connects, EnetFirewall, testing::ValuesIn(connect_cases()), case_name);

/// Returns every ENet datagram of three clients' sessions with a server over a bad link. The
/// sessions contain all kinds of messages. One ends by disconnect(), one by drop(), and one does
/// not end.
std::vector<std::vector<std::byte>> capture_session(std::uint64_t seed) {
  VirtualMatch match(seed);
  match.network.set_default_faults({.loss = 0.1F,
                                    .latency_us = 20'000,
                                    .jitter_us = 30'000,
                                    .duplication = 0.1F,
                                    .reordering = 0.1F});
  std::vector<std::vector<std::byte>> captured;
  match.set_enet_tap(
      [&](std::span<const std::byte> bytes) { captured.emplace_back(bytes.begin(), bytes.end()); });
  match.open_server(server_options());
  for (int i = 0; i < 3; ++i)
    match.add_client(client_options());
  EXPECT_TRUE(match.run_until([&] { return match.server.connected() == 3; }, 20 * second_us));
  for (int round = 0; round < 100; ++round) {
    const std::vector<std::byte> reliable(static_cast<std::size_t>(round) * 160);
    const std::vector<std::byte> unreliable(static_cast<std::size_t>(round) * 11);
    for (std::size_t i = 0; i < match.clients.size(); ++i) {
      EXPECT_TRUE(match.clients[i].transport->send(*match.ids[i], Channel::State, unreliable));
      (void)match.clients[i].transport->send(*match.ids[i], Channel::Control, reliable);
    }
    for (const PeerEvent& event : match.server.of_kind(PeerEvent::Kind::Connected)) {
      EXPECT_TRUE(match.server.transport->send(event.peer, Channel::Time, unreliable));
      (void)match.server.transport->send(event.peer, Channel::Bulk, reliable);
    }
    match.tick();
  }
  match.run(2 * second_us);
  match.clients[0].transport->disconnect(*match.ids[0], DisconnectReason::Requested);
  match.clients[1].transport->drop(*match.ids[1], DisconnectReason::Requested);
  match.run(5 * second_us);
  return captured;
}

TEST(EnetFirewall, AcceptsEveryDatagramOfRealSessions) {
  std::map<unsigned, std::size_t> commands;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    for (const std::vector<std::byte>& datagram : capture_session(seed)) {
      ASSERT_EQ(describe(inspect(datagram)), "accepted");
      const std::size_t header_bytes = (datagram[0] & std::byte{0x80}) != std::byte{0} ? 4 : 2;
      ++commands[static_cast<unsigned>(datagram[header_bytes]) & 0x0FU];
    }
  }
  // The capture must contain the important commands: acknowledge, connect, verify, disconnect,
  // ping, reliable, fragment and unsequenced.
  for (const unsigned command : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 9U}) {
    EXPECT_GT(commands[command], 0U) << "command " << command;
  }
}

// ENet silently ignores the rest of a datagram from the first invalid command on. The firewall must
// accept a truncated datagram only if it is cut between two commands, so that it is itself a valid
// datagram.
TEST(EnetFirewall, RejectsDatagramsTruncatedInsideACommand) {
  const std::vector<std::vector<std::byte>> captured = capture_session(3);
  std::set<std::size_t> lengths_seen;
  for (const std::vector<std::byte>& datagram : captured) {
    if (!lengths_seen.insert(datagram.size()).second) continue;
    std::size_t accepted = 0;
    for (std::size_t length = 0; length < datagram.size(); ++length) {
      if (inspect(std::span(datagram).first(length)) == DatagramVerdict::Accepted) ++accepted;
    }
    EXPECT_LT(accepted, max_commands_per_datagram);
  }
}

TEST(EnetFirewall, SurvivesRandomAndMutatedBytes) {
  const std::vector<std::vector<std::byte>> captured = capture_session(4);
  base::Random random(99);
  std::array<std::size_t, datagram_verdict_count> verdicts{};
  for (int round = 0; round < 200'000; ++round) {
    std::vector<std::byte> datagram =
        captured[random.below(static_cast<std::uint32_t>(captured.size()))];
    if (random.chance(0.2F)) datagram.resize(random.below(1'400));
    const std::uint32_t changes = 1 + random.below(4);
    for (std::uint32_t i = 0; i < changes && !datagram.empty(); ++i) {
      // Mostly change the first bytes, which contain the header fields.
      const auto reach = static_cast<std::uint32_t>(
          random.chance(0.8F) ? std::min<std::size_t>(datagram.size(), 40) : datagram.size());
      datagram[random.below(reach)] = static_cast<std::byte>(random.next() >> 56);
    }
    ++verdicts[static_cast<std::size_t>(inspect(datagram))];
  }
  for (const auto verdict :
       {DatagramVerdict::Accepted, DatagramVerdict::TooShort, DatagramVerdict::TooLong,
        DatagramVerdict::Compressed, DatagramVerdict::UnknownCommand, DatagramVerdict::BadFlags,
        DatagramVerdict::BadChannel, DatagramVerdict::BadLength, DatagramVerdict::BadFragment,
        DatagramVerdict::BadAcknowledgement}) {
    EXPECT_GT(verdicts[static_cast<std::size_t>(verdict)], 0U) << describe(verdict);
  }
}

TEST(EnetFirewall, ReturnsTheConnectIdOfConnectsOnly) {
  const auto id = connect_id(connect_datagram({.id = 0x01020304}));
  ASSERT_TRUE(id);
  const auto bytes = std::as_bytes(std::span(&*id, 1));
  EXPECT_EQ(bytes[0], std::byte{1});
  EXPECT_EQ(bytes[3], std::byte{4});
  EXPECT_FALSE(connect_id(verify_datagram({})));
  EXPECT_FALSE(connect_id(fragment_datagram({})));
  EXPECT_FALSE(connect_id({}));
}

}  // namespace
}  // namespace jostle::net
