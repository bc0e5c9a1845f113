#include "tools/load/header_acks.h"

#include <algorithm>

namespace jostle::load {
namespace {

constexpr int history_bits = 32;

}  // namespace

HeaderAcks::Taken HeaderAcks::add(const protocol::SnapshotHeader& header) {
  Entry& entry = entry_of(header.tick);
  if (entry.tick > header.tick) return Taken::Nothing;
  if (entry.tick < header.tick) entry = {.tick = header.tick, .parts = header.parts};
  if (entry.is_complete || entry.parts != header.parts || entry.come[header.part])
    return Taken::Nothing;
  entry.come.set(header.part);
  if (entry.come.count() < header.parts) return Taken::Part;
  complete(entry);
  return Taken::Complete;
}

void HeaderAcks::add_keyframe(state::Tick tick) {
  Entry& entry = entry_of(tick);
  if (entry.tick > tick) return;
  entry = {.tick = tick};
  complete(entry);
}

void HeaderAcks::complete(Entry& entry) {
  entry.is_complete = true;
  newest_ = std::max(newest_, entry.tick);
}

const HeaderAcks::Entry* HeaderAcks::find(state::Tick tick) const {
  const Entry& entry = entries_[tick.number % entries_.size()];
  return entry.tick == tick && tick.number != 0 ? &entry : nullptr;
}

protocol::SnapshotAck HeaderAcks::ack() const {
  protocol::SnapshotAck ack;
  ack.newest = newest_;
  for (int i = 0; i < history_bits; ++i) {
    const Entry* const entry = find(state::previous(newest_, 1 + i));
    if (entry != nullptr && entry->is_complete) ack.history |= std::uint32_t{1} << i;
  }
  for (const Entry& entry : entries_) {
    if (entry.is_complete || entry.tick.number == 0) continue;
    std::uint64_t come = 0, missing = 0;
    for (int part = 0; part < entry.parts; ++part) {
      const std::uint64_t bit = std::uint64_t{1} << protocol::ack_bit(part, entry.parts);
      (entry.come[static_cast<std::size_t>(part)] ? come : missing) |= bit;
    }
    if ((come & ~missing) != 0) ack.partial.push_back({entry.tick, come & ~missing});
  }
  std::sort(ack.partial.begin(), ack.partial.end(),
            [](const protocol::PartAck& a, const protocol::PartAck& b) { return a.tick < b.tick; });
  const std::size_t most = protocol::max_partial_acks;
  if (ack.partial.size() > most)
    ack.partial.erase(ack.partial.begin(), ack.partial.end() - static_cast<std::ptrdiff_t>(most));
  return ack;
}

}  // namespace jostle::load
