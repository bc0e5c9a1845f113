#include "tests/client/scripted_server.h"

#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/world_codec.h"
#include "shared/base/hash.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::client {

using protocol::BlobKind;
using protocol::QuantizedBody;
using protocol::QuantizedSnapshot;
using state::BodyId;
using state::BodyInfo;
using state::Tick;

state::WorldDef ScriptedServer::make_world(std::uint32_t moving_bodies,
                                           std::uint32_t distinct_shapes) {
  state::WorldDef world;
  world.revision = 1;
  world.scene_name = "scripted";
  BodyInfo ground;
  ground.id = {1};
  ground.motion = state::MotionType::Static;
  ground.shapes = {{state::plane(), {}}};
  world.bodies.push_back(ground);
  for (std::uint32_t i = 0; i < moving_bodies; ++i) {
    BodyInfo body;
    body.id = {2 + i};
    body.pose.position = {static_cast<double>(i), 1, 0};
    const float side = 0.25f + 0.125f * static_cast<float>(i % distinct_shapes);
    body.shapes = {{state::box({side, side, side}), {}}};
    world.bodies.push_back(body);
  }
  return world;
}

ScriptedServer::ScriptedServer(FakeIo& io, FakeLink& link, const Script& script,
                               state::WorldDef world, Motion motion)
    : io_(io),
      link_(link),
      script_(script),
      world_(std::move(world)),
      motion_(std::move(motion)),
      start_us_(server_us()),
      tick_(script.first_tick),
      last_foreign_peer_(link.last_peer()) {
  for (const BodyInfo& body : world_.bodies) {
    spawn_poses_[body.id] = protocol::quantize(body.pose, true);
  }
}

std::int64_t ScriptedServer::due_us(Tick tick) const {
  return start_us_ + (tick - script_.first_tick) * 1'000'000 / script_.tick_rate_hz;
}

double ScriptedServer::exact_tick() const {
  return script_.first_tick.number +
         static_cast<double>(server_us() - start_us_) * 1e-6 * script_.tick_rate_hz;
}

const QuantizedSnapshot* ScriptedServer::snapshot(Tick tick) const {
  const auto found = history_.find(tick.number);
  return found != history_.end() ? &found->second : nullptr;
}

void ScriptedServer::update() {
  if (is_stopped_) return;
  receive();
  while (server_us() >= due_us(tick_ + 1))
    step();
}

void ScriptedServer::receive() {
  for (const FakeLink::Message& message : link_.receive_at_server()) {
    if (message.peer <= last_foreign_peer_) continue;
    if (!peer_ || peer_->value < message.peer.value) {
      peer_ = message.peer;  // discard the state of the last connection
      newest_ack_ = newest_input_ = {};
      keyframe_.reset();
      wants_keyframe_ = false;
      shapes_sent_.clear();
      blobs_.clear();
    }
    if (message.peer != *peer_) continue;
    switch (message.channel) {
      case net::Channel::Control:
        handle_control(message.bytes);
        break;
      case net::Channel::State:
        handle_input(message.bytes);
        break;
      case net::Channel::Bulk:
        ++counters_.undecodable;
        break;
      case net::Channel::Time: {
        const auto ping = protocol::decode_ping(message.bytes);
        if (!ping) {
          ++counters_.undecodable;
          break;
        }
        const protocol::TimePong pong{.id = ping->id,
                                      .client_send_us = ping->client_send_us,
                                      .server_receive_us = server_us(),
                                      .server_send_us = server_us(),
                                      .tick = tick_,
                                      .tick_due_us = due_us(tick_),
                                      .durable_tick = {}};
        link_.send_to_client(*peer_, net::Channel::Time, protocol::encode_pong(pong));
        break;
      }
    }
  }
}

void ScriptedServer::handle_control(const std::vector<std::byte>& bytes) {
  const auto message = protocol::decode_control(bytes, protocol::max_client_message_bytes);
  if (!message) {
    ++counters_.undecodable;
  } else if (const auto* hello = std::get_if<protocol::Hello>(&*message)) {
    ++counters_.hellos;
    hello_ = *hello;
    if (!script_.is_mute) welcome();
  } else if (const auto* request = std::get_if<protocol::ControlRequest>(&*message)) {
    requests_.push_back(request->command);
  } else if (const auto* scene = std::get_if<protocol::SceneRequest>(&*message)) {
    scene_requests_.push_back(scene->name);
  } else if (std::holds_alternative<protocol::SceneListRequest>(*message)) {
    ++list_requests_;
  } else {
    ++counters_.undecodable;
  }
}

void ScriptedServer::welcome() {
  if (script_.reject) {
    send_control(*script_.reject);
    link_.end_at_server(*peer_, net::DisconnectReason::VersionMismatch);
    return;
  }
  protocol::Welcome welcome;
  welcome.player = {hello_->role == protocol::Role::Player ? std::uint16_t{1} : std::uint16_t{0}};
  welcome.tick_rate_hz = static_cast<std::uint16_t>(script_.tick_rate_hz);
  welcome.snapshot_interval_ticks = script_.snapshot_interval_ticks;
  welcome.tick = tick_;
  welcome.world_revision = world_.revision;
  welcome.server_name = "scripted";
  send_world();
  send_control(welcome);
  wants_keyframe_ = true;
}

void ScriptedServer::send_control(const protocol::ControlMessage& message) {
  link_.send_to_client(*peer_, net::Channel::Control, protocol::encode_control(message));
}

void ScriptedServer::send_world() {
  protocol::EncodedWorld encoded = protocol::encode_world(world_);
  for (protocol::Blob& shape : encoded.shapes) {
    if (!shapes_sent_.insert(shape.content_hash).second) continue;
    ++counters_.shapes_sent;
    queue_blob(BlobKind::Shape, shape.content_hash, std::move(shape.bytes));
  }
  queue_blob(BlobKind::WorldDef, encoded.world.content_hash, std::move(encoded.world.bytes));
}

void ScriptedServer::queue_blob(BlobKind kind, std::uint64_t hash, std::vector<std::byte> bytes) {
  blobs_.push_back({kind, hash, std::move(bytes), 0});
}

void ScriptedServer::send_chunks() {
  for (int i = 0; i < script_.chunks_per_tick && !blobs_.empty(); ++i) {
    OutgoingBlob& blob = blobs_.front();
    if (blob.offset == 0) {
      send_control(protocol::BlobAnnounce{
          blob.content_hash, static_cast<std::uint32_t>(blob.bytes.size()), blob.kind, 0});
    }
    const std::size_t size =
        std::min(protocol::max_blob_chunk_bytes, blob.bytes.size() - blob.offset);
    const auto begin = blob.bytes.begin() + static_cast<std::ptrdiff_t>(blob.offset);
    link_.send_to_client(
        *peer_, net::Channel::Bulk,
        protocol::encode_chunk({blob.content_hash,
                                static_cast<std::uint32_t>(blob.offset),
                                {begin, begin + static_cast<std::ptrdiff_t>(size)}}));
    blob.offset += size;
    if (blob.offset == blob.bytes.size()) blobs_.pop_front();
  }
}

void ScriptedServer::handle_input(const std::vector<std::byte>& bytes) {
  const auto packet = protocol::decode_input(bytes);
  if (!packet) {
    ++counters_.undecodable;
    return;
  }
  if (packet->ack.newest > newest_ack_) newest_ack_ = packet->ack.newest;
  for (const state::PlayerInput& input : packet->inputs) {
    if (input.tick <= newest_input_) continue;
    newest_input_ = input.tick;
    margin_ticks_ = static_cast<int>(input.tick - (tick_ + 1));
    ++(margin_ticks_ >= 0 ? counters_.inputs : counters_.late_inputs);
    inputs_.emplace(input.tick.number, input);
  }
}

void ScriptedServer::step() {
  tick_ = tick_ + 1;
  while (!pending_.empty()) {
    Pending change = std::move(pending_.front());
    pending_.pop_front();
    apply(change.despawns, change.spawns);
    if (!peer_ || !hello_ || script_.is_mute) continue;
    if (change.by_blob) {
      send_world();
      wants_keyframe_ = true;
      newest_ack_ = {};
    } else {
      send_control(state::WorldChange{world_.revision, change.despawns, change.spawns});
    }
  }
  if (peer_ && newest_ack_.number != 0 && newest_input_.number != 0 && newest_input_ < tick_) {
    ++counters_.missing_inputs;
  }
  if (tick_.number % script_.snapshot_interval_ticks == 0) send_snapshot();
  if (peer_) send_chunks();
}

void ScriptedServer::apply(const std::vector<BodyId>& despawns, std::vector<BodyInfo> spawns) {
  std::erase_if(world_.bodies, [&](const BodyInfo& body) {
    return std::find(despawns.begin(), despawns.end(), body.id) != despawns.end();
  });
  for (BodyInfo& body : spawns) {
    spawn_poses_[body.id] = protocol::quantize(body.pose, true);
    world_.bodies.push_back(std::move(body));
  }
  std::sort(world_.bodies.begin(), world_.bodies.end(),
            [](const BodyInfo& a, const BodyInfo& b) { return a.id < b.id; });
  ++world_.revision;
}

QuantizedSnapshot ScriptedServer::capture() const {
  QuantizedSnapshot snapshot{
      .tick = tick_, .world_revision = world_.revision, .ids = {}, .bodies = {}};
  for (const BodyInfo& body : world_.bodies) {
    if (body.motion == state::MotionType::Static) continue;
    snapshot.ids.push_back(body.id);
    snapshot.bodies.push_back(protocol::quantize(motion_(body, tick_), true));
  }
  return snapshot;
}

void ScriptedServer::send_snapshot() {
  const QuantizedSnapshot& now = history_[tick_.number] = capture();
  if (!peer_ || is_silent) return;
  if (std::exchange(wants_keyframe_, false)) {
    ++counters_.keyframes_sent;
    std::vector<std::byte> bytes = protocol::encode_keyframe(now);
    const std::uint64_t hash = base::hash_bytes(bytes);
    queue_blob(BlobKind::Keyframe, hash, std::move(bytes));
    keyframe_ = tick_;
  }
  if (newest_ack_.number == 0) return;

  // A client that received damaged data may acknowledge a tick that has not begun yet.
  const bool is_in_window =
      newest_ack_ < tick_ && tick_ - newest_ack_ <= protocol::bit_packed_window_ticks;
  const QuantizedSnapshot* base = is_in_window ? snapshot(newest_ack_) : nullptr;
  const auto find = [](const QuantizedSnapshot& in, BodyId id) -> const QuantizedBody* {
    const auto place = std::lower_bound(in.ids.begin(), in.ids.end(), id);
    if (place == in.ids.end() || *place != id) return nullptr;
    return &in.bodies[static_cast<std::size_t>(place - in.ids.begin())];
  };
  std::vector<protocol::BaselineRun> runs;
  for (const BodyId id : now.ids) {
    const Tick tick = base != nullptr && find(*base, id) != nullptr ? newest_ack_ : Tick{0};
    if (tick.number != 0) ++counters_.with_baseline;
    if (runs.empty() || runs.back().baseline != tick) runs.push_back({0, tick});
    ++runs.back().count;
  }
  const auto parts = protocol::encode_parts(
      now, runs,
      [&](BodyId id, Tick tick) {
        return tick.number == 0 ? &spawn_poses_.at(id) : find(history_.at(tick.number), id);
      },
      script_.max_payload_bytes);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const protocol::SnapshotHeader header{
        .tick = tick_,
        .world_revision = world_.revision,
        .part = static_cast<std::uint8_t>(i),
        .parts = static_cast<std::uint8_t>(parts.size()),
        .first = parts[i].first,
        .count = parts[i].count,
        .input_ack = newest_input_,
        .input_margin_ticks = static_cast<std::int16_t>(std::clamp(margin_ticks_, -1'000, 1'000)),
        .server_send_us = server_us()};
    link_.send_to_client(*peer_, net::Channel::State,
                         protocol::encode_snapshot_message(
                             header, protocol::SnapshotCodec::BitPacked, parts[i].payload));
  }
}

void ScriptedServer::change(std::vector<BodyId> despawns, std::vector<BodyInfo> spawns) {
  pending_.push_back({std::move(despawns), std::move(spawns), false});
}

void ScriptedServer::change_by_blob(std::vector<BodyId> despawns, std::vector<BodyInfo> spawns) {
  pending_.push_back({std::move(despawns), std::move(spawns), true});
}

void ScriptedServer::send_raw(net::Channel channel, std::vector<std::byte> bytes) {
  if (peer_) link_.send_to_client(*peer_, channel, std::move(bytes));
}

void ScriptedServer::shut_down(std::optional<net::DisconnectReason> reason) {
  is_stopped_ = true;
  if (peer_) link_.end_at_server(*peer_, reason);
  link_.is_server_up = false;
}

}  // namespace jostle::client
