#pragma once

#include "shared/state/ids.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::server {

/// The reconnect slots of players whose connections broke. The bodies of these players stay in the
/// world. A client that presents the key of a slot continues as its player.
class ReconnectSlots {
 public:
  struct Slot {
    std::uint64_t key = 0;  // random reconnect token, hard to guess
    state::PlayerId player;
    std::int64_t until_us = 0;
  };
  void keep(const Slot& slot) { slots_.push_back(slot); }
  /// Removes the slot with this key and returns its player; null if there is none.
  std::optional<state::PlayerId> take(std::uint64_t key);
  /// Removes the expired slots and returns their players.
  std::vector<state::PlayerId> take_expired(std::int64_t now_us);
  /// Removes the oldest slot, which frees it for a connected client, and returns its player; null
  /// if there is none.
  std::optional<state::PlayerId> take_oldest();

  bool holds(state::PlayerId player) const;
  /// Returns true if there is a slot with this key.
  bool has_key(std::uint64_t key) const;
  std::size_t size() const { return slots_.size(); }

 private:
  std::vector<Slot> slots_;  // oldest first
};

}  // namespace jostle::server
