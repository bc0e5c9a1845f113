// Fuzzes a whole client against a malicious server. The server sends arbitrary bytes beside valid
// messages, and corrupts its valid ones. The client must continue or fail with an error text, and
// everything that it shows must be finite.
#include "client/play_session.h"
#include "protocol/control_codec.h"
#include "shared/base/assert.h"
#include "tests/client/match.h"
#include "tests/fuzz/fuzz_input.h"

#include <cmath>

namespace jostle::client::fuzz_client {
namespace {

using fuzz::FuzzInput;

constexpr std::size_t max_steps = 40;
constexpr std::int64_t step_us = 8'000;

class FuzzedMatch {
 public:
  FuzzedMatch() : link_(io_, 1) {
    link_.delay_us = 0;
    server_ = std::make_unique<ScriptedServer>(io_, link_, script(),
                                               ScriptedServer::make_world(6, 2), Match::motion);
    client_ = std::make_unique<Client>(io_, link_, Options{});
    client_->set_complete_hook([this](const protocol::QuantizedSnapshot& snapshot) {
      const protocol::QuantizedSnapshot* const truth = server_->snapshot(snapshot.tick);
      // If the server has sent only valid messages, each decoded snapshot must equal the server's.
      if (is_clean_) JOSTLE_ASSERT(truth != nullptr && *truth == snapshot);
    });
  }

  void play(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) {
      io_.time_us += step_us;
      server_->update();
      client_->update();
      check_shown();
    }
  }

  void step(FuzzInput& input) {
    switch (input.choice(7)) {
      case 0:
        return play(1 + input.choice(10));
      case 1: {
        const auto channel = static_cast<net::Channel>(input.choice(net::channel_count));
        return send(channel, fuzz::copy_of(input.block()));
      }
      case 2: {
        // Corrupt the server's valid messages for 1 to 6 steps.
        is_clean_ = false;
        link_.damage = static_cast<float>(input.u8()) / 255.0f;
        play(1 + input.choice(6));
        link_.damage = 0;
        return;
      }
      case 3: {
        state::BodyInfo body;
        body.id = {100U + next_body_++};
        body.shapes = {{state::sphere(0.25f), {}}};
        input.boolean() ? server_->change({}, {body}) : server_->change_by_blob({}, {body});
        return;
      }
      case 4:
        return send(net::Channel::State, snapshot(input));
      case 5: {
        protocol::TimePong pong;
        pong.id = input.u8();
        pong.client_send_us = io_.time_us - input.u32();
        pong.server_receive_us = input.i64();
        pong.server_send_us = input.i64();
        pong.tick = {input.u32()};
        pong.tick_due_us = input.i64();
        return send(net::Channel::Time, protocol::encode_pong(pong));
      }
      case 6: {
        const std::uint8_t end = input.u8();
        if (end == 0) {
          was_shut_down_ = true;
          server_->shut_down(net::DisconnectReason::ServerShutdown);
        }
        if (end < 128) client_->ask_for_scenes();
        return play(1);
      }
    }
  }

  void check_end() {
    play(4);
    if (client_->status().state == ClientState::Failed) {
      JOSTLE_ASSERT(!client_->status().text.empty());
      JOSTLE_ASSERT(client_->is_closed());
    }
    if (is_clean_ && !was_shut_down_) JOSTLE_ASSERT(client_->status().state != ClientState::Failed);
  }

 private:
  static ScriptedServer::Script script() { return {.max_payload_bytes = 120}; }

  void send(net::Channel channel, std::vector<std::byte> bytes) {
    if (bytes.empty()) return;
    is_clean_ = false;
    server_->send_raw(channel, std::move(bytes));
    play(1);
  }

  /// Returns a snapshot message with a plausible header and an arbitrary payload.
  std::vector<std::byte> snapshot(FuzzInput& input) const {
    protocol::SnapshotHeader header;
    header.tick = {server_->tick().number + input.u8() - 128};
    if (header.tick.number == 0) header.tick = {1};
    header.world_revision = input.boolean() ? server_->world().revision : input.u8();
    header.parts = static_cast<std::uint8_t>(1 + input.choice(4));
    header.part = static_cast<std::uint8_t>(input.choice(header.parts));
    header.first = static_cast<std::uint32_t>(input.choice(8));
    header.count = static_cast<std::uint32_t>(input.choice(8));
    header.server_send_us = io_.time_us + static_cast<std::int16_t>(input.u16());
    const auto codec = static_cast<protocol::SnapshotCodec>(1 + input.choice(3));
    const auto payload = input.bytes(std::min<std::size_t>(input.u16(), 900));
    return protocol::encode_snapshot_message(header, codec, payload);
  }

  void check_shown() const {
    for (const ShownBody& body : client_->shown_bodies()) {
      JOSTLE_ASSERT(body.info != nullptr);
      JOSTLE_ASSERT(math::is_finite(body.pose.position) && math::is_finite(body.pose.rotation));
    }
    for (const ShownParticle& particle : client_->shown_particles())
      JOSTLE_ASSERT(math::is_finite(particle.position));
    JOSTLE_ASSERT(std::isfinite(client_->shown_tick()));
    const Metrics& metrics = client_->metrics();
    JOSTLE_ASSERT(std::isfinite(metrics.server_tick) &&
                  std::isfinite(metrics.interpolation_delay_ms));
    JOSTLE_ASSERT(std::isfinite(metrics.snapshot_age_ms));
  }

  FakeIo io_;
  FakeLink link_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<Client> client_;
  bool is_clean_ = true, was_shut_down_ = false;
  std::uint32_t next_body_ = 0;
};

}  // namespace

JOSTLE_FUZZ_TARGET(client, data, size) {
  fuzz::FuzzInput input(data, size);
  FuzzedMatch match;
  // Zero steps are possible, so fuzzed messages can arrive before the client plays.
  match.play(input.choice(40));
  for (std::size_t i = 0; i < max_steps && !input.is_empty(); ++i)
    match.step(input);
  match.check_end();
  return 0;
}

}  // namespace jostle::client::fuzz_client
