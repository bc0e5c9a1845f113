#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

namespace jostle::http {

/// Messages that wait for a connection that sends one thing at a time. Reliable messages wait in
/// order. Unreliable messages wait in slots, one per kind: a newer group of messages of a kind
/// replaces the older group that waits. The delay of what is sent therefore does not grow if the
/// connection is slow.
class SendQueue {
 public:
  using Message = std::vector<std::byte>;
  /// Messages of one channel, to be sent as one.
  struct Batch {
    std::uint8_t channel = 0;
    bool is_reliable = false;
    std::vector<Message> messages;
    std::size_t bytes = 0;  // sum of the sizes
  };

  /// `max_batch_bytes` limits the size of reliable messages that are sent as one.
  explicit SendQueue(std::size_t max_batch_bytes) : max_batch_bytes_(max_batch_bytes) {}

  void add_reliable(std::uint8_t channel, std::span<const std::byte> message);
  /// Adds an unreliable message. Messages with the same `kind` and `group` belong together.
  void add_newest(std::uint8_t channel, std::uint32_t kind, std::uint64_t group,
                  std::span<const std::byte> message);

  /// Removes and returns what to send next: reliable messages and all slots of a channel in turn,
  /// so that neither waits for the other for long. Contract: the queue is not empty.
  Batch take();
  bool is_empty() const { return reliable_.empty() && slots_.empty(); }
  bool has_reliable() const { return !reliable_.empty(); }
  /// Number of slots with unreliable messages.
  std::size_t waiting_groups() const { return slots_.size(); }
  std::size_t reliable_bytes() const { return reliable_bytes_; }
  /// Number of unreliable messages that newer ones have replaced.
  std::uint64_t replaced() const { return replaced_; }

 private:
  struct Reliable {
    std::uint8_t channel = 0;
    Message message;
  };
  struct SlotKey {
    std::uint8_t channel = 0;
    std::uint32_t kind = 0;
    auto operator<=>(const SlotKey&) const = default;
  };
  struct Slot {
    std::uint64_t group = 0;
    std::vector<Message> messages;
  };
  Batch take_reliable();
  Batch take_slots();

  std::size_t max_batch_bytes_;
  std::deque<Reliable> reliable_;
  std::map<SlotKey, Slot> slots_;
  std::size_t reliable_bytes_ = 0;
  std::uint64_t replaced_ = 0;
  bool was_reliable_ = false;
  std::uint8_t last_channel_ = UINT8_MAX;  // of the slots that were taken last
};

}  // namespace jostle::http
