#include "server/snapshot_sender.h"

#include <algorithm>
#include <utility>

namespace jostle::server {

void SnapshotSender::begin(SharedSnapshot now, const state::WorldDef& world) {
  now_ = std::move(now);
  codings_.clear();
  if (spawn_poses_.world_revision != world.revision) spawn_poses_ = spawn_poses(world);
}

const SnapshotSender::Parts& SnapshotSender::coded_against(
    const std::vector<protocol::BaselineRun>& runs, const SnapshotHistory& history) {
  const auto it = std::find_if(codings_.begin(), codings_.end(),
                               [&](const Coding& coding) { return coding.runs == runs; });
  if (it != codings_.end()) return it->parts;

  // Bodies come in order and mostly from one baseline: remember it instead of finding it anew.
  SharedSnapshot baseline;
  const auto lookup = [&](state::BodyId id, state::Tick tick) -> const protocol::QuantizedBody* {
    if (tick.number == 0) return find_body(spawn_poses_, id);
    if (!baseline || baseline->tick != tick) baseline = history.find(tick);
    return baseline ? find_body(*baseline, id) : nullptr;
  };
  codings_.push_back(
      {runs, protocol::encode_parts(*now_, runs, lookup, protocol::max_part_payload_bytes())});
  return codings_.back().parts;
}

SnapshotSender::Sent SnapshotSender::send(Session& session, net::Transport& transport,
                                          const SnapshotHistory& history, std::int64_t now_us) {
  const Parts& parts = coded_against(session.baselines.runs(*now_, history), history);
  protocol::SnapshotHeader header;
  header.tick = now_->tick;
  header.world_revision = now_->world_revision;
  header.parts = static_cast<std::uint8_t>(parts.size());
  header.input_ack = session.inputs.newest();
  header.input_margin_ticks = session.inputs.margin_ticks();
  header.server_send_us = now_us;
  Sent sent;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    header.part = static_cast<std::uint8_t>(i);
    header.first = parts[i].first;
    header.count = parts[i].count;
    const std::vector<std::byte> message =
        protocol::encode_snapshot_message(header, parts[i].payload);
    sent.bytes += message.size();
    if (!transport.send(session.peer, net::Channel::State, message)) ++sent.failed;
  }
  session.baselines.note_sent(now_->tick, parts);
  return sent;
}

}  // namespace jostle::server
