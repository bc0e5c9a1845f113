#include "client/detail/client_state.h"

#include "protocol/context/own_hello.h"
#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

// Implements the steps of Client::update(); client.cpp has the accessors.

namespace jostle::client {
namespace {

/// Maximum number of chunks that are stored until the Welcome arrives.
constexpr std::size_t max_early_chunks = 1'024;
constexpr std::int64_t interest_interval_us = 200'000;
constexpr std::int64_t ledger_interval_us = 1'000'000;

}  // namespace

void Client::State::update() {
  events.clear();
  transport.service(events);
  const std::int64_t now_us = io.now_us();
  if (session) session->advance_clock(now_us);
  for (const net::PeerEvent& event : events)
    take(event, now_us);
  if (connection.advance(now_us) == Connection::Change::Lost) is_session_live = false;

  if (session) session->advance_play();
  if (is_session_live) {
    send_packets();
    send_interest();
    send_inspection();
    if (session->is_stalled()) {
      connection.start_over("no snapshot could be decoded", now_us);
      is_session_live = false;
    } else if (session->is_playing()) {
      connection.note_progress(now_us);
    }
  }
  transport.flush();
  note_sent();
  note_status();
  note_metrics(now_us);
}

void Client::State::take(const net::PeerEvent& event, std::int64_t now_us) {
  switch (connection.take(event, now_us)) {
    case Connection::Change::None:
      break;
    case Connection::Change::Up:
      say_hello();
      break;
    case Connection::Change::Lost:
      is_session_live = false;
      break;
    case Connection::Change::Message:
      handle_message(event, now_us);
      break;
  }
}

void Client::State::handle_message(const net::PeerEvent& event, std::int64_t now_us) {
  if (event.channel == net::Channel::Control) {
    handle_control(event.bytes);
    return;
  }
  // Channels are not ordered relative to each other, so chunks may arrive before the Welcome. They
  // are stored until then, because the server does not send them again.
  if (!is_session_live) {
    if (event.channel == net::Channel::Bulk) keep_early_chunk(event.bytes);
    return;
  }
  switch (event.channel) {
    case net::Channel::Control:
      break;
    case net::Channel::State:
      session->handle_state(event.bytes, now_us);
      break;
    case net::Channel::Time:
      session->handle_pong(event.bytes, now_us);
      break;
    case net::Channel::Bulk:
      if (protocol::is_commands(event.bytes)) {
        handle_control(event.bytes);
      } else {
        handle_chunk(event.bytes, now_us);
      }
      break;
  }
}

void Client::State::keep_early_chunk(const std::vector<std::byte>& bytes) {
  if (early_chunks.size() >= max_early_chunks ||
      bytes.size() > protocol::max_control_message_bytes) {
    fail_unreadable("world chunk before its Welcome");
  } else {
    early_chunks.push_back(bytes);
  }
}

void Client::State::handle_chunk(std::span<const std::byte> bytes, std::int64_t now_us) {
  if (!is_session_live) return;
  if (session->handle_chunk(bytes)) {
    connection.note_progress(now_us);
    if (const std::string words = session->why_no_lockstep(); !words.empty()) {
      connection.fail("lockstep is not possible: " + words, net::DisconnectReason::Requested,
                      Failure::NoLockstep);
      is_session_live = false;
    }
  } else {
    fail_unreadable("world chunk that contradicts earlier ones or exceeds a limit");
  }
}

void Client::State::handle_lockstep(const std::vector<std::byte>& bytes) {
  const auto message = protocol::decode_lockstep(bytes);
  if (!message) return fail_unreadable("message that cannot be decoded");
  bool is_understood = false;
  if (const auto* question = std::get_if<protocol::DesyncQuestion>(&*message)) {
    const auto answer = is_session_live ? session->answer(*question) : std::nullopt;
    is_understood = answer.has_value();
    if (answer) connection.send(net::Channel::Control, protocol::encode_lockstep(*answer));
  } else if (const auto* report = std::get_if<protocol::DesyncReport>(&*message)) {
    is_understood = is_session_live && session->handle_report(*report);
  }
  if (!is_understood) fail_unreadable("message that is not valid here");
}

void Client::State::handle_control(const std::vector<std::byte>& bytes) {
  if (protocol::is_lockstep(bytes)) return handle_lockstep(bytes);
  auto message = protocol::decode_control(bytes, protocol::max_control_message_bytes);
  if (!message) {
    fail_unreadable("message that cannot be decoded");
    return;
  }
  const bool is_understood = std::visit(
      [this](auto&& content) {
        using Content = std::remove_cvref_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, protocol::Welcome>) {
          if (is_session_live || !PlaySession::is_acceptable(content)) return false;
          welcome(content);
          return true;
        } else if constexpr (std::is_same_v<Content, protocol::Reject>) {
          // After its Welcome, the server rejects only requests for lockstep.
          const bool is_lockstep_refused =
              is_session_live && content.code == protocol::RejectCode::NotAllowed;
          connection.fail("the server refused the connection: " + content.text,
                          net::DisconnectReason::Requested,
                          is_lockstep_refused ? Failure::NoLockstep : failure_of(content.code));
          is_session_live = false;
          return true;
        } else if constexpr (std::is_same_v<Content, protocol::BlobAnnounce>) {
          return is_session_live && session->handle_announcement(content);
        } else if constexpr (std::is_same_v<Content, state::WorldChange>) {
          return is_session_live &&
                 session->handle_change(std::forward<decltype(content)>(content));
        } else if constexpr (std::is_same_v<Content, state::TickCommands>) {
          return is_session_live &&
                 session->handle_commands(std::forward<decltype(content)>(content));
        } else if constexpr (std::is_same_v<Content, protocol::SceneInfo>) {
          return is_session_live && handle_scene(std::forward<decltype(content)>(content));
        } else if constexpr (std::is_same_v<Content, protocol::SceneStatus>) {
          scene_status = content;
          return is_session_live;
        } else if constexpr (std::is_same_v<Content, protocol::Notice>) {
          notice = content.text;
          return is_session_live;
        } else {
          return false;  // these kinds are sent by clients only
        }
      },
      std::move(*message));
  if (!is_understood) fail_unreadable("message that is not valid here");
}

void Client::State::welcome(const protocol::Welcome& welcome) {
  if (session) {
    Metrics last;
    session->report(last);
    earlier.complete += last.snapshots_complete;
    earlier.incomplete += last.snapshots_incomplete;
    earlier.refused += last.parts_refused;
  }
  session.emplace(
      welcome,
      [this](const BufferedSnapshot& snapshot, bool) {
        if (complete_hook && snapshot.is_whole()) complete_hook(snapshot.copy());
      },
      options.profile, predictor, engine);
  session->advance_clock(io.now_us());
  session->inputs().set_input(input);
  reconnect_token = welcome.reconnect_token;
  sent_interest.reset();
  sent_inspection = {};
  session->set_newest_wanted(is_newest_wanted);
  scenes.clear();
  scene_status = {};
  scenes_coming.clear();
  is_session_live = true;
  for (const auto& chunk : std::exchange(early_chunks, {}))
    handle_chunk(chunk, io.now_us());
}

// Adds a scene to the list that is arriving. A list begins with scene 0 and replaces the previous
// list when all its scenes have arrived. Returns false if the scene is not the next one of its
// list.
bool Client::State::handle_scene(protocol::SceneInfo info) {
  if (info.index == 0) scenes_coming.clear();
  const bool is_next = info.index == scenes_coming.size() &&
                       (scenes_coming.empty() || info.count == scenes_coming.front().count);
  if (!is_next) return false;
  scenes_coming.push_back(std::move(info));
  if (scenes_coming.size() == scenes_coming.front().count) {
    scenes = std::exchange(scenes_coming, {});
  }
  return true;
}

void Client::State::send_control(const protocol::ControlMessage& message) {
  if (!is_session_live) return;
  connection.send(net::Channel::Control, protocol::encode_control(message));
}

void Client::State::say_hello() {
  early_chunks.clear();
  protocol::Hello hello = protocol::context::own_hello();
  hello.role = options.role;
  hello.client_name = options.name.substr(0, protocol::max_name_bytes);
  hello.reconnect_token = reconnect_token;
  hello.profile = options.profile;
  connection.send(net::Channel::Control, protocol::encode_control(hello));
}

void Client::State::fail_unreadable(std::string_view what) {
  connection.fail("the server at " + net::to_string(connection.address()) + " sent a " +
                      std::string(what) + "; disconnected",
                  net::DisconnectReason::Misbehaved, Failure::Unreadable);
  is_session_live = false;
}

void Client::State::send_packets() {
  const auto packet = session->next_input_packet();
  if (const auto ping = session->next_ping(io.now_us(), packet.has_value())) {
    connection.send(net::Channel::Time, protocol::encode_ping(*ping));
  }
  if (const auto request = session->next_simulation_request(io.now_us())) send_control(*request);
  if (const auto offer = session->next_prediction_baseline_offer()) send_control(*offer);
  if (const auto request = session->next_lockstep_request())
    connection.send(net::Channel::Control, protocol::encode_lockstep(*request));
  if (packet) {
    const std::vector<std::byte> message = protocol::encode_input(*packet);
    connection.send(net::Channel::State, message);
    session->note_packet_bytes(message.size() + net::unreliable_datagram_bytes);
  }
}

void Client::State::send_interest() {
  const std::int64_t now_us = io.now_us();
  if (!interest || interest == sent_interest) return;
  if (sent_interest && now_us - interest_sent_us < interest_interval_us) return;
  send_control(*interest);
  sent_interest = interest;
  interest_sent_us = now_us;
}

void Client::State::send_inspection() {
  if (inspection == sent_inspection) return;
  send_control(inspection);
  sent_inspection = inspection;
}

/// Tells the session how many bytes were sent, acknowledgements of the transport included.
void Client::State::note_sent() {
  constexpr std::uint64_t ip_udp_header_bytes = 28;
  const net::TransportCounters counters = transport.counters();
  const std::uint64_t all = counters.bytes_sent + counters.datagrams_sent * ip_udp_header_bytes;
  if (is_session_live) session->note_sent(all - sent_bytes);
  sent_bytes = all;
}

void Client::State::note_status() {
  const Connection::Phase phase = connection.phase();
  const bool is_over = phase == Connection::Phase::Closing || phase == Connection::Phase::Over;
  if (is_over && !connection.has_failed()) {
    status.text = "closed";  // `status.state` keeps its value from before closing
    return;
  }
  status.text = connection.text();
  status.player = session ? session->player() : state::PlayerId{};
  status.failure = connection.failure();
  status.is_reconnecting = connection.lost_us().has_value();
  if (connection.has_failed()) {
    status.state = ClientState::Failed;
  } else if (!is_session_live) {
    status.state = ClientState::Connecting;
  } else if (session->is_playing()) {
    status.state = ClientState::Playing;
  } else {
    status.state = ClientState::Joining;
    status.text = "loading the world";
  }
}

void Client::State::note_metrics(std::int64_t now_us) {
  const net::TransportCounters counters = transport.counters();
  metrics.bytes_down = counters.bytes_received;
  metrics.bytes_up = counters.bytes_sent;
  if (is_session_live) {
    session->report(metrics);
    metrics.snapshots_complete += earlier.complete;
    metrics.snapshots_incomplete += earlier.incomplete;
    metrics.parts_refused += earlier.refused;
    if (session->is_playing()) traffic.note_age(session->snapshot_age_ms());
  }
  if (now_us - ledger_us >= ledger_interval_us) {
    metrics.wire_down = net::lines_of(counters.received - ledger_down);
    metrics.wire_up = net::lines_of(counters.sent - ledger_up);
    ledger_down = counters.received;
    ledger_up = counters.sent;
    ledger_us = now_us;
  }
  traffic.advance(now_us, counters.bytes_received, counters.bytes_sent);
  metrics.bytes_per_second_down = traffic.bytes_per_second_down();
  metrics.bytes_per_second_up = traffic.bytes_per_second_up();
  metrics.snapshot_age_ms = traffic.mean_age_ms();
}

}  // namespace jostle::client
