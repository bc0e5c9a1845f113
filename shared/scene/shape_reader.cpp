#include "shared/geometry/bounds.h"
#include "shared/math/trig.h"
#include "shared/scene/detail/colour.h"
#include "shared/scene/detail/json_lexer.h"
#include "shared/scene/detail/limits.h"
#include "shared/scene/detail/part_readers.h"
#include "shared/scene/detail/solid_readers.h"
#include "shared/scene/detail/spelling.h"

#include <algorithm>

namespace jostle::scene::detail {
namespace {

state::Shape read_sphere(ValueReader& reader, const wire::Sphere& table, const Path& path) {
  if (!table.radius()) reader.fail(path.field("radius"), "is missing");
  return state::sphere(reader.number(table.radius(), path.field("radius"), size_range, 1.0f));
}

state::Shape read_box(ValueReader& reader, const wire::Box& table, const Path& path) {
  if ((table.size() == nullptr) == (table.half_extents() == nullptr))
    reader.fail(path, "must have either size or half_extents (three numbers)");
  if (table.half_extents() != nullptr) {
    return state::box(
        reader.vector(table.half_extents(), path.field("half_extents"), size_range, {1, 1, 1}));
  }
  constexpr Range full = between(2 * size_range.low, 2 * size_range.high);
  return state::box(0.5f * reader.vector(table.size(), path.field("size"), full, {1, 1, 1}));
}

state::Shape read_capsule(ValueReader& reader, const wire::Capsule& table, const Path& path) {
  if (!table.radius()) reader.fail(path.field("radius"), "is missing");
  if (table.half_segment().has_value() == table.height().has_value())
    reader.fail(path, "must have either half_segment or height (a number)");
  const float radius = reader.number(table.radius(), path.field("radius"), size_range, 1.0f);
  if (!table.height()) {
    return state::capsule(
        radius, reader.number(table.half_segment(), path.field("half_segment"), size_range, 1.0f));
  }
  const double shortest = 2 * (static_cast<double>(radius) + size_range.low);
  const float height =
      reader.number(table.height(), path.field("height"), between(shortest, 1e5), 1.0f);
  return state::capsule(radius, 0.5f * height - radius);
}

struct RoundSizes {
  float radius = 1, half_height = 1;
};

template <typename Table>
RoundSizes read_round(ValueReader& reader, const Table& table, const Path& path) {
  if (!table.radius()) reader.fail(path.field("radius"), "is missing");
  if (!table.height()) reader.fail(path.field("height"), "is missing");
  constexpr Range full = between(2 * size_range.low, 2 * size_range.high);
  return {reader.number(table.radius(), path.field("radius"), size_range, 1.0f),
          0.5f * reader.number(table.height(), path.field("height"), full, 2.0f)};
}

/// Reads the geometry. Returns a plane as a placeholder for a decomposed mesh, which becomes
/// several shapes.
state::Shape read_geometry(ValueReader& reader, const wire::Shape& table, const Path& path) {
  const int count = (table.sphere() != nullptr) + (table.box() != nullptr) +
                    (table.capsule() != nullptr) + (table.plane() != nullptr) +
                    (table.cylinder() != nullptr) + (table.cone() != nullptr) +
                    (table.hull() != nullptr) + (table.mesh() != nullptr) +
                    (table.height_field() != nullptr) + (table.convex_decomposition() != nullptr);
  if (count != 1) {
    reader.fail(path,
                "must have exactly one of sphere, box, capsule, cylinder, cone, hull, plane, mesh, "
                "height_field and convex_decomposition");
  }
  if (table.sphere() != nullptr) return read_sphere(reader, *table.sphere(), path.field("sphere"));
  if (table.box() != nullptr) return read_box(reader, *table.box(), path.field("box"));
  if (table.capsule() != nullptr)
    return read_capsule(reader, *table.capsule(), path.field("capsule"));
  if (table.cylinder() != nullptr) {
    const RoundSizes sizes = read_round(reader, *table.cylinder(), path.field("cylinder"));
    return state::cylinder(sizes.radius, sizes.half_height);
  }
  if (table.cone() != nullptr) {
    const RoundSizes sizes = read_round(reader, *table.cone(), path.field("cone"));
    return state::cone(sizes.radius, sizes.half_height);
  }
  if (table.hull() != nullptr) return read_hull(reader, *table.hull(), path.field("hull"));
  if (table.mesh() != nullptr) return read_mesh(reader, *table.mesh(), path.field("mesh"));
  if (table.height_field() != nullptr)
    return read_height_field(reader, *table.height_field(), path.field("height_field"));
  return state::plane();
}

}  // namespace

std::optional<SceneFilter> read_filter(ValueReader& reader, const wire::Filter* table,
                                       const Path& path) {
  if (table == nullptr) return std::nullopt;
  SceneFilter filter;
  filter.category = static_cast<std::uint32_t>(reader.whole_number(
      table->category(), path.field("category"), uint32_range, filter.category));
  filter.mask = static_cast<std::uint32_t>(
      reader.whole_number(table->mask(), path.field("mask"), uint32_range, filter.mask));
  if (table->group()) {
    const double group = reader.checked(*table->group(), path.field("group"), int32_range);
    filter.group = static_cast<std::int32_t>(group);
    if (static_cast<double>(filter.group) != group)
      reader.fail_range(path.field("group"), int32_range, group, "a whole number ");
  }
  return filter;
}

std::vector<ShapeDraft> read_shape(ValueReader& reader, const wire::Shape& table, const Path& path,
                                   const Materials& materials) {
  ShapeDraft draft;
  draft.shape = read_geometry(reader, table, path);
  draft.local.offset =
      reader.vector(table.position(), path.field("position"), local_offset_range, {});
  draft.local.rotation = reader.rotation(table.rotation(), table.rotation_degrees(), path, {});
  draft.surface = read_surface(reader, table, path, materials, {});
  draft.filter = read_filter(reader, table.filter(), path.field("filter"));
  draft.is_sensor = table.sensor().value_or(false);
  draft.surface_velocity =
      reader.vector(table.surface_velocity(), path.field("surface_velocity"), velocity_range, {});
  if (draft.is_sensor && state::is_static_only(draft.shape.kind) &&
      table.convex_decomposition() == nullptr)
    reader.fail(path.field("sensor"), "is not allowed for a plane, a mesh or a height field");
  if (table.convex_decomposition() == nullptr || reader.has_failed()) return {draft};

  const DecomposedShapes decomposed = read_decomposed_mesh(reader, *table.convex_decomposition(),
                                                           path.field("convex_decomposition"));
  draft.density_share = decomposed.density_share;
  std::vector<ShapeDraft> drafts(decomposed.hulls.size(), draft);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    drafts[i].shape = decomposed.hulls[i];
    drafts[i].is_of_solid = decomposed.solid.has_value();
  }
  drafts.front().solid = decomposed.solid;
  return drafts;
}

SceneShape finish_shape(const ShapeDraft& draft, const Surface& surface,
                        const std::optional<SceneFilter>& filter) {
  SceneShape shape;
  shape.shape = draft.shape;
  shape.local = draft.local;
  const auto fill = []<typename Value>(Value& to, std::optional<Value> own,
                                       std::optional<Value> around) {
    to = own.value_or(around.value_or(to));
  };
  fill(shape.density, draft.surface.density, surface.density);
  shape.density *= draft.density_share;
  // The level that states `friction` determines both friction coefficients.
  const Surface& grip = draft.surface.friction ? draft.surface : surface;
  shape.material.friction = grip.friction.value_or(shape.material.friction);
  shape.material.static_friction = grip.static_friction.value_or(0.0f);
  fill(shape.material.friction_rule, draft.surface.friction_rule, surface.friction_rule);
  fill(shape.material.restitution_rule, draft.surface.restitution_rule, surface.restitution_rule);
  fill(shape.material.id, draft.surface.id, surface.id);
  fill(shape.material.restitution, draft.surface.restitution, surface.restitution);
  fill(shape.material.rolling_resistance, draft.surface.rolling_resistance,
       surface.rolling_resistance);
  fill(shape.material.spinning_resistance, draft.surface.spinning_resistance,
       surface.spinning_resistance);
  shape.is_sensor = draft.is_sensor;
  shape.surface_velocity = draft.surface_velocity;
  // Sensors have no mass, unless the shape itself or its material states a density.
  if (shape.is_sensor && !draft.surface.density) shape.density = 0;
  shape.filter = draft.filter.value_or(filter.value_or(shape.filter));
  return shape;
}

state::Colour read_colour(ValueReader& reader, const flatbuffers::String& text, const Path& path) {
  const auto colour = parse_colour(text.string_view());
  if (!colour) {
    reader.fail(path, "\"" + printable(text.string_view()) +
                          "\" is neither \"#RRGGBB\" nor a colour name" +
                          name_hint(text.string_view(), colour_names(), colour_names().size()));
  }
  return colour.value_or(state::Colour{});
}

float largest_half_size(const state::Shape& shape) {
  if (shape.kind == state::ShapeKind::Hull) return geometry::bounding_radius(shape);
  const math::Vec3 e = shape.half_extents;
  return std::max({shape.radius + shape.half_segment, e.x, e.y, e.z});
}

}  // namespace jostle::scene::detail
