#include "shared/http/send_queue.h"

#include "shared/base/assert.h"

#include <utility>

namespace jostle::http {

void SendQueue::add_reliable(std::uint8_t channel, std::span<const std::byte> message) {
  reliable_.push_back({channel, {message.begin(), message.end()}});
  reliable_bytes_ += message.size();
}

void SendQueue::add_newest(std::uint8_t channel, std::uint32_t kind, std::uint64_t group,
                           std::span<const std::byte> message) {
  const auto [entry, is_new] = slots_.try_emplace(SlotKey{channel, kind});
  Slot& slot = entry->second;
  if (!is_new && slot.group != group) {
    replaced_ += slot.messages.size();
    slot.messages.clear();
  }
  slot.group = group;
  slot.messages.emplace_back(message.begin(), message.end());
}

SendQueue::Batch SendQueue::take() {
  JOSTLE_ASSERT(!is_empty());
  const bool is_reliable = slots_.empty() || (!reliable_.empty() && !was_reliable_);
  was_reliable_ = is_reliable;
  return is_reliable ? take_reliable() : take_slots();
}

SendQueue::Batch SendQueue::take_reliable() {
  Batch batch;
  batch.channel = reliable_.front().channel;
  batch.is_reliable = true;
  while (!reliable_.empty() && reliable_.front().channel == batch.channel) {
    Message& message = reliable_.front().message;
    if (batch.bytes != 0 && batch.bytes + message.size() > max_batch_bytes_) break;
    batch.bytes += message.size();
    batch.messages.push_back(std::move(message));
    reliable_.pop_front();
  }
  reliable_bytes_ -= batch.bytes;
  return batch;
}

SendQueue::Batch SendQueue::take_slots() {
  // The channels take turns, so that a busy one does not keep the others waiting.
  auto slot = slots_.upper_bound({last_channel_, UINT32_MAX});
  if (slot == slots_.end()) slot = slots_.begin();
  Batch batch;
  batch.channel = last_channel_ = slot->first.channel;
  while (slot != slots_.end() && slot->first.channel == batch.channel) {
    for (Message& message : slot->second.messages) {
      batch.bytes += message.size();
      batch.messages.push_back(std::move(message));
    }
    slot = slots_.erase(slot);
  }
  return batch;
}

}  // namespace jostle::http
