#include "server/lockstep_sessions.h"

#include "protocol/lockstep_codec.h"
#include "shared/base/program_names.h"
#include "shared/prediction_baseline/world_prediction_baseline.h"

#include <utility>
#include <variant>
#include <vector>

namespace jostle::server {
namespace {

/// Byte budget for particles, labels and debug draw, per lockstep client and tick.
constexpr double auxiliary_bytes_per_tick = 4'000;

/// Makes the client restart from a new simulation state, which SimulationPublisher sends.
void restart_from_new_state(ClientSession& session) {
  session.lockstep.emplace();
  session.simulation.wants_state = true;
}

}  // namespace

LockstepSessions::LockstepSessions(net::Io& io, const sim::Simulation& simulation,
                                   const Options& options, Clients& clients)
    : io_(io), simulation_(simulation), options_(options), clients_(clients) {
  if (options.is_lockstep) lockstep_.emplace();
}

bool LockstepSessions::receive(ClientSession& session, std::span<const std::byte> bytes) {
  const auto message = protocol::decode_lockstep(bytes);
  if (!message || session.state == ClientSessionState::AwaitHello) return false;
  if (const auto* request = std::get_if<protocol::LockstepRequest>(&*message))
    return begin(session, *request);
  if (const auto* answer = std::get_if<protocol::DesyncAnswer>(&*message))
    return receive_answer(session, *answer);
  return false;
}

bool LockstepSessions::begin(ClientSession& session, const protocol::LockstepRequest& request) {
  if (session.lockstep) return false;
  if (!lockstep_) {
    clients_.reject(session, protocol::RejectCode::NotAllowed,
                    "the server does not support lockstep; start it with " +
                        base::program_names().server + " --mode lockstep",
                    net::DisconnectReason::Refused);
    return true;
  }
  if (request.engine_hash != prediction_baseline::fingerprint()) {
    clients_.reject(session, protocol::RejectCode::VersionMismatch,
                    "the server's physics engine differs from the client's; run the same build on "
                    "both sides",
                    net::DisconnectReason::VersionMismatch);
    return true;
  }
  restart_from_new_state(session);
  session.snapshots.cancel_keyframe();
  return true;
}

void LockstepSessions::receive_report(ClientSession& session, const protocol::InputPacket& packet) {
  if (!lockstep_ || !packet.frames || !session.lockstep->is_sent) return;
  const auto question = lockstep_->take(*session.lockstep, *packet.frames);
  if (session.lockstep->newest) session.state = ClientSessionState::Playing;
  if (!question) return;
  clients_.send(session.peer, net::Channel::Control, protocol::encode_lockstep(*question));
}

bool LockstepSessions::receive_answer(ClientSession& session,
                                      const protocol::DesyncAnswer& answer) {
  if (!lockstep_ || !session.lockstep) return false;
  const auto next = lockstep_->take(*session.lockstep, answer, session.name);
  if (!next) return false;
  const auto* const report = std::get_if<protocol::DesyncReport>(&*next);
  clients_.send(session.peer, net::Channel::Control,
                report != nullptr
                    ? protocol::encode_lockstep(*report)
                    : protocol::encode_lockstep(std::get<protocol::DesyncQuestion>(*next)));
  if (report == nullptr) return true;
  clients_.log(base::LogLevel::Warn, "desync",
               {{"peer", session.peer.value}, {"name", session.name}, {"where", report->text}});
  desyncs_.push_back({session.name, *report});
  return true;
}

std::optional<Desync> LockstepSessions::take_desync() {
  if (desyncs_.empty()) return std::nullopt;
  Desync desync = std::move(desyncs_.front());
  desyncs_.pop_front();
  return desync;
}

void LockstepSessions::note(const state::TickCommands& commands) {
  if (lockstep_) lockstep_->note(commands, simulation_);
}

void LockstepSessions::publish_frames() {
  if (!lockstep_) return;
  for (auto& [peer, session] : clients_) {
    if (!session.lockstep) continue;
    session.budget.bytes = auxiliary_bytes_per_tick;
    if (session.state == ClientSessionState::Playing)
      clients_.metrics().client_seconds += 1.0 / options_.tick_rate_hz;
    if (lockstep_->is_unrecoverable(*session.lockstep)) {
      restart_from_new_state(session);
      continue;
    }
    while (const state::TickCommands* const frame = lockstep_->next_long_frame(*session.lockstep))
      clients_.send_control(session, *frame);
    const LockstepServer::FrameMetadata sent{session.inputs.newest(), session.inputs.margin_ticks(),
                                             io_.now_us()};
    for (const std::vector<std::byte>& message : lockstep_->frames_for(*session.lockstep, sent))
      clients_.send(peer, net::Channel::State, message);
  }
}

void LockstepSessions::restart() {
  if (!lockstep_) return;
  lockstep_->clear();
  for (auto& [peer, session] : clients_)
    if (session.lockstep) restart_from_new_state(session);
}

}  // namespace jostle::server
