#pragma once

#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene.h"
#include "shared/scene/scene_generated.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::scene::detail {

/// The values of a surface that something states; the rest comes from around it.
struct Surface {
  std::optional<float> friction, restitution, rolling_resistance, spinning_resistance, density;
  std::optional<float> static_friction;  // of the same statement as friction
  std::optional<CombineRule> friction_rule, restitution_rule;
  std::optional<std::uint32_t> id;  // of the material that was named last; 0: in no pair
};

/// The materials of a scene by name.
using Materials = std::map<std::string, Surface, std::less<>>;

/// A shape before the values of its body fill the gaps.
struct ShapeDraft {
  state::Shape shape;
  math::Transform local;
  Surface surface;
  std::optional<SceneFilter> filter;
  float density_share = 1;  // of the density that the shape gets
  bool is_sensor = false;
  math::Vec3 surface_velocity;  // m/s
};

template <typename Table>
using Tables = flatbuffers::Vector<flatbuffers::Offset<Table>>;

Materials read_materials(ValueReader& reader, const Tables<wire::Material>* tables);
/// Gives the materials that stand in pairs their numbers.
std::vector<SceneMaterialPair> read_material_pairs(ValueReader& reader,
                                                   const Tables<wire::MaterialPair>* tables,
                                                   Materials& materials);
/// The material of that name; fails where there is none, and returns null.
const Surface* find_material(ValueReader& reader, const Materials& materials, std::string_view name,
                             const Path& path);

/// What `table`, a wire::Shape or wire::Body, states of its surface, over `inherited`. A material
/// that is named replaces all that is inherited.
template <typename Table>
Surface read_surface(ValueReader& reader, const Table& table, const Path& path,
                     const Materials& materials, const Surface& inherited);

std::optional<SceneFilter> read_filter(ValueReader& reader, const wire::Filter* table,
                                       const Path& path);
/// One, or the hulls of a decomposed mesh.
std::vector<ShapeDraft> read_shape(ValueReader& reader, const wire::Shape& table, const Path& path,
                                   const Materials& materials);
/// Fills what `draft` leaves open from `surface` and `filter`, then from the defaults.
SceneShape finish_shape(const ShapeDraft& draft, const Surface& surface,
                        const std::optional<SceneFilter>& filter);

SceneWorld read_world(ValueReader& reader, const wire::World* table, const Path& path);
state::Camera read_camera(ValueReader& reader, const wire::Camera* table, const Path& path);
ScenePlayer read_player(ValueReader& reader, const wire::Player* table, const Path& path,
                        const Materials& materials);
std::vector<math::Pose> read_spawns(ValueReader& reader, const Tables<wire::Spawn>* tables,
                                    const Path& path);
state::Colour read_colour(ValueReader& reader, const flatbuffers::String& text, const Path& path);

/// Radius, half extent, half length or distance of the farthest corner, whichever is largest, m; 0
/// for shapes that cannot move.
float largest_half_size(const state::Shape& shape);

}  // namespace jostle::scene::detail
