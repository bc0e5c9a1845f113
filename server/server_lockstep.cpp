#include "protocol/lockstep_codec.h"
#include "server/server.h"
#include "shared/base/log.h"
#include "shared/prediction_baseline/world_prediction_baseline.h"

#include <string>
#include <utility>
#include <variant>

// The part of Server for clients that play in lockstep.

namespace jostle::server {
namespace {

/// Byte budget for particles, labels and debug draw, per lockstep client and tick.
constexpr double show_bytes_per_tick = 4'000;

}  // namespace

void Server::handle_lockstep(ClientSession& session, std::span<const std::byte> bytes) {
  const auto message = protocol::decode_lockstep(bytes);
  if (!message || session.state == ClientSessionState::AwaitHello) return refuse(session);
  if (const auto* request = std::get_if<protocol::LockstepRequest>(&*message))
    return handle_lockstep_request(session, *request);
  if (const auto* answer = std::get_if<protocol::DesyncAnswer>(&*message))
    return handle_answer(session, *answer);
  refuse(session);
}

void Server::handle_lockstep_request(ClientSession& session,
                                     const protocol::LockstepRequest& request) {
  if (session.lockstep) return refuse(session);
  if (!lockstep_) {
    return reject(session, protocol::RejectCode::NotAllowed,
                  "it does not support lockstep; start it with jostled --mode lockstep",
                  net::DisconnectReason::Refused);
  }
  if (request.engine_hash != prediction_baseline::fingerprint()) {
    return reject(session, protocol::RejectCode::VersionMismatch,
                  "its physics engine differs from the client's; run the same build on both sides",
                  net::DisconnectReason::VersionMismatch);
  }
  session.lockstep.emplace();
  session.wants_simulation = true;
  session.wants_keyframe = false;
  session.keyframe.reset();
}

void Server::handle_report(ClientSession& session, const protocol::InputPacket& packet) {
  if (!lockstep_ || !packet.frames || !session.lockstep->is_sent) return;
  const auto question = lockstep_->take(*session.lockstep, *packet.frames);
  if (session.lockstep->newest) session.state = ClientSessionState::Playing;
  if (!question) return;
  if (!transport_.send(session.peer, net::Channel::Control, protocol::encode_lockstep(*question)))
    ++metrics_.sends_failed;
}

void Server::handle_answer(ClientSession& session, const protocol::DesyncAnswer& answer) {
  if (!lockstep_ || !session.lockstep) return refuse(session);
  const auto next = lockstep_->take(*session.lockstep, answer);
  if (!next) return refuse(session);
  const auto* const report = std::get_if<protocol::DesyncReport>(&*next);
  const std::vector<std::byte> message =
      report != nullptr ? protocol::encode_lockstep(*report)
                        : protocol::encode_lockstep(std::get<protocol::DesyncQuestion>(*next));
  if (!transport_.send(session.peer, net::Channel::Control, message)) ++metrics_.sends_failed;
  if (report == nullptr) return;
  log_.write(io_.now_us(), base::LogLevel::Warn, "desync",
             {{"peer", session.peer.value}, {"name", session.name}, {"where", report->text}});
  desyncs_.push_back({session.name, *report});
}

std::optional<Server::Desync> Server::take_desync() {
  if (desyncs_.empty()) return std::nullopt;
  Desync desync = std::move(desyncs_.front());
  desyncs_.pop_front();
  return desync;
}

/// Sends the commands of this tick, and of earlier ticks that the client has not acknowledged, to
/// every lockstep client.
void Server::publish_frames() {
  if (!lockstep_) return;
  for (auto& [peer, session] : sessions_) {
    if (!session.lockstep) continue;
    session.budget_bytes = show_bytes_per_tick;
    if (session.state == ClientSessionState::Playing)
      metrics_.client_seconds += 1.0 / options_.tick_rate_hz;
    if (lockstep_->is_unrecoverable(*session.lockstep)) {
      session.lockstep.emplace();
      session.wants_simulation = true;
      continue;
    }
    while (const state::TickCommands* const frame = lockstep_->next_long_frame(*session.lockstep))
      send_control(session, *frame);
    const LockstepServer::FrameMetadata sent{session.inputs.newest(), session.inputs.margin_ticks(),
                                             io_.now_us()};
    for (const std::vector<std::byte>& message : lockstep_->frames_for(*session.lockstep, sent))
      if (!transport_.send(peer, net::Channel::State, message)) ++metrics_.sends_failed;
  }
}

/// Restarts lockstep clients from a new simulation state, because another scene was loaded.
void Server::restart_lockstep() {
  sync_test_.restart();
  if (!lockstep_) return;
  lockstep_->clear();
  for (auto& [peer, session] : sessions_) {
    if (!session.lockstep) continue;
    session.lockstep.emplace();
    session.wants_simulation = true;
  }
}

void Server::test_rollback(const state::TickCommands& commands) {
  const bool was_well = !sync_test_.mismatch();
  sync_test_.check(simulation_, commands);
  if (was_well && sync_test_.mismatch())
    base::error("sync test: hashes differ",
                {{"tick", simulation_.tick().number}, {"ticks_back", sync_test_.ticks_back()}});
}

void Server::inject_faults() {
  injected_faults_.clear();
  const auto found = faults_.find(simulation_.tick());
  if (found == faults_.end()) return;
  for (const record::RecordedFault& fault : found->second) {
    if (simulation_.flip_lowest_bit(fault.body, fault.field)) {
      injected_faults_.push_back(fault);
    } else {
      base::warn("no fault injected: there is no body with this number and field",
                 {{"tick", simulation_.tick().number},
                  {"body", fault.body.value},
                  {"field", fault.field}});
    }
  }
  faults_.erase(found);
}

}  // namespace jostle::server
