#include "server/place_keeper.h"

#include <algorithm>

namespace jostle::server {

std::optional<state::PlayerId> PlaceKeeper::take(std::uint64_t key) {
  const auto place = std::find_if(places_.begin(), places_.end(),
                                  [key](const Place& kept) { return kept.key == key; });
  if (key == 0 || place == places_.end()) return {};
  const state::PlayerId player = place->player;
  places_.erase(place);
  return player;
}

std::vector<state::PlayerId> PlaceKeeper::take_overdue(std::int64_t now_us) {
  std::vector<state::PlayerId> overdue;
  std::erase_if(places_, [&](const Place& kept) {
    if (kept.until_us > now_us) return false;
    overdue.push_back(kept.player);
    return true;
  });
  return overdue;
}

std::optional<state::PlayerId> PlaceKeeper::take_oldest() {
  if (places_.empty()) return {};
  const state::PlayerId player = places_.front().player;
  places_.erase(places_.begin());
  return player;
}

bool PlaceKeeper::holds(state::PlayerId player) const {
  return std::any_of(places_.begin(), places_.end(),
                     [player](const Place& kept) { return kept.player == player; });
}

}  // namespace jostle::server
