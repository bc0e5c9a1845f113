#include "server/message_handler.h"

#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace jostle::server {

namespace {

/// Time constant with which the usual gap between messages decays.
constexpr double gap_memory_seconds = 8;
/// Longer gaps are outages, which are not usual.
constexpr double longest_usual_gap_seconds = 0.4;

}  // namespace

void MessageLimits::note_heard(state::Tick now, int tick_rate_hz) {
  const auto gap = static_cast<double>(now - std::exchange(last_heard, now));
  usual_gap_ticks *= std::max(1 - gap / (gap_memory_seconds * tick_rate_hz), 0.0);
  if (gap <= longest_usual_gap_seconds * tick_rate_hz)
    usual_gap_ticks = std::max(usual_gap_ticks, gap);
}

void MessageHandler::refill_budgets() {
  const std::int64_t now_us = io_.now_us();
  const double seconds = static_cast<double>(now_us - std::exchange(refilled_us_, now_us)) * 1e-6;
  const double per_second = messages_per_second_of(options_.tick_rate_hz);
  // Messages received during a stall all arrive at once, so the burst grows by the length of the
  // stall.
  const double most = (message_burst_seconds + std::max(seconds, 0.0)) * per_second;
  for (auto& [peer, session] : clients_) {
    MessageLimits& limits = session.messages;
    limits.budget = std::min(limits.budget + seconds * per_second, most);
    limits.refused_score = std::max(limits.refused_score - seconds, 0.0);
  }
}

void MessageHandler::receive(ClientSession& session, const net::PeerEvent& event) {
  if (pass_on(session, event)) return;
  ++clients_.metrics().messages_refused;
  session.messages.refused_score += 1.0;
}

bool MessageHandler::pass_on(ClientSession& session, const net::PeerEvent& event) {
  if (session.messages.budget < 1.0 || event.bytes.size() > protocol::max_client_message_bytes)
    return false;
  session.messages.budget -= 1.0;
  if (session.is_rejected) return true;  // the client may not know yet
  session.messages.note_heard(simulation_.tick(), options_.tick_rate_hz);
  switch (event.channel) {
    case net::Channel::Control:
      return receive_control(session, event.bytes);
    case net::Channel::State:
      return receive_state(session, event.bytes);
    case net::Channel::Time:
      return to_.time.receive(session.peer, event.bytes);
    case net::Channel::Bulk:
      return false;  // clients send nothing there
  }
  return false;
}

bool MessageHandler::receive_control(ClientSession& session, std::span<const std::byte> bytes) {
  if (protocol::is_lockstep(bytes)) return to_.lockstep.receive(session, bytes);
  const auto message = protocol::decode_control(bytes, protocol::max_client_message_bytes);
  if (!message) return false;
  const auto* const hello = std::get_if<protocol::Hello>(&*message);
  // The Hello is the first message of a session, and is sent once.
  if ((hello != nullptr) != (session.state == ClientSessionState::AwaitHello)) return false;
  if (session.waiting_hello) return false;
  if (hello != nullptr) {
    to_.admission.receive_hello(session, *hello);
    return true;
  }
  if (const auto* request = std::get_if<protocol::ControlRequest>(&*message))
    return to_.scenes.control(session, request->command);
  if (std::holds_alternative<protocol::SceneListRequest>(*message))
    return to_.scenes.send_list(session);
  if (const auto* request = std::get_if<protocol::SceneRequest>(&*message))
    return to_.scenes.request_scene(session, request->name);
  if (std::holds_alternative<protocol::SimulationRequest>(*message))
    return to_.simulation.request(session);
  if (const auto* offer = std::get_if<protocol::PredictionBaselineOffer>(&*message)) {
    to_.snapshots.receive_offer(session, *offer);
    return true;
  }
  if (const auto* interest = std::get_if<protocol::SetInterest>(&*message)) {
    session.interest = *interest;
    return true;
  }
  if (const auto* request = std::get_if<protocol::InspectRequest>(&*message)) {
    to_.debug_draw.request(session.inspection, *request);
    return true;
  }
  return false;
}

bool MessageHandler::receive_state(ClientSession& session, std::span<const std::byte> bytes) {
  const auto packet = protocol::decode_input(bytes);
  if (!packet) return false;
  // A packet that arrives before the session's Hello is not misbehaviour: channels are not ordered
  // relative to each other.
  if (session.state == ClientSessionState::AwaitHello) return true;
  if (session.lockstep) {
    to_.lockstep.receive_report(session, *packet);
  } else {
    to_.snapshots.acknowledge(session, packet->ack);
  }
  if (session.player.is_null()) return true;
  for (const state::PlayerInput& input : packet->inputs)
    session.inputs.accept(input, simulation_.tick());
  return true;
}

}  // namespace jostle::server
