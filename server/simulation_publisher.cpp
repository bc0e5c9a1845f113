#include "server/simulation_publisher.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace jostle::server {

bool SimulationPublisher::request(ClientSession& session) const {
  SimulationSubscription& client = session.simulation;
  const std::int64_t now_us = io_.now_us();
  if (client.requested_us && now_us - *client.requested_us < simulation_interval_us) return false;
  client.requested_us = now_us;
  // Over a narrow link, a state takes longer than clients wait before they repeat the request.
  if (!session.blobs.holds(protocol::BlobKind::Simulation)) client.wants_state = true;
  return true;
}

void SimulationPublisher::publish_commands(const state::TickCommands& commands) {
  if (!clients_.has_any(
          [](const ClientSession& session) { return session.simulation.receives_commands; }))
    return;
  const auto messages = stream_.commands_of(commands);
  for (auto& [peer, session] : clients_) {
    SimulationSubscription& client = session.simulation;
    if (!client.receives_commands) continue;
    client.wants_state |= simulation_.was_reset();
    for (const std::vector<std::byte>& message : messages)
      // Not on the channel Control: a change of the world must not wait for lost commands.
      client.wants_state |= !clients_.send(peer, net::Channel::Bulk, message);
  }
}

void SimulationPublisher::publish_state() {
  const bool is_requested =
      clients_.has_any([](const ClientSession& session) { return session.simulation.wants_state; });
  const std::int64_t began_us = io_.now_us();
  if (!is_requested || !encoding_limiter_.is_over(began_us)) return;
  const SharedBlob state = stream_.whole(simulation_);
  encoding_limiter_.note(began_us, io_.now_us());
  for (auto& [peer, session] : clients_) {
    if (std::exchange(session.simulation.wants_state, false)) begin(session, state);
  }
}

/// Sends `state` to the client as the start of its own simulation. If `state` is null, because the
/// simulation cannot be sent, sends a notice, or rejects a client that plays in lockstep.
void SimulationPublisher::begin(ClientSession& session, const SharedBlob& state) {
  if (state == nullptr && session.lockstep) {
    return clients_.reject(
        session, protocol::RejectCode::NotAllowed,
        "this world cannot be played in lockstep: it is too large, or not loaded from a file",
        net::DisconnectReason::Refused);
  }
  if (session.lockstep) {
    session.lockstep = LockstepPeer{.begins_after = simulation_.tick(), .is_sent = true};
  } else {
    session.simulation.receives_commands = state != nullptr;
  }
  if (state != nullptr) {
    session.blobs.add(state);
  } else {
    clients_.send_control(session,
                          protocol::Notice{"this world cannot be predicted: it is too large, or "
                                           "not loaded from a file"});
  }
}

}  // namespace jostle::server
