// Fuzzes a whole server behind a fake transport. Peers connect, leave, and send valid, corrupted
// and arbitrary messages, while one client plays normally. That client must always be served, and
// no peer may do anything without the right to do so.
#include "server/server.h"

#include "protocol/context/own_hello.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"
#include "shared/base/log.h"
#include "shared/net/virtual_network.h"
#include "shared/prediction_baseline/world_prediction_baseline.h"
#include "shared/sim/default_rules.h"
#include "tests/fuzz/fuzz_input.h"

#include <algorithm>
#include <set>

namespace jostle::server::fuzz_server {
namespace {

using fuzz::FuzzInput;
using net::Channel;
using Bytes = std::vector<std::byte>;

constexpr std::string_view scene_text = R"({
  "name": "fuzzed",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "crate", "position": [0, 0.6, 0], "shape": { "box": { "size": [1, 1, 1] } } },
    { "name": "ball", "position": [0.2, 2, 0], "shape": { "sphere": { "radius": 0.4 } } }
  ],
  "spawns": [ { "position": [3, 1, 0] }, { "position": [-3, 1, 0] } ]
})";
constexpr std::size_t max_steps = 48, strangers = 4;
constexpr std::int64_t tick_us = 16'667;

/// A transport whose remote ends are controlled by the fuzzer.
class OpenTransport final : public net::Transport {
 public:
  net::PeerId join(secure::Role role) {
    const net::PeerId peer{++last_};
    standing_[peer] = role;
    had_operator_ = had_operator_ || role == secure::Role::Operator;
    events_.push_back({.kind = net::PeerEvent::Kind::Connected, .peer = peer});
    return peer;
  }
  void say(net::PeerId peer, Channel channel, Bytes bytes) {
    if (standing_.contains(peer))
      events_.push_back({.kind = net::PeerEvent::Kind::Received,
                         .peer = peer,
                         .channel = channel,
                         .bytes = std::move(bytes)});
  }
  void leave(net::PeerId peer, net::DisconnectReason reason) {
    if (standing_.erase(peer) == 0) return;
    events_.push_back({.kind = net::PeerEvent::Kind::Disconnected, .peer = peer, .reason = reason});
  }
  bool stands(net::PeerId peer) const { return standing_.contains(peer); }
  std::size_t count() const { return standing_.size(); }
  /// Returns true if an operator was ever connected. An operator may have joined, sent a message
  /// and left between two ticks.
  bool had_operator() const { return had_operator_; }
  /// Returns the number of messages on the State channel that were sent to this peer.
  std::uint64_t sent(net::PeerId peer) const {
    const auto found = sent_.find(peer);
    return found == sent_.end() ? 0 : found->second;
  }

  void service(std::vector<net::PeerEvent>& events) override {
    for (net::PeerEvent& event : events_)
      events.push_back(std::move(event));
    events_.clear();
  }
  std::optional<net::PeerId> connect(net::Address) override { return std::nullopt; }
  bool send(net::PeerId peer, Channel channel, std::span<const std::byte> bytes) override {
    const bool is_reliable = channel == Channel::Control || channel == Channel::Bulk;
    JOSTLE_ASSERT(!bytes.empty());
    JOSTLE_ASSERT(bytes.size() <=
                  (is_reliable ? net::max_reliable_bytes : net::max_unreliable_bytes));
    if (!standing_.contains(peer)) return false;
    if (channel == Channel::State) ++sent_[peer];
    return true;
  }
  void flush() override {}
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override { leave(peer, reason); }
  void drop(net::PeerId peer, net::DisconnectReason) override { standing_.erase(peer); }
  std::size_t pending_reliable_bytes(net::PeerId) const override { return 0; }
  std::optional<net::PeerStats> stats(net::PeerId peer) const override {
    if (!standing_.contains(peer)) return std::nullopt;
    return net::PeerStats{};
  }
  std::optional<net::PeerIdentity> identity(net::PeerId peer) const override {
    const auto found = standing_.find(peer);
    if (found == standing_.end()) return std::nullopt;
    return net::PeerIdentity{.role = found->second};
  }
  std::string trouble_with(net::PeerId) const override { return {}; }
  bool has_answered(net::PeerId) const override { return false; }
  net::TransportCounters counters() const override { return {}; }
  net::Address local_address() const override { return {.ip = 0x0A000001, .port = 7'777}; }
  int native_handle() const override { return -1; }

 private:
  std::uint32_t last_ = 0;
  bool had_operator_ = false;
  std::map<net::PeerId, secure::Role> standing_;
  std::map<net::PeerId, std::uint64_t> sent_;
  std::vector<net::PeerEvent> events_;
};

sim::Simulation start() {
  static const auto scene = scene::parse_scene(scene_text, "fuzzed.scene.json");
  JOSTLE_ASSERT(scene.has_value());
  return {*scene, {60, 5}, sim::default_rules()};
}

Options options_of(bool is_sandbox, bool uses_prediction_baseline, bool is_lockstep) {
  Options options;
  options.max_players = 3;
  options.max_sessions = 4;
  options.is_sandbox = is_sandbox;
  options.uses_prediction_baseline = uses_prediction_baseline;
  options.is_lockstep = is_lockstep;
  return options;
}

protocol::Hello hello_of(const std::string& name) {
  protocol::Hello hello = protocol::context::own_hello();
  hello.client_name = name;
  return hello;
}

float small_real(FuzzInput& input) {
  return static_cast<float>(static_cast<std::int16_t>(input.u16())) / 64.0f;
}

class Match {
 public:
  Match(bool is_sandbox, bool uses_prediction_baseline, bool is_lockstep)
      : network_(3),
        io_(network_.node(0x0A000001)),
        simulation_(start()),
        server_(io_, transport_, simulation_,
                options_of(is_sandbox, uses_prediction_baseline, is_lockstep)),
        is_sandbox_(is_sandbox) {
    base::set_log_threshold(base::LogLevel::Error);
    ann_ = transport_.join(secure::Role::Player);
    transport_.say(ann_, Channel::Control, encode_control(hello_of("ann")));
    for (int i = 0; i < 3; ++i)
      tick();
    JOSTLE_ASSERT(server_.sessions().at(ann_).state == ClientSessionState::Playing);
  }

  void step(FuzzInput& input) {
    const std::size_t kind = input.choice(8);
    net::PeerId& peer = strangers_[input.choice(strangers)];
    switch (kind) {
      case 0:
        return tick();
      case 1:
        if (!transport_.stands(peer))
          peer = transport_.join(static_cast<secure::Role>(input.choice(3)));
        return;
      case 2: {
        const auto channel = static_cast<Channel>(input.choice(net::channel_count));
        return transport_.say(peer, channel, fuzz::copy_of(input.block()));
      }
      case 3: {
        auto [channel, bytes] = good_message(input);
        return transport_.say(peer, channel, std::move(bytes));
      }
      case 4: {
        auto [channel, bytes] = good_message(input);
        for (std::size_t i = 1 + input.choice(4); i > 0; --i)
          bytes[input.u16() % bytes.size()] ^= static_cast<std::byte>(input.u8());
        return transport_.say(peer, channel, std::move(bytes));
      }
      case 5:
        return transport_.leave(peer, input.boolean() ? net::DisconnectReason::TimedOut
                                                      : net::DisconnectReason::Requested);
      case 6:
        transport_.say(peer, Channel::Control, encode_control(hello_of("bob")));
        return;
      case 7:
        for (std::size_t i = input.choice(12); i > 0; --i)
          tick();
        return;
    }
  }

  void check_end() {
    const std::uint64_t sent = transport_.sent(ann_);
    for (int i = 0; i < 3; ++i)
      tick();
    JOSTLE_ASSERT(transport_.stands(ann_) && server_.sessions().contains(ann_));
    JOSTLE_ASSERT(server_.sessions().at(ann_).messages.refused_score == 0);
    JOSTLE_ASSERT(transport_.sent(ann_) > sent);
    for (const state::BodyState& body : simulation_.capture().bodies) {
      JOSTLE_ASSERT(math::is_finite(body.pose.position) && math::is_finite(body.pose.rotation));
      JOSTLE_ASSERT(math::is_finite(body.linear_velocity));
    }
  }

 private:
  std::pair<Channel, Bytes> good_message(FuzzInput& input) {
    using namespace protocol;
    switch (input.choice(12)) {
      case 0: {
        Hello hello = hello_of("eve");
        hello.role = input.boolean() ? Role::Player : Role::Spectator;
        hello.reconnect_token = input.u64();
        return {Channel::Control, encode_control(hello)};
      }
      case 1:
        return {Channel::State, encode_input(input_packet(input))};
      case 2: {
        const auto kind = static_cast<state::ControlKind>(input.choice(state::control_kind_count));
        const std::uint32_t most = kind == state::ControlKind::Gravity ? 2 : 16;
        return {Channel::Control, encode_control(ControlRequest{{kind, input.u8() % most}})};
      }
      case 3:
        return {Channel::Control, encode_control(SceneListRequest{})};
      case 4:
        return {Channel::Control, encode_control(SceneRequest{"crates"})};
      case 5: {
        SetInterest interest;
        interest.eye = {small_real(input), small_real(input), 0};
        interest.forward = {0, 0, 1};
        interest.half_angle = static_cast<float>(input.u8()) / 100.0f;
        interest.radius = std::abs(small_real(input));
        interest.max_bytes_per_second = input.u16();
        for (std::uint32_t i = static_cast<std::uint32_t>(input.choice(4)); i > 0; --i)
          interest.bodies.push_back({10 - i});
        return {Channel::Control, encode_control(interest)};
      }
      case 6:
        return {Channel::Control, encode_control(SimulationRequest{})};
      case 7:
        return {Channel::Control,
                encode_control(PredictionBaselineOffer{input.u64(), input.u64()})};
      case 8:
        return {Channel::Control, encode_lockstep(LockstepRequest{
                                      prediction_baseline::fingerprint() + input.u8() / 128U})};
      case 9:
        return {Channel::Control, encode_lockstep(desync_answer(input))};
      case 10:
        return {Channel::Control,
                encode_control(InspectRequest{
                    static_cast<state::DebugDrawLayers>(input.u8() & state::all_debug_draw_layers),
                    input.boolean(),
                    {1U + input.u8() % 8U}})};
      default:
        return {Channel::Time, encode_ping({input.u32(), input.i64()})};
    }
  }

  protocol::DesyncAnswer desync_answer(FuzzInput& input) const {
    protocol::DesyncAnswer answer;
    answer.level = static_cast<protocol::DesyncLevel>(input.choice(protocol::desync_level_count));
    const std::uint32_t now = simulation_.tick().number;
    answer.tick = {now - std::min<std::uint32_t>(now, input.u8())};
    answer.block = input.u8();
    answer.body = {input.u8()};
    for (std::size_t i = input.choice(20); i > 0; --i) {
      answer.hashes.push_back(input.u32());
      answer.numbers.push_back(input.u64());
    }
    return answer;
  }

  protocol::InputPacket input_packet(FuzzInput& input) const {
    protocol::InputPacket packet;
    const std::uint32_t now = simulation_.tick().number;
    packet.ack.newest = {now - std::min<std::uint32_t>(now, input.u8())};
    packet.ack.history = input.u32();
    if (input.boolean()) {
      const std::uint32_t ago = std::min<std::uint32_t>(now, input.u8());
      const state::Tick hashed{(now - ago) / protocol::hash_interval_ticks *
                               protocol::hash_interval_ticks};
      packet.frames = protocol::FrameReport{{now - ago}, hashed, input.u64()};
    }
    for (std::uint32_t i = 1 + static_cast<std::uint32_t>(input.choice(3)); i > 0; --i) {
      state::PlayerInput held;
      held.tick = {now + 8 - i};
      held.move_x = static_cast<float>(static_cast<std::int8_t>(input.u8())) / 182.0f;
      held.move_z = static_cast<float>(static_cast<std::int8_t>(input.u8())) / 182.0f;
      held.buttons = input.u16() & 7;
      if (input.boolean()) {
        state::Action action;
        action.kind = static_cast<state::ActionKind>(input.choice(state::action_kind_count));
        if (action.kind == state::ActionKind::Push || action.kind == state::ActionKind::Grab)
          action.body = {1U + input.u8() % 8U};
        action.point = {small_real(input), small_real(input), small_real(input)};
        action.vector = {small_real(input) * 1'000, small_real(input), small_real(input)};
        held.actions.push_back(action);
      }
      packet.inputs.push_back(held);
    }
    return packet;
  }

  void tick() {
    protocol::InputPacket packet;
    packet.ack = {.newest = simulation_.tick(), .history = UINT32_MAX, .partial = {}};
    state::PlayerInput held;
    held.tick = {simulation_.tick().number + 2};
    packet.inputs.push_back(held);
    transport_.say(ann_, Channel::State, encode_input(packet));
    network_.advance(tick_us);
    server_.receive();
    server_.tick(io_.now_us());
    check_rights();
  }

  /// Checks that no peer has rights that its role does not grant. Called after each tick.
  void check_rights() {
    std::set<state::PlayerId> players;
    for (const auto& [peer, session] : server_.sessions()) {
      JOSTLE_ASSERT(transport_.stands(peer));
      if (session.granted_role == secure::Role::Spectator)
        JOSTLE_ASSERT(session.player == state::PlayerId{});
      if (session.player != state::PlayerId{}) JOSTLE_ASSERT(players.insert(session.player).second);
    }
    JOSTLE_ASSERT(players.size() <= 3);
    if (!is_sandbox_ && !transport_.had_operator()) {
      JOSTLE_ASSERT(!simulation_.is_paused() && !simulation_.is_slowed());
      JOSTLE_ASSERT(!simulation_.was_reset());
    }
  }

  net::VirtualNetwork network_;
  net::VirtualNode& io_;
  OpenTransport transport_;
  sim::Simulation simulation_;
  Server server_;
  bool is_sandbox_ = false;
  net::PeerId ann_;
  std::array<net::PeerId, strangers> strangers_{};
};

}  // namespace

JOSTLE_FUZZ_TARGET(server, data, size) {
  fuzz::FuzzInput input(data, size);
  const std::uint8_t options = input.u8();
  Match match((options & 1) != 0, (options & 14) == 14, (options & 48) == 48);
  for (std::size_t i = 0; i < max_steps && !input.is_empty(); ++i)
    match.step(input);
  match.check_end();
  return 0;
}

}  // namespace jostle::server::fuzz_server
