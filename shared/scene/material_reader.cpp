#include "shared/scene/detail/json_lexer.h"
#include "shared/scene/detail/limits.h"
#include "shared/scene/detail/part_readers.h"
#include "shared/scene/detail/spelling.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace jostle::scene::detail {
namespace {

/// Reads both friction coefficients together, because a missing static friction equals the sliding
/// friction.
template <typename To, typename Table>
void read_friction(ValueReader& reader, const Table& table, const Path& path, To& to) {
  const Path own = path.field("static_friction");
  if (!table.friction()) {
    if (table.static_friction()) reader.fail(own, "requires friction, which is missing");
    return;
  }
  to.friction = reader.optional_number(table.friction(), path.field("friction"), friction_range);
  // Compare the numbers in double, as written in the file. As floats, they could compare
  // differently and would have many digits in the message.
  const Range sticking = between(*table.friction(), friction_range.high);
  to.static_friction = reader.optional_number(table.static_friction(), own, sticking);
}

/// Reads the surface values of any table into `surface`. Values that the table lacks do not change.
template <typename Table>
void read_values(ValueReader& reader, const Table& table, const Path& path, Surface& surface) {
  static_assert(static_cast<int>(wire::CombineRule::MAX) == static_cast<int>(CombineRule::Maximum));
  const auto take = [&](std::optional<float>& to, std::optional<double> from,
                        std::string_view field, Range range) {
    if (from) to = reader.optional_number(from, path.field(field), range);
  };
  read_friction(reader, table, path, surface);
  take(surface.restitution, table.restitution(), "restitution", restitution_range);
  take(surface.rolling_resistance, table.rolling_resistance(), "rolling_resistance",
       resistance_range);
  take(surface.spinning_resistance, table.spinning_resistance(), "spinning_resistance",
       resistance_range);
  take(surface.density, table.density(), "density", density_range);
  if (table.friction_rule())
    surface.friction_rule = static_cast<CombineRule>(*table.friction_rule());
  if (table.restitution_rule())
    surface.restitution_rule = static_cast<CombineRule>(*table.restitution_rule());
}

SceneMaterialPair read_values(ValueReader& reader, const wire::MaterialPair& table,
                              const Path& path) {
  SceneMaterialPair pair;
  read_friction(reader, table, path, pair);
  pair.restitution =
      reader.optional_number(table.restitution(), path.field("restitution"), restitution_range);
  pair.rolling_resistance = reader.optional_number(
      table.rolling_resistance(), path.field("rolling_resistance"), resistance_range);
  pair.spinning_resistance = reader.optional_number(
      table.spinning_resistance(), path.field("spinning_resistance"), resistance_range);
  if (pair == SceneMaterialPair{}) reader.fail(path, "must state at least one value");
  return pair;
}

/// Returns the id of a material that is part of a pair. Assigns one on first use.
std::uint32_t number_of(Surface& material, std::uint32_t& last) {
  if (material.id.value_or(0) == 0) material.id = ++last;
  return *material.id;
}

}  // namespace

Materials read_materials(ValueReader& reader, const Tables<wire::Material>* tables) {
  Materials materials;
  if (tables == nullptr) return materials;
  const Path root;
  const Path all = root.field("materials");
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const wire::Material& table = *tables->Get(i);
    const Path path = all.entry(i);
    if (table.name() == nullptr) reader.fail(path.field("name"), "is missing");
    std::string name = reader.name(table.name(), path.field("name"));
    Surface surface;
    surface.id = 0;
    read_values(reader, table, path, surface);
    if (!materials.emplace(std::move(name), surface).second)
      reader.fail(path.field("name"), "is already the name of another material");
  }
  return materials;
}

std::vector<SceneMaterialPair> read_material_pairs(ValueReader& reader,
                                                   const Tables<wire::MaterialPair>* tables,
                                                   Materials& materials) {
  std::vector<SceneMaterialPair> pairs;
  if (tables == nullptr || reader.has_failed()) return pairs;
  const Path root;
  const Path all = root.field("material_pairs");
  if (tables->size() > max_scene_material_pairs) {
    reader.fail(all, "may have at most " + std::to_string(max_scene_material_pairs) +
                         " entries, has " + std::to_string(tables->size()));
    return pairs;
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  std::uint32_t last = 0;
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const wire::MaterialPair& table = *tables->Get(i);
    const Path path = all.entry(i);
    const Path names = path.field("materials");
    if (table.materials() == nullptr || table.materials()->size() != 2) {
      reader.fail(names, "must be a list of two material names");
      break;
    }
    std::array<std::uint32_t, 2> numbers{};
    for (flatbuffers::uoffset_t side = 0; side < 2; ++side) {
      const std::string_view name = table.materials()->Get(side)->string_view();
      if (find_material(reader, materials, name, names.entry(side)) == nullptr) return pairs;
      numbers[side] = number_of(materials.find(name)->second, last);
    }
    SceneMaterialPair pair = read_values(reader, table, path);
    pair.a = std::min(numbers[0], numbers[1]);
    pair.b = std::max(numbers[0], numbers[1]);
    if (!known.emplace(pair.a, pair.b).second)
      reader.fail(names, "are already those of an earlier pair");
    pairs.push_back(pair);
  }
  return pairs;
}

const Surface* find_material(ValueReader& reader, const Materials& materials, std::string_view name,
                             const Path& path) {
  const auto found = materials.find(name);
  if (found != materials.end()) return &found->second;
  std::vector<std::string_view> known;
  for (const auto& [known_name, unused] : materials)
    known.push_back(known_name);
  reader.fail(path, "no material is named \"" + printable(name) + "\"" + name_hint(name, known));
  return nullptr;
}

template <typename Table>
Surface read_surface(ValueReader& reader, const Table& table, const Path& path,
                     const Materials& materials, const Surface& inherited) {
  Surface surface = inherited;
  if (table.material() != nullptr) {
    const Surface* found =
        find_material(reader, materials, table.material()->string_view(), path.field("material"));
    if (found != nullptr) surface = *found;
  }
  read_values(reader, table, path, surface);
  return surface;
}

template Surface read_surface(ValueReader&, const wire::Shape&, const Path&, const Materials&,
                              const Surface&);
template Surface read_surface(ValueReader&, const wire::Body&, const Path&, const Materials&,
                              const Surface&);

}  // namespace jostle::scene::detail
