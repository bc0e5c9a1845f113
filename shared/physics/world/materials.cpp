#include "shared/physics/world/materials.h"

#include "shared/base/assert.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world.h"

#include <algorithm>
#include <utility>

namespace jostle::physics {
namespace {

using Names = std::pair<MaterialId, MaterialId>;

Names in_order(MaterialId a, MaterialId b) {
  return a < b ? Names{a, b} : Names{b, a};
}

template <typename Table>
auto place_of(Table& table, const Names& names) {
  return std::lower_bound(table.begin(), table.end(), names,
                          [](const MaterialPair& pair, const Names& sought) {
                            return Names{pair.a, pair.b} < sought;
                          });
}

/// Updates the contacts of the pair after a change of the table, and wakes the dynamic bodies that
/// touch at these contacts.
void refresh_contacts(WorldState& world, const Names& names) {
  std::vector<std::uint32_t> bodies;
  for (Contact& contact : world.contacts) {
    if (contact.is_dead) continue;
    const Material& a = world.shapes[contact.shape_a].def.material;
    const Material& b = world.shapes[contact.shape_b].def.material;
    if (in_order(a.id, b.id) != names) continue;
    contact.material = material_between(world, a, b);
    if (!contact.is_touching) continue;
    for (const std::uint32_t body : {contact.body_a, contact.body_b})
      if (is_dynamic(world.bodies[body])) bodies.push_back(body);
  }
  // Contact slots must not affect results, so bodies wake in the order of body slots.
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  for (const std::uint32_t body : bodies)
    wake_island(world, body);
}

}  // namespace

bool is_valid(const MaterialPair& pair) {
  return pair.a.value > 0 && pair.a <= pair.b && is_valid(pair.values) &&
         pair.values != PairMaterial{};
}

const PairMaterial* find_pair(const std::vector<MaterialPair>& table, MaterialId a, MaterialId b) {
  if (table.empty() || a.value == 0 || b.value == 0) return nullptr;
  const Names names = in_order(a, b);
  const auto found = place_of(table, names);
  const bool is_there = found != table.end() && Names{found->a, found->b} == names;
  return is_there ? &found->values : nullptr;
}

ContactMaterial<float> material_between(const WorldState& world, const Material& a,
                                        const Material& b) {
  return combine<float>(a, b, find_pair(world.material_pairs, a.id, b.id));
}

void World::set_pair_material(MaterialId a, MaterialId b, const PairMaterial& values) {
  JOSTLE_ASSERT(a.value > 0 && b.value > 0 && is_valid(values));
  WorldState& world = *state_;
  std::vector<MaterialPair>& table = world.material_pairs;
  const PairMaterial* known = find_pair(table, a, b);
  if (values == (known == nullptr ? PairMaterial{} : *known)) return;
  const Names names = in_order(a, b);
  const auto place = place_of(table, names);
  if (known == nullptr) {
    JOSTLE_ASSERT(table.size() < max_material_pairs);
    table.insert(place, {names.first, names.second, values});
  } else if (values == PairMaterial{}) {
    table.erase(place);
  } else {
    place->values = values;
  }
  refresh_contacts(world, names);
}

PairMaterial World::pair_material(MaterialId a, MaterialId b) const {
  const PairMaterial* known = find_pair(state_->material_pairs, a, b);
  return known == nullptr ? PairMaterial{} : *known;
}

std::span<const MaterialPair> World::material_pairs() const {
  return state_->material_pairs;
}

}  // namespace jostle::physics
