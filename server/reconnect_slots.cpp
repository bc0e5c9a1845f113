#include "server/reconnect_slots.h"

#include <algorithm>

namespace jostle::server {

std::optional<state::PlayerId> ReconnectSlots::take(std::uint64_t key) {
  const auto place = std::find_if(places_.begin(), places_.end(),
                                  [key](const Slot& kept) { return kept.key == key; });
  if (key == 0 || place == places_.end()) return {};
  const state::PlayerId player = place->player;
  places_.erase(place);
  return player;
}

std::vector<state::PlayerId> ReconnectSlots::take_expired(std::int64_t now_us) {
  std::vector<state::PlayerId> overdue;
  std::erase_if(places_, [&](const Slot& kept) {
    if (kept.until_us > now_us) return false;
    overdue.push_back(kept.player);
    return true;
  });
  return overdue;
}

std::optional<state::PlayerId> ReconnectSlots::take_oldest() {
  if (places_.empty()) return {};
  const state::PlayerId player = places_.front().player;
  places_.erase(places_.begin());
  return player;
}

bool ReconnectSlots::holds(state::PlayerId player) const {
  return std::any_of(places_.begin(), places_.end(),
                     [player](const Slot& kept) { return kept.player == player; });
}

}  // namespace jostle::server
