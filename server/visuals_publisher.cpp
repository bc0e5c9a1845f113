#include "server/visuals_publisher.h"

#include "protocol/visuals_codec.h"
#include "shared/sim/rules_of.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace jostle::server {

void VisualsPublisher::publish() {
  const state::Tick tick = simulation_.tick();
  if (simulation_.was_reset()) has_ropes_ = false;
  if (!simulation_.scene().particles.empty() &&
      is_due(options_, tick, particle_frames_per_second)) {
    for (const auto& part : protocol::encode_particles(simulation_.capture_particles()))
      clients_.send_to_players(part);
  }
  if (!simulation_.scene().labels.empty() && is_due(options_, tick, labels_per_second))
    clients_.send_to_players(protocol::encode_labels(simulation_.labels()));
  publish_values();
  if (is_due(options_, tick, rope_messages_per_second)) publish_ropes();
}

/// Sends each client the values that it sees: in the tick in which they changed, and then at the
/// rate of labels, because messages can be lost. A client with no values left gets empty lists.
void VisualsPublisher::publish_values() {
  const bool is_repeat = is_due(options_, simulation_.tick(), labels_per_second);
  std::map<state::PlayerId, std::vector<state::Label>> sent;
  for (auto& [peer, session] : clients_) {
    if (session.state != ClientSessionState::Playing) continue;
    const state::Labels values = sim::shown_values(simulation_, session.player);
    const auto before = sent_values_.find(session.player);
    const bool had_values = before != sent_values_.end();
    if (values.lines.empty() && !had_values) continue;
    sent[session.player] = values.lines;
    if (is_repeat || !had_values || before->second != values.lines)
      clients_.send_auxiliary(session, protocol::encode_values(values));
  }
  sent_values_ = std::move(sent);
}

/// Sends the next max_message_ropes ropes, in rotation. After the last rope has been removed, sends
/// empty lists until the scene is restarted.
void VisualsPublisher::publish_ropes() {
  const std::vector<state::Rope> all = simulation_.ropes();
  has_ropes_ |= !all.empty();
  if (!has_ropes_) return;
  if (next_rope_ >= all.size()) next_rope_ = 0;
  state::Ropes message;
  message.tick = simulation_.tick();
  message.world_revision = simulation_.world_def().revision;
  message.first = static_cast<std::uint16_t>(next_rope_);
  message.total = static_cast<std::uint16_t>(all.size());
  const std::size_t last = std::min(all.size(), next_rope_ + protocol::max_message_ropes);
  for (; next_rope_ < last; ++next_rope_)
    message.ropes.push_back(all[next_rope_]);
  clients_.send_to_players(protocol::encode_ropes(message));
}

}  // namespace jostle::server
