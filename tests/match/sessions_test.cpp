#include "protocol/control_codec.h"
#include "protocol/version.h"
#include "tests/match/raw_peer.h"
#include "tools/match/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace jostle::match {
namespace {

using client::ClientState;

TEST(Sessions, StartDespiteVeryHighLatency) {
  for (const std::int64_t latency_us : {500'000, 1'000'000}) {
    SCOPED_TRACE(latency_us);
    MatchOptions options;
    options.faults.latency_us = latency_us;
    Match match(options);
    match.add_client("Ann");
    // jostle-view has a default timeout of ten seconds.
    EXPECT_TRUE(match.run_until_playing(10.0 + 3e-6 * static_cast<double>(latency_us)));
  }
}

TEST(Sessions, ALateJoinerSeesTheCurrentWorld) {
  MatchOptions options;
  options.faults.latency_us = 50'000;
  Match match(options);
  match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(10.0);
  Seat& late = match.add_client("Late");
  const std::int64_t begin_us = match.network().now_us();
  ASSERT_TRUE(match.run_until_playing(5.0));
  EXPECT_LT(match.network().now_us() - begin_us, 1'000'000) << "at 100 ms RTT";
  match.run_seconds(3.0);
  EXPECT_LT(match.largest_error(late), shown_tolerance);
  EXPECT_EQ(match.agreement(late).different, 0U);
  EXPECT_GT(match.agreement(late).common, 150U);
}

TEST(Sessions, AKilledClientsBodyIsRemovedAfterTheReconnectTime) {
  MatchOptions options;
  options.server.reconnect_window_seconds = 2;
  Match match(options);
  match.add_client("Ann");
  match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(1.0);
  const std::size_t bodies = match.simulation().world_def().bodies.size();
  match.kill_client(1);
  EXPECT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 15.0));
  match.run_seconds(1.0);
  EXPECT_EQ(match.simulation().world_def().bodies.size(), bodies) << "the player may reconnect";
  match.run_seconds(1.2);
  EXPECT_EQ(match.simulation().world_def().bodies.size(), bodies - 1);
  EXPECT_EQ(match.seats()[0]->client->status().state, ClientState::Playing);

  match.add_client("Bob");
  EXPECT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(0.1);
  EXPECT_EQ(match.simulation().world_def().bodies.size(), bodies);
}

TEST(Sessions, AClientStartedBeforeTheServerConnects) {
  Match match({});
  match.kill_server();
  Seat& early = match.add_client("Early");
  match.run_seconds(4.0);
  EXPECT_EQ(early.client->status().state, ClientState::Connecting);
  match.start_server();
  EXPECT_TRUE(match.run_until_playing(15.0)) << early.client->status().text;
}

TEST(Sessions, AClientReconnectsToARestartedServer) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(2.0);
  match.kill_server();
  match.run_seconds(2.0);
  match.start_server();
  ann.hashes.clear();
  EXPECT_TRUE(match.run_until(
      [&] {
        return match.agreement(ann).common > 60 &&
               ann.client->status().state == ClientState::Playing;
      },
      30.0))
      << ann.client->status().text;
  EXPECT_EQ(match.agreement(ann).different, 0U);
}

TEST(Sessions, SurviveANetworkPartition) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(1.0);
  for (const double seconds : {0.3, 2.0, 3.5}) {
    SCOPED_TRACE(seconds);
    match.network().set_cut(server_ip, ann.ip, true);
    match.network().set_cut(ann.ip, server_ip, true);
    match.run_seconds(seconds);
    match.network().heal();
    match.run_seconds(4.0);
    EXPECT_EQ(ann.client->status().state, ClientState::Playing);
    EXPECT_LT(match.largest_error(ann), shown_tolerance);
  }
  EXPECT_EQ(match.agreement(ann).different, 0U);
}

/// Returns the bodies that a player owns.
std::vector<state::BodyId> bodies_of(Match& match, state::PlayerId player) {
  std::vector<state::BodyId> found;
  for (const state::BodyInfo& body : match.simulation().world_def().bodies) {
    if (body.owner == player) found.push_back(body.id);
  }
  return found;
}

TEST(Sessions, AReconnectingClientContinuesAsTheSamePlayer) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(1.0);
  const state::PlayerId player = ann.client->status().player;
  const std::vector<state::BodyId> bodies = bodies_of(match, player);
  ASSERT_FALSE(bodies.empty());
  match.network().set_cut(server_ip, ann.ip, true);
  match.network().set_cut(ann.ip, server_ip, true);
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 20.0));
  match.run_seconds(5.0);
  EXPECT_EQ(bodies_of(match, player), bodies);
  match.network().heal();
  ASSERT_TRUE(match.run_until_playing(20.0)) << ann.client->status().text;
  EXPECT_EQ(ann.client->status().player, player);
  EXPECT_EQ(bodies_of(match, player), bodies)
      << "the bodies must neither disappear nor be duplicated";

  // The player's new inputs control the same body.
  const auto height = [&] {
    for (const state::BodyState& body : match.simulation().capture().bodies)
      if (body.id == bodies[0]) return body.pose.position.y;
    return 0.0;
  };
  const double before = height();
  state::PlayerInput jump;
  jump.buttons = state::button_jump;
  ann.client->set_input(jump);
  EXPECT_TRUE(match.run_until([&] { return height() > before + 0.1; }, 2.0));
}

TEST(Sessions, AReconnectTakesOverAnOldConnectionThatIsStillOpen) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(0.5);
  const state::PlayerId player = ann.client->status().player;
  const std::vector<state::BodyId> bodies = bodies_of(match, player);
  // The same player connects from another machine: the Hello contains the reconnect token.
  const server::ClientSession& session = match.server().sessions().begin()->second;
  protocol::Hello hello = hello_of_this_build();
  hello.reconnect_token = session.reconnect_token;
  ASSERT_NE(hello.reconnect_token, 0U);
  RawPeer other(match, 0x0A0000BBU);
  other.run(0.3);
  match.network().set_cut(ann.ip, server_ip, true);
  match.network().set_cut(server_ip, ann.ip, true);
  other.send(net::Channel::Control, protocol::encode_control(hello));
  other.run(0.5);
  ASSERT_EQ(match.server().session_count(), 1U);
  EXPECT_EQ(match.server().sessions().begin()->second.player, player);
  EXPECT_EQ(bodies_of(match, player), bodies);
}

TEST(Sessions, AWrongReconnectTokenStartsANewPlayer) {
  Match match({});
  match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  protocol::Hello hello = hello_of_this_build();
  hello.reconnect_token = match.server().sessions().begin()->second.reconnect_token + 1;
  RawPeer other(match, 0x0A0000BBU);
  other.run(0.3);
  other.send(net::Channel::Control, protocol::encode_control(hello));
  other.run(0.5);
  EXPECT_EQ(match.server().session_count(), 2U);
}

TEST(Sessions, ANewPlayerReplacesADisconnectedOneOnAFullServer) {
  MatchOptions options;
  options.server.max_players = 2;
  Match match(options);
  match.add_client("Ann");
  match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(0.5);
  const state::PlayerId bob = match.seats()[1]->client->status().player;
  match.kill_client(1);
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 20.0));
  EXPECT_FALSE(bodies_of(match, bob).empty());
  match.add_client("Cid");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(0.1);
  EXPECT_TRUE(bodies_of(match, bob).empty());
}

TEST(Sessions, ASpectatorCannotTakeTheSlotOfADisconnectedPlayer) {
  MatchOptions options;
  options.server.max_players = 2;
  options.server.max_sessions = 2;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(0.5);
  const state::PlayerId player = ann.client->status().player;
  const std::vector<state::BodyId> bodies = bodies_of(match, player);
  match.network().set_cut(server_ip, ann.ip, true);
  match.network().set_cut(ann.ip, server_ip, true);
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 20.0));

  Seat& eve = match.add_client("Eve", protocol::Role::Spectator);
  ASSERT_TRUE(
      match.run_until([&] { return eve.client->status().state == ClientState::Failed; }, 10.0));
  EXPECT_NE(eve.client->status().text.find("1 reserved for reconnecting players"),
            std::string::npos)
      << eve.client->status().text;

  match.network().heal();
  ASSERT_TRUE(
      match.run_until([&] { return ann.client->status().state == ClientState::Playing; }, 20.0));
  EXPECT_EQ(ann.client->status().player, player);
  EXPECT_EQ(bodies_of(match, player), bodies);
}

TEST(Sessions, ANewPlayerMayTakeTheConnectionOfADisconnectedOne) {
  MatchOptions options;
  options.server.max_players = 3;
  options.server.max_sessions = 2;
  Match match(options);
  match.add_client("Ann");
  match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(0.5);
  const state::PlayerId bob = match.seats()[1]->client->status().player;
  match.kill_client(1);
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 20.0));
  match.add_client("Cid");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(0.1);
  EXPECT_TRUE(bodies_of(match, bob).empty()) << "the reserved connection was given away";
}

TEST(Sessions, SurviveAOneWayPartition) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(1.0);
  match.network().set_cut(ann.ip, server_ip, true);  // the server receives nothing
  match.run_seconds(2.5);
  match.network().heal();
  match.run_seconds(4.0);
  EXPECT_EQ(ann.client->status().state, ClientState::Playing);
  EXPECT_LT(match.largest_error(ann), shown_tolerance);
  EXPECT_EQ(match.agreement(ann).different, 0U);
}

TEST(Sessions, AResetDoesNotCountAsPacketLoss) {
  MatchOptions options;
  options.server.is_sandbox = true;
  options.faults.latency_us = 20'000;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(4.0);
  ann.client->request({state::ControlKind::Reset, 0});
  for (int i = 0; i < 30; ++i) {
    match.run_seconds(0.1);
    EXPECT_EQ(ann.client->metrics().loss, 0) << i;
  }
}

TEST(Sessions, ASceneResetReachesAllClientsUnderLoss) {
  MatchOptions options;
  options.server.is_sandbox = true;
  options.faults.loss = 0.1f;
  options.faults.latency_us = 20'000;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(10.0));
  for (int i = 0; i < 3; ++i) {
    match.run_seconds(1.5);
    ann.client->request({state::ControlKind::Reset, 0});
  }
  match.run_seconds(6.0);
  for (const Seat* seat : {&ann, &bob}) {
    EXPECT_EQ(seat->client->world().revision, match.simulation().world_def().revision);
    EXPECT_EQ(seat->client->world().bodies, match.simulation().world_def().bodies);
    EXPECT_LT(match.largest_error(*seat), shown_tolerance);
    EXPECT_EQ(match.agreement(*seat).different, 0U);
  }
}

TEST(Sessions, AllClientsReceiveTheSceneStatus) {
  MatchOptions options;
  options.server.is_sandbox = true;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  EXPECT_EQ(bob.client->scene_status(), protocol::SceneStatus{});
  ann.client->request({state::ControlKind::Pause, 0});
  ann.client->request({state::ControlKind::Rate, 25});
  ann.client->request({state::ControlKind::Gravity, 0});
  match.run_seconds(0.5);
  const protocol::SceneStatus changed{
      .is_paused = true, .is_gravity_off = true, .rate_percent = 25};
  EXPECT_EQ(bob.client->scene_status(), changed);
  EXPECT_EQ(ann.client->scene_status(), changed);
  Seat& cleo = match.add_client("Cleo");
  ASSERT_TRUE(match.run_until_playing(5.0));
  EXPECT_EQ(cleo.client->scene_status(), changed) << "later clients receive it too";
  bob.client->request({state::ControlKind::Resume, 0});
  bob.client->request({state::ControlKind::Gravity, 1});
  match.run_seconds(0.5);
  EXPECT_EQ(ann.client->scene_status(), protocol::SceneStatus{.rate_percent = 25});
}

TEST(Sessions, ControllingTheWorldRequiresASandbox) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  ann.client->request({state::ControlKind::Pause, 0});
  match.run_seconds(1.0);
  EXPECT_FALSE(match.simulation().is_paused());
  EXPECT_GE(match.server().metrics().controls_denied, 1U);
  EXPECT_FALSE(ann.client->scene_status().is_paused);
  EXPECT_THAT(ann.client->take_notice().value_or(""), testing::HasSubstr("--sandbox"));
}

TEST(Sessions, ASpectatorSeesTheWorldButHasNoBody) {
  Match match({});
  match.add_client("Ann");
  Seat& eve = match.add_client("Eve", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  state::PlayerInput input;
  input.actions.push_back({state::ActionKind::Shoot, {}, {0, 6, 0}, {0, -10, 1}});
  eve.client->set_input(input);
  match.run_seconds(3.0);
  EXPECT_TRUE(eve.client->status().player.is_null());
  std::set<std::string> names;
  for (const state::BodyInfo& body : match.simulation().world_def().bodies)
    names.insert(body.name);
  EXPECT_TRUE(names.contains("Ann"));
  EXPECT_FALSE(names.contains("Eve"));
  EXPECT_FALSE(names.contains("shot"));
  EXPECT_EQ(match.agreement(eve).different, 0U);
  EXPECT_GT(match.agreement(eve).common, 100U);
}

TEST(Sessions, AFullServerSendsTheReason) {
  MatchOptions options;
  options.server.max_players = 1;
  Match match(options);
  match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  Seat& late = match.add_client("Late");
  EXPECT_TRUE(
      match.run_until([&] { return late.client->status().state == ClientState::Failed; }, 10.0));
  EXPECT_NE(late.client->status().text.find("full"), std::string::npos)
      << late.client->status().text;
}

TEST(Sessions, AStoppingServerDisconnectsItsClients) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.server().disconnect_all();
  EXPECT_TRUE(match.run_until([&] { return match.server().session_count() == 0; }, 2.0));
  match.run_seconds(0.5);
  EXPECT_NE(ann.client->status().state, ClientState::Playing);
}

/// Returns the text with which a server rejects this Hello; empty if the server accepts the Hello.
std::string rejection_text(const protocol::Hello& hello) {
  Match match({});
  RawPeer peer(match, 0x0A0000AAU);
  peer.run(0.5);
  peer.send(net::Channel::Control, protocol::encode_control(hello));
  peer.run(1.0);
  std::string text;
  net::DisconnectReason reason = net::DisconnectReason::None;
  for (const net::PeerEvent& event : peer.events()) {
    if (event.kind == net::PeerEvent::Kind::Disconnected) reason = event.reason;
    if (event.kind != net::PeerEvent::Kind::Received || event.channel != net::Channel::Control)
      continue;
    const auto message = protocol::decode_control(event.bytes, protocol::max_control_message_bytes);
    if (!message) continue;
    if (const auto* reject = std::get_if<protocol::Reject>(&*message)) text = reject->text;
  }
  EXPECT_EQ(reason == net::DisconnectReason::VersionMismatch, !text.empty());
  EXPECT_EQ(match.server().metrics().sessions_rejected, text.empty() ? 0U : 1U);
  return text;
}

TEST(Sessions, RejectOtherVersionsAndNameBoth) {
  EXPECT_EQ(rejection_text(hello_of_this_build()), "");
  protocol::Hello old = hello_of_this_build();
  old.version_major = 99;
  old.version_minor = 3;
  const std::string words = rejection_text(old);
  EXPECT_NE(words.find("99.3"), std::string::npos) << words;
  EXPECT_NE(words.find(std::to_string(protocol::version_major) + "."), std::string::npos) << words;
}

TEST(Sessions, RejectOtherSchemasAndPriorsAndNameThem) {
  protocol::Hello other = hello_of_this_build();
  other.schema_hash = 0xABCD;
  std::string words = rejection_text(other);
  EXPECT_NE(words.find("schema 000000000000abcd"), std::string::npos) << words;
  other = hello_of_this_build();
  other.priors_hash = 0x1234;
  words = rejection_text(other);
  EXPECT_NE(words.find("priors 0000000000001234"), std::string::npos) << words;
}

TEST(Sessions, APeerThatNeverSendsHelloIsDropped) {
  Match match({});
  RawPeer peer(match, 0x0A0000AAU);
  peer.run(1.0);
  EXPECT_EQ(match.server().session_count(), 1U);
  peer.run(6.0);
  EXPECT_EQ(match.server().session_count(), 0U);
}

}  // namespace
}  // namespace jostle::match
