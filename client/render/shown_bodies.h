#pragma once

#include "client/client.h"

#include <span>
#include <vector>

namespace jostle::render {

/// The shown body with this id, or nullptr. `bodies` is sorted by id.
const client::ShownBody* find_body(std::span<const client::ShownBody> bodies, state::BodyId id);

/// The body that `player` is in the world, or nullptr. Balls that a player shot belong to it, too;
/// its own body is the first, because it had to be there to shoot them.
const client::ShownBody* find_body_of(std::span<const client::ShownBody> bodies,
                                      state::PlayerId player);

/// The bodies that players are in the world, by id.
std::vector<const client::ShownBody*> player_bodies(std::span<const client::ShownBody> bodies);

/// Those that are elsewhere in the newest snapshot than they are shown.
std::vector<client::ShownBody> ghosts_of(std::span<const client::ShownBody> newest,
                                         std::span<const client::ShownBody> shown);

}  // namespace jostle::render
