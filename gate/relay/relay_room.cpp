#include "gate/relay/relay_room.h"

#include "protocol/context/own_hello.h"
#include "protocol/control_codec.h"
#include "protocol/limits.h"
#include "shared/base/log.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <variant>

namespace jostle::gate {
namespace {

using net::Channel;
using net::DisconnectReason;

constexpr std::chrono::milliseconds advance_interval{4};
/// Maximum number of snapshots and messages that wait for the delay: a minute at 240 Hz.
constexpr std::size_t max_waiting = 16'384;
/// Pause between two attempts to join a server that refuses the relay.
constexpr std::int64_t retry_interval_us = 1'000'000;
/// Rate at which the nominal time of ticks may drift, as a share.
constexpr double max_drift = 1e-4;
/// Maximum number of snapshots that wait for a viewer. A viewer with more misses snapshots until
/// the next key frame. At 60 Hz, the limit is about 0.2 s.
constexpr std::size_t max_waiting_snapshots = 12;
/// The same limit for snapshots behind reliable messages, in bytes.
constexpr std::size_t max_waiting_bytes = 262'144;
constexpr std::string_view relay_prefix = "relay/";
constexpr std::string_view watch_notice = "viewers of an audience only watch";
constexpr std::string_view inspect_notice =
    "an audience gets no debug draw, statistics, masses and contacts from the server";

/// Returns true if a message of the State channel is complete in itself: labels, values, particles
/// and ropes. Snapshots are coded anew, and other messages answer requests of one client.
bool is_for_all(std::span<const std::byte> message) {
  constexpr std::size_t offset = 4;
  if (message.size() < offset + 4) return false;
  const std::string_view kind(reinterpret_cast<const char*>(message.data()) + offset, 4);
  return kind == "JPRT" || kind == "JRDO" || kind == "JVAL" || kind == "JCRD";
}

}  // namespace

base::Result<std::unique_ptr<RelayRoom>, std::string> RelayRoom::create(
    boost::asio::io_context& context, const Options& options) {
  std::unique_ptr<RelayRoom> room(new RelayRoom(context, options));
  net::EnetOptions enet;
  enet.is_accepting = false;
  enet.security = options.security;
  enet.bind = net::Address{net::any_of_family(options.server.ip), 0};
  auto transport = net::EnetTransport::create(room->io_, enet);
  if (!transport) return transport.error().text;
  room->join_server(*std::move(transport));
  return room;
}

std::unique_ptr<Audience> RelayRoom::create_audience(boost::asio::io_context& context,
                                                     std::unique_ptr<net::Transport> upstream) {
  Options options;
  options.is_audience = true;
  std::unique_ptr<RelayRoom> room(new RelayRoom(context, options));
  room->join_server(std::move(upstream));
  return room;
}

void RelayRoom::join_server(std::unique_ptr<net::Transport> upstream) {
  transport_ = std::make_unique<TappedTransport>(
      std::move(upstream), [this](const net::PeerEvent& event) { note_message(event); });
  client::Options client;
  client.server = options_.server;
  client.name = "relay";
  client.role = protocol::Role::Spectator;
  upstream_ = std::make_unique<client::Client>(io_, *transport_, client);
  upstream_->set_complete_hook(
      [this](const protocol::QuantizedSnapshot& snapshot) { note_snapshot(snapshot); });
  schedule();
}

RelayRoom::RelayRoom(boost::asio::io_context& context, const Options& options)
    : options_(options), timer_(context) {
  // A viewer gets the whole world at once.
  options_.limits.max_reliable_bytes = 2 * protocol::max_blob_bytes;
}

RelayRoom::~RelayRoom() {
  *is_alive_ = false;
  for (auto& [id, member] : viewers_)
    if (!options_.is_audience) member.viewer->detach();
}

void RelayRoom::schedule() {
  timer_.expires_after(advance_interval);
  timer_.async_wait([this, alive = is_alive_](boost::system::error_code error) {
    if (error || !*alive || is_stopped_) return;
    advance();
    schedule();
  });
}

void RelayRoom::advance() {
  upstream_->update();
  if (!has_asked_for_scenes_ && upstream_->status().state == client::ClientState::Playing) {
    upstream_->ask_for_scenes();
    has_asked_for_scenes_ = true;
  }
  if (upstream_->status().state == client::ClientState::Failed && io_.now_us() >= retry_us_) {
    retry_us_ = io_.now_us() + retry_interval_us;
    // The server ends the session of an audience whose last viewer has left.
    if (!options_.is_audience || !viewers_.empty())
      base::warn("relay: server unreachable", {{"why", upstream_->status().text}});
    upstream_->try_again();
  }
  while (!waiting_.empty() && waiting_.front().due_us <= io_.now_us()) {
    const Waiting waiting = std::move(waiting_.front());
    waiting_.pop_front();
    publish(waiting);
  }
}

/// Sees each message of the server before the client does.
void RelayRoom::note_message(const net::PeerEvent& event) {
  if (event.kind != net::PeerEvent::Kind::Received) return;
  if (event.channel == Channel::Control) {
    const auto message = protocol::decode_control(event.bytes, protocol::max_control_message_bytes);
    if (!message) return;
    if (const auto* const welcome = std::get_if<protocol::Welcome>(&*message)) {
      server_ = *welcome;
      begin_stream();
      has_asked_for_scenes_ = false;
      return;
    }
    const bool is_status = std::holds_alternative<protocol::SceneStatus>(*message);
    if (!is_status) return;
  } else if (event.channel != Channel::State || !is_for_all(event.bytes)) {
    return;
  }
  if (waiting_.size() >= max_waiting) return;
  Waiting& waiting = waiting_.emplace_back();
  waiting.due_us = io_.now_us() + static_cast<std::int64_t>(options_.delay_seconds * 1e6);
  waiting.message = {event.channel, event.bytes};
}

/// Begins anew after the relay has joined the server. The viewers join again, because the ticks and
/// ids of another run of the server have no meaning for them.
void RelayRoom::begin_stream() {
  waiting_.clear();
  world_.reset();
  tick_offset_us_.reset();
  stream_.emplace(RelayStream::Options{.tick_rate_hz = server_->tick_rate_hz,
                                       .key_seconds = options_.key_seconds});
  if (!options_.is_audience)
    fragments_ = std::make_unique<FragmentStore>(
        FragmentStore::Options{.fragment_seconds = options_.key_seconds}, welcome_message());
  for (auto& [id, member] : std::exchange(viewers_, {})) {
    if (!options_.is_audience) member.viewer->detach();
    member.viewer->close(gate_link::server_unreachable_code, "the server has started anew", true);
  }
}

void RelayRoom::note_snapshot(const protocol::QuantizedSnapshot& snapshot) {
  const state::WorldDef& world = upstream_->world();
  // The next snapshot after a change of the world has the new revision.
  if (world.revision != snapshot.world_revision || waiting_.size() >= max_waiting) return;
  if (world_ == nullptr || world_->revision != world.revision)
    world_ = std::make_shared<const state::WorldDef>(world);
  Waiting& waiting = waiting_.emplace_back();
  waiting.due_us = io_.now_us() + static_cast<std::int64_t>(options_.delay_seconds * 1e6);
  waiting.snapshot = snapshot;
  waiting.world = world_;
}

void RelayRoom::publish(const Waiting& waiting) {
  if (!stream_) return;
  if (waiting.snapshot) {
    const auto frame = stream_->add(*waiting.snapshot, *waiting.world, io_.now_us());
    if (frame) publish_frame(*frame);
    return;
  }
  if (fragments_ != nullptr) fragments_->add(waiting.message, io_.now_us());
  ++group_;
  for (auto& [id, member] : viewers_)
    if (member.has_joined)
      member.viewer->send(waiting.message.channel, group_, waiting.message.bytes);
}

void RelayRoom::publish_frame(const RelayFrame& frame) {
  ++frames_;
  const std::int64_t now_us = io_.now_us();
  const double period_us = 1e6 / server_->tick_rate_hz;
  const double offset = static_cast<double>(now_us) - frame.tick.number * period_us;
  tick_offset_us_ =
      tick_offset_us_ ? std::min(*tick_offset_us_ + max_drift * period_us, offset) : offset;
  if (fragments_ != nullptr) fragments_->add(frame, now_us);
  ++group_;
  std::vector<gate_link::ViewerId> ids;
  for (const auto& [id, member] : viewers_)
    ids.push_back(id);
  for (const gate_link::ViewerId id : ids) {
    const auto found = viewers_.find(id);
    if (found == viewers_.end() || !found->second.has_joined) continue;
    Member& member = found->second;
    if (member.viewer->waiting_groups() > max_waiting_snapshots ||
        member.viewer->waiting_bytes() > member.welcome_bytes + max_waiting_bytes)
      member.is_behind = true;
    for (const RelayMessage& message : frame.changes)
      member.viewer->send(message.channel, group_, message.bytes);
    if (frame.is_key) member.is_behind = false;
    for (const RelayMessage& message : frame.parts)
      if (!member.is_behind)
        member.viewer->send_snapshot(static_cast<std::uint32_t>(frames_), message.bytes);
    member.viewer->flush();
  }
}

std::unique_ptr<http::WebSocketHandler> RelayRoom::join(net::Address client, bool) {
  const gate_link::ViewerId id{++last_viewer_};
  auto viewer = std::make_unique<Viewer>(id, client, *this, options_.limits);
  if (!is_open()) {
    viewer->close(gate_link::server_unreachable_code, "the server is not running; connecting again",
                  true);
  } else if (viewers_.size() >= options_.max_viewers) {
    viewer->close(gate_link::close_code(DisconnectReason::ServerFull),
                  "the relay is full: " + std::to_string(options_.max_viewers) + " viewers", true);
  }
  viewers_[id] = {.viewer = viewer.get()};
  return viewer;
}

std::optional<http::Response> RelayRoom::respond(const std::string& path) {
  if (!path.starts_with(relay_prefix)) return std::nullopt;
  if (fragments_ == nullptr) return http::text_response(503, "the server is not running");
  return fragments_->respond(path.substr(relay_prefix.size()));
}

void RelayRoom::entered(Viewer& viewer, const gate_link::EntryRequest&) {
  net::PeerIdentity identity;
  identity.role = secure::Role::Spectator;
  viewer.admit(identity);
}

void RelayRoom::received(Viewer& viewer, const gate_link::ViewerMessage& message) {
  Member& member = viewers_.at(viewer.id());
  if (message.channel == Channel::Control && !member.has_joined) {
    answer_hello(member, message.bytes);
  } else {
    handle(viewer, message);
  }
}

protocol::Welcome RelayRoom::welcome_message() const {
  protocol::Welcome message = *server_;
  message.player = {};
  message.reconnect_token = 0;
  return message;
}

void RelayRoom::answer_hello(Member& member, std::span<const std::byte> hello) {
  Viewer& viewer = *member.viewer;
  const auto message = protocol::decode_control(hello, protocol::max_client_message_bytes);
  const auto* const content = message ? std::get_if<protocol::Hello>(&*message) : nullptr;
  if (content == nullptr) return viewer.close(DisconnectReason::Misbehaved);
  const protocol::Hello own = protocol::context::own_hello();
  const auto reject = [&](protocol::RejectCode code, const char* words, DisconnectReason reason) {
    viewer.send(Channel::Control, group_, protocol::encode_control(protocol::Reject{code, words}));
    viewer.close(reason, false);
  };
  if (content->version_major != own.version_major || content->schema_hash != own.schema_hash ||
      content->priors_hash != own.priors_hash)
    return reject(protocol::RejectCode::VersionMismatch,
                  "the page and the relay are of different versions; load the page again",
                  DisconnectReason::VersionMismatch);
  if (content->role != protocol::Role::Spectator)
    return reject(protocol::RejectCode::NotAllowed, "viewers of a relay only watch",
                  DisconnectReason::Requested);
  welcome(member);
}

bool RelayRoom::take(Viewer& viewer, std::span<const std::byte> hello) {
  const auto message = protocol::decode_control(hello, protocol::max_client_message_bytes);
  const auto* const content = message ? std::get_if<protocol::Hello>(&*message) : nullptr;
  const protocol::Hello own = protocol::context::own_hello();
  // The server answers all others, with its own words.
  if (content == nullptr || !is_open() || content->version_major != own.version_major ||
      content->schema_hash != own.schema_hash || content->priors_hash != own.priors_hash ||
      content->role != protocol::Role::Spectator || content->profile != protocol::Profile::Visual)
    return false;
  viewer.allow_reliable_bytes(options_.limits.max_reliable_bytes);
  Member& member = viewers_[viewer.id()];
  member.viewer = &viewer;
  welcome(member);
  return true;
}

void RelayRoom::handle(Viewer& viewer, const gate_link::ViewerMessage& message) {
  if (message.channel == Channel::Time) answer_ping(viewer, message.bytes);
  if (message.channel == Channel::Control) answer_request(viewers_.at(viewer.id()), message.bytes);
  // Acknowledgements and inputs have no effect.
}

/// Answers a request of a viewer that has joined: the list of scenes, or a notice for what an
/// audience cannot have.
void RelayRoom::answer_request(Member& member, std::span<const std::byte> bytes) {
  const auto message = protocol::decode_control(bytes, protocol::max_client_message_bytes);
  if (!message) return;
  const auto* const inspect = std::get_if<protocol::InspectRequest>(&*message);
  const bool asks_for_scenes = std::holds_alternative<protocol::SceneListRequest>(*message);
  const bool asks_for_change = std::holds_alternative<protocol::ControlRequest>(*message) ||
                               std::holds_alternative<protocol::SceneRequest>(*message);
  const bool asks_to_inspect = inspect != nullptr && *inspect != protocol::InspectRequest{};
  if (!asks_for_scenes && !asks_for_change && !asks_to_inspect) return;
  if (!member.answers.take(io_.now_us())) return;
  Viewer& viewer = *member.viewer;
  if (asks_for_scenes) return send_scenes(viewer);
  const protocol::Notice notice{std::string(asks_for_change ? watch_notice : inspect_notice)};
  viewer.send(Channel::Control, ++group_, protocol::encode_control(notice));
  viewer.flush();
}

void RelayRoom::send_scenes(Viewer& viewer) {
  ++group_;
  for (const protocol::SceneInfo& scene : upstream_->scenes())
    viewer.send(Channel::Control, group_, protocol::encode_control(scene));
  viewer.flush();
}

void RelayRoom::welcome(Member& member) {
  Viewer& viewer = *member.viewer;
  protocol::Welcome answer = welcome_message();
  answer.tick = stream_->newest();
  answer.world_revision = stream_->world()->revision;
  viewer.send(Channel::Control, group_, protocol::encode_control(answer));
  viewer.send(Channel::Control, group_, protocol::encode_control(upstream_->scene_status()));
  for (const RelayMessage& part : stream_->catch_up())
    viewer.send(part.channel, group_, part.bytes);
  member.has_joined = true;
  member.welcome_bytes = viewer.waiting_bytes();
  viewer.flush();
}

void RelayRoom::answer_ping(Viewer& viewer, std::span<const std::byte> bytes) {
  const auto ping = protocol::decode_ping(bytes);
  if (!ping || !tick_offset_us_) return;
  protocol::TimePong pong;
  pong.id = ping->id;
  pong.client_send_us = ping->client_send_us;
  pong.server_receive_us = pong.server_send_us = io_.now_us();
  pong.tick = stream_->newest();
  pong.tick_due_us =
      static_cast<std::int64_t>(*tick_offset_us_ + pong.tick.number * 1e6 / server_->tick_rate_hz);
  viewer.send(Channel::Time, ++group_, protocol::encode_pong(pong));
  viewer.flush();
}

void RelayRoom::left(Viewer& viewer, DisconnectReason) {
  viewers_.erase(viewer.id());
}

void RelayRoom::watch() {
  std::vector<Viewer*> viewers;
  for (const auto& [id, member] : viewers_)
    viewers.push_back(member.viewer);
  for (Viewer* const viewer : viewers)
    viewer->watch();
}

void RelayRoom::close_all() {
  is_stopped_ = true;
  timer_.cancel();
  upstream_->close();
  upstream_->update();
  for (const auto& [id, member] : viewers_)
    member.viewer->close(DisconnectReason::ServerShutdown);
}

}  // namespace jostle::gate
