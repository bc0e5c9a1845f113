#pragma once

#include "shared/state/ids.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::server {

/// The places of players whose connections broke: their bodies stay, and who comes back with the
/// key of the place takes it up again.
class PlaceKeeper {
 public:
  struct Place {
    std::uint64_t key = 0;  // nobody can guess it
    state::PlayerId player;
    std::int64_t until_us = 0;
  };
  void keep(const Place& place) { places_.push_back(place); }
  /// The place with this key, which is kept no longer.
  std::optional<state::PlayerId> take(std::uint64_t key);
  /// Those whose time is over, which are kept no longer.
  std::vector<state::PlayerId> take_overdue(std::int64_t now_us);
  /// The one that would be given up first, for somebody who is here.
  std::optional<state::PlayerId> take_oldest();

  bool holds(state::PlayerId player) const;
  std::size_t size() const { return places_.size(); }

 private:
  std::vector<Place> places_;  // oldest first
};

}  // namespace jostle::server
