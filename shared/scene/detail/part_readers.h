#pragma once

#include "shared/geometry/mass_properties.h"
#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene.h"
#include "shared/scene/scene_generated.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::scene::detail {

/// Surface values stated at one level (material, shape, body or template). Missing values are
/// inherited.
struct Surface {
  std::optional<float> friction, restitution, rolling_resistance, spinning_resistance, density;
  // stated at the same level as `friction`; null: equal to `friction`
  std::optional<float> static_friction;
  std::optional<CombineRule> friction_rule, restitution_rule;
  // id of the material that this level names, for material pairs; 0: that material is in no pair;
  // null: the level names none
  std::optional<std::uint32_t> id;
};

/// The materials of a scene by name.
using Materials = std::map<std::string, Surface, std::less<>>;

/// A shape before missing values are filled in from its body.
struct ShapeDraft {
  state::Shape shape;
  math::Transform local;
  Surface surface;
  std::optional<SceneFilter> filter;
  float density_share = 1;  // factor of the shape's density
  /// True for the hulls of a decomposed mesh whose mass properties are known. The first hull has
  /// them, at a density of 1 kg/m³ and in the frame of the mesh.
  bool is_of_solid = false;
  std::optional<geometry::MassProperties> solid;
  bool is_sensor = false;
  math::Vec3 surface_velocity;  // m/s
};

template <typename Table>
using Tables = flatbuffers::Vector<flatbuffers::Offset<Table>>;

Materials read_materials(ValueReader& reader, const Tables<wire::Material>* tables);
/// Reads the material pairs and assigns ids to the materials in them.
std::vector<SceneMaterialPair> read_material_pairs(ValueReader& reader,
                                                   const Tables<wire::MaterialPair>* tables,
                                                   Materials& materials);
/// Returns the material with that name. Fails the reader and returns null if there is none.
const Surface* find_material(ValueReader& reader, const Materials& materials, std::string_view name,
                             const Path& path);

/// Reads the surface values of `table`, a wire::Shape or wire::Body, over `inherited`. A named
/// material replaces all inherited values.
template <typename Table>
Surface read_surface(ValueReader& reader, const Table& table, const Path& path,
                     const Materials& materials, const Surface& inherited);

std::optional<SceneFilter> read_filter(ValueReader& reader, const wire::Filter* table,
                                       const Path& path);
/// Reads a shape. Returns one draft, or one for each hull of a decomposed mesh.
std::vector<ShapeDraft> read_shape(ValueReader& reader, const wire::Shape& table, const Path& path,
                                   const Materials& materials);
/// Fills missing values of `draft` from `surface` and `filter`, then from the defaults.
SceneShape finish_shape(const ShapeDraft& draft, const Surface& surface,
                        const std::optional<SceneFilter>& filter);

SceneWorld read_world(ValueReader& reader, const wire::World* table, const Path& path);
state::Camera read_camera(ValueReader& reader, const wire::Camera* table, const Path& path);
ScenePlayer read_player(ValueReader& reader, const wire::Player* table, const Path& path,
                        const Materials& materials);
std::vector<math::Pose> read_spawns(ValueReader& reader, const Tables<wire::Spawn>* tables,
                                    const Path& path);
state::Colour read_colour(ValueReader& reader, const flatbuffers::String& text, const Path& path);

/// Returns the largest half size of a shape in m: radius plus half segment, half extent, or
/// distance of the farthest vertex of a hull. 0 for shapes that must be static.
float largest_half_size(const state::Shape& shape);

}  // namespace jostle::scene::detail
