#pragma once

#include "client/client.h"

#include <span>
#include <vector>

namespace jostle::render {

/// Returns the shown body with this id, or nullptr. `bodies` is sorted by id.
const client::ShownBody* find_body(std::span<const client::ShownBody> bodies, state::BodyId id);

/// Returns the body of a player, or nullptr; `bodies` is sorted by id. Balls that the player shot
/// have the same owner, but higher ids, because the player's body existed before them. Therefore
/// the player's body is the first one of this owner.
const client::ShownBody* find_body_of(std::span<const client::ShownBody> bodies,
                                      state::PlayerId player);

/// Returns the body of each player, ordered by body id.
std::vector<const client::ShownBody*> player_bodies(std::span<const client::ShownBody> bodies);

/// Returns the bodies of `newest`, except static ones, that are more than 5 mm from their displayed
/// position or not displayed.
std::vector<client::ShownBody> ghosts_of(std::span<const client::ShownBody> newest,
                                         std::span<const client::ShownBody> shown);

}  // namespace jostle::render
