#include "server/snapshot_sender.h"

#include "protocol/context/body_facts.h"
#include "protocol/context/context_codec.h"
#include "protocol/limits.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jostle::server {

using protocol::SnapshotCodec;

namespace {

/// Finds references: bodies come in order and mostly from the same two snapshots, which are
/// remembered instead of found anew.
class ReferenceFinder {
 public:
  ReferenceFinder(const SnapshotHistory& history, const protocol::QuantizedSnapshot& spawn_poses)
      : history_(history), spawn_poses_(spawn_poses) {}

  const protocol::QuantizedBody* operator()(state::BodyId id, state::Tick tick) {
    if (tick.number == 0) return find_body(spawn_poses_, id);
    for (const SharedSnapshot& snapshot : last_) {
      if (snapshot && snapshot->tick == tick) return find_body(*snapshot, id);
    }
    SharedSnapshot& slot = last_[next_++ % last_.size()];
    slot = history_.find(tick);
    return slot ? find_body(*slot, id) : nullptr;
  }

 private:
  const SnapshotHistory& history_;
  const protocol::QuantizedSnapshot& spawn_poses_;
  std::array<SharedSnapshot, 4> last_;
  std::size_t next_ = 0;
};

}  // namespace

void SnapshotSender::begin(SharedSnapshot now, const state::WorldDef& world) {
  now_ = std::move(now);
  codings_.clear();
  if (world_revision_ == world.revision) return;
  world_revision_ = world.revision;
  spawn_poses_ = spawn_poses(world);
  facts_ = protocol::context::facts_of(world);
}

const SnapshotSender::Coding& SnapshotSender::coded_against(Runs runs,
                                                            const SnapshotHistory& history) {
  const auto it = std::find_if(codings_.begin(), codings_.end(),
                               [&](const Coding& coding) { return coding.runs == runs; });
  if (it != codings_.end()) return *it;
  codings_.push_back(code(std::move(runs), history));
  return codings_.back();
}

SnapshotSender::Coding SnapshotSender::code(Runs runs, const SnapshotHistory& history) const {
  ReferenceFinder finder(history, spawn_poses_);
  const protocol::BaselineLookup lookup = [&](state::BodyId id, state::Tick tick) {
    return finder(id, tick);
  };
  const std::size_t room = protocol::max_part_payload_bytes();
  Coding coding;
  auto parts = protocol::context::encode_parts({now_.get(), facts_, {}, runs}, lookup, room);
  if (parts.size() > protocol::max_snapshot_parts) {
    coding.codec = SnapshotCodec::BitPacked;
    parts = protocol::encode_parts(*now_, baselines_of(runs), lookup, room);
  }
  coding.parts = std::make_shared<const std::vector<protocol::EncodedPart>>(std::move(parts));
  coding.runs = std::move(runs);
  return coding;
}

SnapshotSender::Sent SnapshotSender::send(Session& session, net::Transport& transport,
                                          const SnapshotHistory& history, std::int64_t now_us) {
  const Coding& coding = coded_against(session.baselines.runs(*now_, history), history);
  const std::vector<protocol::EncodedPart>& parts = *coding.parts;
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
        protocol::encode_snapshot_message(header, coding.codec, parts[i].payload);
    sent.bytes += message.size();
    if (!transport.send(session.peer, net::Channel::State, message)) ++sent.failed;
  }
  session.baselines.note_sent(now_->tick, coding.parts);
  return sent;
}

}  // namespace jostle::server
