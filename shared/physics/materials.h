#pragma once

#include "shared/physics/material.h"

#include <vector>

namespace jostle::physics {

struct WorldState;

// A world's table of named pairs: by both names, the lower one first. It is state, and saved beside
// what materials seldom have.

/// Whether it may stand in a table: both are named, in order, and it says something.
bool is_valid(const MaterialPair& pair);
/// Null where the table has none.
const PairMaterial* find_pair(const std::vector<MaterialPair>& table, MaterialId a, MaterialId b);
/// What a contact of shapes of these materials goes by in this world.
ContactMaterial<float> material_between(const WorldState& world, const Material& a,
                                        const Material& b);

}  // namespace jostle::physics
