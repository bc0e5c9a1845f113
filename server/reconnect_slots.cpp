#include "server/reconnect_slots.h"

#include <algorithm>

namespace jostle::server {

std::optional<state::PlayerId> ReconnectSlots::take(std::uint64_t key) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(),
                                 [key](const Slot& kept) { return kept.key == key; });
  if (key == 0 || slot == slots_.end()) return {};
  const state::PlayerId player = slot->player;
  slots_.erase(slot);
  return player;
}

std::vector<state::PlayerId> ReconnectSlots::take_expired(std::int64_t now_us) {
  std::vector<state::PlayerId> overdue;
  std::erase_if(slots_, [&](const Slot& kept) {
    if (kept.until_us > now_us) return false;
    overdue.push_back(kept.player);
    return true;
  });
  return overdue;
}

std::optional<state::PlayerId> ReconnectSlots::take_oldest() {
  if (slots_.empty()) return {};
  const state::PlayerId player = slots_.front().player;
  slots_.erase(slots_.begin());
  return player;
}

bool ReconnectSlots::has_key(std::uint64_t key) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [key](const Slot& kept) { return kept.key == key; });
}

bool ReconnectSlots::holds(state::PlayerId player) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [player](const Slot& kept) { return kept.player == player; });
}

}  // namespace jostle::server
