#include "server/clients.h"

#include "protocol/control_codec.h"
#include "server/bulk_sender.h"
#include "server/command_queue.h"
#include "server/time_responder.h"
#include "shared/net/virtual_network.h"
#include "tests/server/fake_transport.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace jostle::server {
namespace {

class ClientsTest : public testing::Test {
 protected:
  ClientSession& add(std::uint32_t peer, std::uint16_t player = 0) {
    ClientSession session;
    session.peer = {peer};
    session.state = ClientSessionState::Playing;
    session.player = {player};
    return clients_.sessions().emplace(net::PeerId{peer}, std::move(session)).first->second;
  }
  static SharedBlob blob(protocol::BlobKind kind, std::size_t bytes) {
    OutgoingBlob made;
    made.kind = kind;
    made.bytes.resize(bytes);
    return std::make_shared<const OutgoingBlob>(std::move(made));
  }
  static state::PlayerInput movement(state::Tick tick, float x) {
    state::PlayerInput input;
    input.tick = tick;
    input.move_x = x;
    return input;
  }
  std::size_t chunks() const {
    std::size_t count = 0;
    for (const FakeTransport::Message& message : transport_.sent)
      count += message.channel == net::Channel::Bulk ? 1 : 0;
    return count;
  }

  net::VirtualNetwork network_{1};
  net::VirtualNode& io_ = network_.node(1);
  FakeTransport transport_;
  Metrics metrics_;
  Clients clients_{io_, transport_, metrics_};
  const std::vector<std::byte> message_ = std::vector<std::byte>(100);
};

TEST_F(ClientsTest, CountsMessagesThatTheTransportRejects) {
  add(1);
  EXPECT_TRUE(clients_.send({1}, net::Channel::State, message_));
  transport_.is_full = true;
  EXPECT_FALSE(clients_.send({1}, net::Channel::State, message_));
  EXPECT_EQ(metrics_.sends_failed, 1U);
}

TEST_F(ClientsTest, SendsToPlayersOnlyWithinTheirBudget) {
  add(1).budget.bytes = 99;
  add(2).budget.bytes = 100;
  add(3).budget.bytes = 1'000;
  add(4).budget.bytes = 1'000;
  clients_.find({4})->state = ClientSessionState::Joining;
  clients_.send_to_players(message_);
  ASSERT_EQ(transport_.sent.size(), 2U);
  EXPECT_EQ(transport_.sent[0].peer, net::PeerId{2});
  EXPECT_EQ(transport_.sent[1].peer, net::PeerId{3});
  EXPECT_EQ(clients_.find({3})->budget.bytes,
            1'000.0 - 100.0 - static_cast<double>(net::unreliable_datagram_bytes));
  EXPECT_EQ(metrics_.snapshot_bytes, 200U);
}

TEST_F(ClientsTest, CountsPlayersAndMembersAfterTheirHello) {
  add(1, 5);
  add(2);
  add(3).state = ClientSessionState::AwaitHello;
  EXPECT_EQ(clients_.counts().members, 2U);
  EXPECT_EQ(clients_.counts().players, 1U);
}

TEST_F(ClientsTest, TellsARejectedClientTheReasonAndDisconnectsIt) {
  clients_.reject(add(1), protocol::RejectCode::ServerFull, "full",
                  net::DisconnectReason::ServerFull);
  ASSERT_EQ(transport_.sent.size(), 1U);
  const auto message = protocol::decode_control(transport_.sent[0].bytes, 1'000);
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(std::get<protocol::Reject>(*message).text, "full");
  EXPECT_EQ(transport_.disconnected.at({1}), net::DisconnectReason::ServerFull);
  EXPECT_EQ(metrics_.sessions_rejected, 1U);
}

TEST_F(ClientsTest, GiveInputsToACommandQueueInTheOrderOfPlayersAfterItsCommands) {
  add(1, 9).inputs.accept(movement({4}, 1), {3});
  add(2, 8).inputs.accept(movement({4}, -1), {3});
  add(3, 7);  // idle
  CommandQueue queue;
  queue.add(state::LeaveCommand{{3}});
  queue.add(state::JoinCommand{{7}, "ann"});
  const state::TickCommands commands = queue.take({4}, clients_);
  ASSERT_EQ(commands.commands.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<state::LeaveCommand>(commands.commands[0]));
  EXPECT_TRUE(std::holds_alternative<state::JoinCommand>(commands.commands[1]));
  EXPECT_EQ(std::get<state::InputCommand>(commands.commands[2]).player, state::PlayerId{8});
  EXPECT_EQ(std::get<state::InputCommand>(commands.commands[3]).player, state::PlayerId{9});
  EXPECT_EQ(queue.take({5}, clients_).commands.size(), 2U) << "only the repeated inputs";
}

TEST_F(ClientsTest, ReceiveTimeAnswersTogetherWithTheNewestTick) {
  TimeResponder responder(io_, transport_, Options{}, clients_);
  responder.send();
  EXPECT_EQ(transport_.flushes, 0);
  responder.set_tick({12}, 345);
  EXPECT_TRUE(responder.receive({1}, protocol::encode_ping({.id = 7, .client_send_us = 8})));
  EXPECT_FALSE(responder.receive({1}, message_));
  EXPECT_TRUE(transport_.sent.empty());
  responder.send();
  ASSERT_EQ(transport_.sent.size(), 1U);
  EXPECT_EQ(transport_.flushes, 1);
  const auto pong = protocol::decode_pong(transport_.sent[0].bytes);
  ASSERT_TRUE(pong.has_value());
  EXPECT_EQ(pong->id, 7U);
  EXPECT_EQ(pong->tick, state::Tick{12});
  EXPECT_EQ(pong->tick_due_us, 345);
}

TEST_F(ClientsTest, AreToldOfSkippedTicksThreeTimes) {
  TimeResponder responder(io_, transport_, Options{}, clients_);
  add(1);
  add(2);
  for (std::uint32_t tick = 1; tick <= 20; ++tick) {
    // 30 ticks are skipped before tick 10.
    responder.set_tick({tick}, (tick + (tick < 10 ? 0 : 30)) * 16'667);
    const std::size_t announced = transport_.sent.size() / clients_.sessions().size();
    EXPECT_EQ(announced, tick < 10 ? 0 : std::min(tick - 9, 3U)) << tick;
  }
}

TEST_F(ClientsTest, PingsThatWaitedWhileTheServerStoodStillAreNotAnswered) {
  TimeResponder responder(io_, transport_, Options{}, clients_);
  responder.begin_receive(true);
  EXPECT_TRUE(responder.receive({1}, protocol::encode_ping({.id = 7, .client_send_us = 8})));
  responder.send();
  EXPECT_TRUE(transport_.sent.empty());
}

TEST_F(ClientsTest, WaitForTheBudgetOfBlobsButNotOfKeyframes) {
  Options options;
  options.max_client_bytes_per_second = 8'000;
  BulkSender sender(io_, transport_, options, clients_);
  ClientSession& session = add(1);
  session.budget.bulk_bytes = -1e6;
  session.blobs.add(blob(protocol::BlobKind::WorldDef, 1'000));
  sender.send({});
  EXPECT_EQ(chunks(), 0U);
  ClientSession& other = add(2);
  other.budget.bulk_bytes = -1e6;
  other.blobs.add(blob(protocol::BlobKind::Keyframe, 1'000));
  sender.send({});
  EXPECT_EQ(chunks(), 1U);
  EXPECT_TRUE(other.blobs.is_idle());
}

TEST_F(ClientsTest, BlobsOfAPlayingClientStartWithAFewBytesInFlight) {
  const Options options;
  BulkSender sender(io_, transport_, options, clients_);
  ClientSession& session = add(1);
  session.budget.bulk_bytes = session.budget.bytes = 1e6;
  session.blobs.add(blob(protocol::BlobKind::Simulation, 200'000));
  transport_.pending_bytes = 4'000;
  sender.send({});
  EXPECT_EQ(chunks(), 0U);
  // Each acknowledged byte widens the window, up to its limit.
  for (const std::size_t pending : {2'000U, 0U, 3'900U, 0U, 7'700U, 0U}) {
    transport_.pending_bytes = pending;
    session.budget.bulk_bytes = pending == 0 ? -1e6 : 1e6;  // only acknowledgements matter here
    sender.send({});
  }
  EXPECT_GT(session.budget.bulk_window, 10'000);
  transport_.sent.clear();
  transport_.pending_bytes = 4'000;
  session.budget.bulk_bytes = 1e6;
  sender.send({});
  EXPECT_GT(chunks(), 0U) << "4,000 bytes in flight were too many before";
  EXPECT_LE(session.budget.bulk_window, max_playing_pending_bulk_bytes);
}

// A keyframe overtakes the simulation state, which must not delay it.
TEST_F(ClientsTest, BlobsWaitWhileTheBudgetOfSnapshotsIsOverdrawnButKeyframesDoNot) {
  const Options options;
  BulkSender sender(io_, transport_, options, clients_);
  ClientSession& session = add(1);
  session.budget.bulk_bytes = 1e6;
  session.budget.bytes = -5'000;
  session.blobs.add(blob(protocol::BlobKind::Simulation, 1'000));
  session.blobs.add(blob(protocol::BlobKind::Keyframe, 1'000));
  sender.send({});
  EXPECT_EQ(chunks(), 1U);
  session.budget.bytes = 0;
  sender.send({});
  EXPECT_EQ(chunks(), 2U);
}

TEST_F(ClientsTest, ReceiveNoSimulationStateBeforeTheyPlay) {
  BulkSender sender(io_, transport_, {}, clients_);
  ClientSession& session = add(1);
  session.state = ClientSessionState::Joining;
  session.blobs.add(blob(protocol::BlobKind::Simulation, 1'000));
  session.blobs.add(blob(protocol::BlobKind::WorldDef, 1'000));
  sender.send({});
  EXPECT_EQ(chunks(), 1U) << "the world";
  session.state = ClientSessionState::Playing;
  session.budget.bulk_bytes = 1e6;
  sender.send({});
  EXPECT_EQ(chunks(), 2U);
}

TEST_F(ClientsTest, ReceiveNoChunksWhileTooManyReliableBytesArePending) {
  const Options options;
  BulkSender sender(io_, transport_, options, clients_);
  ClientSession& session = add(1);
  session.blobs.add(blob(protocol::BlobKind::WorldDef, 1'000));
  transport_.pending_bytes = max_pending_bulk_bytes + 1;
  sender.send({});
  EXPECT_EQ(chunks(), 0U);
  transport_.pending_bytes = 0;
  sender.send({});
  EXPECT_EQ(chunks(), 1U);
}

}  // namespace
}  // namespace jostle::server
