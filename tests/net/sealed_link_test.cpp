// Tests of SealedLink's admission, one datagram at a time.
#include "shared/net/sealed_link.h"

#include "shared/net/virtual_network.h"
#include "tests/net/keeping_socket.h"
#include "tests/net/net_fixture.h"
#include "tests/secure/seeded_random.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::net {
namespace {

using secure::HandshakeInitiator;
using secure::seeded;
using Bytes = std::vector<std::byte>;

constexpr Address here{.ip = 0x0A000101, .port = 1'001};

/// A fixture with a link that accepts connections and a socket that records the link's datagrams.
class SealedLinkAdmission : public testing::Test {
 protected:
  SealedLink& open(const SealedLink::Options& options = {}) {
    link_.emplace(io_, counters_, options);
    return *link_;
  }
  HandshakeInitiator guest(std::uint64_t seed) {
    return {{.own = crypto::key_pair(seeded(seed))}, seeded(100 + seed)};
  }
  /// Returns the guest's next datagram.
  Bytes next_of(HandshakeInitiator& guest) { return guest.next_datagram(io_.now_us()).value(); }
  DatagramVerdict take(Bytes datagram, Address from = here) {
    return link_->take(socket_, datagram, from).verdict;
  }
  /// Delivers the link's datagrams to the guest. Returns true if there were any.
  bool answer(HandshakeInitiator& guest) {
    link_->advance(socket_);
    const std::vector<KeepingSocket::Sent> all = socket_.take();
    for (const KeepingSocket::Sent& sent : all)
      guest.take(sent.bytes, io_.now_us());
    return !all.empty();
  }
  /// Runs the handshake up to the guest's AUTH. Returns the AUTH without delivering it to the link.
  Bytes proof_of(HandshakeInitiator& guest, Address from = here) {
    EXPECT_EQ(take(next_of(guest), from), DatagramVerdict::Handshake);
    EXPECT_TRUE(answer(guest));
    EXPECT_EQ(guest.state(), HandshakeInitiator::State::Proving);
    return next_of(guest);
  }
  void come_in(HandshakeInitiator& guest, Address from = here) {
    EXPECT_EQ(take(proof_of(guest, from), from), DatagramVerdict::Handshake);
    EXPECT_TRUE(answer(guest));
  }
  VirtualNetwork network_{7};

 private:
  VirtualNode& io_ = network_.node(0x0A000001);
  TransportCounters counters_;
  KeepingSocket socket_;
  std::optional<SealedLink> link_;
};

TEST_F(SealedLinkAdmission, RefusesClientsBeyondMaxSessions) {
  SealedLink& link = open({.security = {}, .max_sessions = 2, .limits = {}});
  for (std::uint64_t i = 0; i < 2; ++i) {
    HandshakeInitiator one = guest(i);
    come_in(one);
    ASSERT_EQ(one.state(), HandshakeInitiator::State::Admitted);
    link.keep(one.session().number);
  }
  HandshakeInitiator third = guest(2);
  come_in(third);
  EXPECT_EQ(third.state(), HandshakeInitiator::State::Refused);
  EXPECT_EQ(third.text(), "refused the connection: the server is full");
  EXPECT_EQ(link.session_count(), 2U);
}

TEST_F(SealedLinkAdmission, ARepeatedAuthCostsOneKeyExchange) {
  AddressLimits::Options two;
  two.exchanges_per_second = 0;
  two.exchange_burst = 2;
  SealedLink& link = open({.security = {}, .limits = two});
  HandshakeInitiator one = guest(1), other = guest(2);
  const Bytes proof = proof_of(one);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(take(proof), DatagramVerdict::Handshake);
  EXPECT_TRUE(answer(one));
  EXPECT_EQ(one.state(), HandshakeInitiator::State::Admitted);
  EXPECT_EQ(link.session_count(), 1U);
  // Another client at the same address must also be admitted.
  come_in(other);
  EXPECT_EQ(other.state(), HandshakeInitiator::State::Admitted);
}

/// An attacker on the path changes a copy of a client's AUTH, and the copy arrives before the
/// original.
TEST_F(SealedLinkAdmission, AForgedAuthDoesNotBlockTheGenuineOne) {
  open();
  for (const std::size_t changed_at : {std::size_t{70}, secure::auth_bytes - 1}) {
    HandshakeInitiator one = guest(changed_at);
    const Bytes proof = proof_of(one);
    Bytes changed = proof;
    changed[changed_at] ^= std::byte{1};
    EXPECT_EQ(take(changed), DatagramVerdict::Handshake);
    EXPECT_FALSE(answer(one));
    EXPECT_EQ(take(changed), DatagramVerdict::BadHandshake);
    EXPECT_EQ(take(proof), DatagramVerdict::Handshake);
    EXPECT_TRUE(answer(one));
    EXPECT_EQ(one.state(), HandshakeInitiator::State::Admitted);
  }
}

class SealedLinkReflection : public testing::TestWithParam<Wire> {};
INSTANTIATE_TEST_SUITE_P(Wires, SealedLinkReflection, testing::Values(Wire::Memory, Wire::Loopback),
                         name_of);

// Each direction has its own key, so a client must reject its own datagrams when they are
// reflected.
TEST_P(SealedLinkReflection, AClientRejectsItsOwnDatagrams) {
  VirtualMatch match(15, GetParam());
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  Party& client = match.clients[0];
  std::vector<Datagram> own;
  match.network.set_tap([&](const Datagram& datagram) {
    if (datagram.to == server_address) own.push_back(datagram);
  });
  for (int i = 0; i < 300; ++i) {
    client.transport->send(*match.ids[0], Channel::State, message(i, 100));
    client.transport->flush();
  }
  match.network.set_tap({});
  ASSERT_GE(own.size(), 300U);
  const std::uint64_t refused = client.transport->counters().datagrams_refused;
  for (const Datagram& datagram : own) {
    match.network.inject({server_address, datagram.from, datagram.bytes});
    match.network.advance(1'000);
    client.transport->service(client.events);
  }
  // Reflected datagrams with the lowest sequence numbers are rejected as replays instead, because
  // the client has received these numbers from the server.
  EXPECT_GT(verdict_count(client, DatagramVerdict::Forged), 200U);
  EXPECT_EQ(client.transport->counters().datagrams_refused - refused, own.size());
  EXPECT_EQ(client.received().size(), 0U);
}

}  // namespace
}  // namespace jostle::net
