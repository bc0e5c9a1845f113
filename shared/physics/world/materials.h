#pragma once

#include "shared/physics/material.h"

#include <vector>

namespace jostle::physics {

struct WorldState;

// The world's table of material pairs is sorted by both ids, the lower one first. It is part of the
// state and is saved with the rarely used material values.

/// Returns true if the pair may be in a table: both ids are set and in order, at least one value is
/// set, and all values are valid.
bool is_valid(const MaterialPair& pair);
/// Returns the entry of a pair, or null if the table has none.
const PairMaterial* find_pair(const std::vector<MaterialPair>& table, MaterialId a, MaterialId b);
/// Returns the values of a contact between shapes of these materials in this world.
ContactMaterial<float> material_between(const WorldState& world, const Material& a,
                                        const Material& b);

}  // namespace jostle::physics
