#include "shared/scene/detail/generators.h"

#include "shared/base/random.h"
#include "shared/geometry/bounds.h"
#include "shared/math/aabb.h"
#include "shared/scene/detail/limits.h"
#include "shared/scene/detail/pattern.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jostle::scene::detail {
namespace {

constexpr Range body_count_range = between(1, static_cast<double>(max_scene_bodies));
constexpr Range spacing_range = within(1e4);

/// The bodies that a generator repeats.
struct Repeated {
  std::vector<SceneBody> bodies;  // used in turn, or at random in a pour; they have no names
  std::vector<std::string> prefixes;
  std::vector<float> undersides;  // y of each body's underside, relative to the body's origin, m
  std::vector<state::Colour> colours;
  math::Vec3 size;   // largest extents of the bodies' bounding boxes, m
  float radius = 0;  // largest radius of the bodies' bounding spheres about their origins, m
};

bool is_solid(const SceneShape& part) {
  return state::has_solid(part.shape.kind);
}

math::Aabb simple_bounds(const state::Shape& shape, const math::Pose& pose) {
  const math::Mat3 axes = to_matrix(pose.rotation);
  math::Vec3 half = abs_of(axes.cx) * shape.half_extents.x +
                    abs_of(axes.cy) * shape.half_extents.y + abs_of(axes.cz) * shape.half_extents.z;
  half += abs_of(axes.cy) * shape.half_segment;
  half += math::Vec3{shape.radius, shape.radius, shape.radius};
  return {pose.position - half, pose.position + half};
}

math::Aabb bounds(const SceneBody& body) {
  math::Aabb box{{0, 0, 0}, {0, 0, 0}};
  bool is_first = true;
  for (const SceneShape& part : body.shapes) {
    const math::Pose pose = math::Pose{{}, body.pose.rotation} * part.local;
    const math::Aabb own =
        is_solid(part) ? geometry::bounds(part.shape, pose) : simple_bounds(part.shape, pose);
    box = is_first ? own : united(box, own);
    is_first = false;
  }
  return box;
}

float bounding_radius(const SceneBody& body) {
  float radius = 0;
  for (const SceneShape& part : body.shapes) {
    const state::Shape& shape = part.shape;
    const float own = is_solid(part)
                          ? geometry::bounding_radius(shape)
                          : length(shape.half_extents) + shape.half_segment + shape.radius;
    radius = std::max(radius, length(part.local.offset) + own);
  }
  return radius;
}

void add_repeated(ValueReader& reader, const wire::Body& table, const Path& path,
                  const BodyContext& context, Repeated& repeated) {
  if (table.position() != nullptr)
    reader.fail(path.field("position"),
                "is not allowed in a generator; give the position of the generator");
  const BodyDraft draft = read_body(reader, table, path, context);
  SceneBody body = finish_body(reader, draft, path);
  std::string prefix = body.name;
  if (prefix.empty() && table.template_() != nullptr) prefix = table.template_()->str();
  body.name.clear();
  const math::Aabb box = bounds(body);
  repeated.undersides.push_back(static_cast<float>(box.lower.y));
  repeated.size = max_of(repeated.size, box.upper - box.lower);
  repeated.radius = std::max(repeated.radius, bounding_radius(body));
  repeated.prefixes.push_back(std::move(prefix));
  repeated.bodies.push_back(std::move(body));
}

Repeated read_repeated(ValueReader& reader, const wire::Generator& table, const Path& path,
                       const BodyContext& context) {
  Repeated repeated;
  if ((table.body() == nullptr) == (table.bodies() == nullptr))
    reader.fail(
        path.field("body"),
        "is missing or given twice; give either body or bodies (a list that is used in turn)");
  if (table.body() != nullptr)
    add_repeated(reader, *table.body(), path.field("body"), context, repeated);
  if (table.bodies() != nullptr) {
    const Path list = path.field("bodies");
    if (table.bodies()->size() == 0) reader.fail(list, "must not be empty");
    if (table.bodies()->size() > max_repeated_bodies)
      reader.fail(list, "may have at most " + std::to_string(max_repeated_bodies) +
                            " entries, has " + std::to_string(table.bodies()->size()));
    for (flatbuffers::uoffset_t i = 0; i < table.bodies()->size() && !reader.has_failed(); ++i)
      add_repeated(reader, *table.bodies()->Get(i), list.entry(i), context, repeated);
  }
  if (table.colours() != nullptr) {
    const Path list = path.field("colours");
    if (table.colours()->size() == 0) reader.fail(list, "must not be empty");
    for (flatbuffers::uoffset_t i = 0; i < table.colours()->size() && !reader.has_failed(); ++i)
      repeated.colours.push_back(read_colour(reader, *table.colours()->Get(i), list.entry(i)));
  }
  if (table.name() != nullptr) {
    const std::string name = reader.name(table.name(), path.field("name"));
    std::fill(repeated.prefixes.begin(), repeated.prefixes.end(), name);
  }
  return repeated;
}

/// Fails the reader if the generator has a field that its kind does not use, or lacks one that its
/// kind requires.
void check_fields(ValueReader& reader, const wire::Generator& table, const Path& path) {
  using Kind = wire::GeneratorKind;
  const Kind kind = *table.kind();
  const auto is_one_of = [kind](std::initializer_list<Kind> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  const auto check = [&](std::string_view field, bool is_given, bool is_taken, bool is_needed) {
    const std::string name = wire::EnumNameGeneratorKind(kind);
    if (is_given && !is_taken)
      reader.fail(path.field(field), "is not used by a generator of kind \"" + name + "\"");
    if (!is_given && is_taken && is_needed)
      reader.fail(path.field(field),
                  "is missing; a generator of kind \"" + name + "\" requires it");
  };
  const bool is_pour = is_one_of({Kind::pour});
  check("counts", table.counts() != nullptr, is_one_of({Kind::grid}), true);
  check("count", table.count().has_value(),
        is_one_of({Kind::stack, Kind::row, Kind::ring, Kind::pour}), true);
  check("rows", table.rows().has_value(),
        is_one_of({Kind::pyramid, Kind::square_pyramid, Kind::wall, Kind::ring}),
        !is_one_of({Kind::ring}));
  check("columns", table.columns().has_value(), is_one_of({Kind::wall}), true);
  check("radius", table.radius().has_value(), is_one_of({Kind::ring}), true);
  check("area", table.area() != nullptr, is_pour, true);
  check("jitter", table.jitter().has_value(), is_pour, false);
  check("random_rotation", table.random_rotation().has_value(), is_pour, false);
  check("seed", table.seed().has_value(), is_pour, false);
}

std::uint64_t read_count(ValueReader& reader, std::optional<double> value, const Path& path) {
  return reader.whole_number(value, path, body_count_range, 1);
}

/// Reads the counts of a pattern. Creates no bodies yet.
Pattern read_counts(ValueReader& reader, const wire::Generator& table, const Path& path) {
  Pattern pattern;
  static_assert(static_cast<int>(wire::GeneratorKind::MAX) == static_cast<int>(PatternKind::Pour));
  static_assert(static_cast<int>(wire::GeneratorKind::wall) == static_cast<int>(PatternKind::Wall));
  pattern.kind = static_cast<PatternKind>(*table.kind());
  pattern.count = read_count(reader, table.count(), path.field("count"));
  pattern.rows = read_count(reader, table.rows(), path.field("rows"));
  pattern.columns = read_count(reader, table.columns(), path.field("columns"));
  if (table.counts() == nullptr) return pattern;
  const Path counts = path.field("counts");
  if (table.counts()->size() != 3) {
    reader.fail(counts, "must have 3 numbers, has " + std::to_string(table.counts()->size()));
    return pattern;
  }
  for (flatbuffers::uoffset_t i = 0; i < 3; ++i)
    pattern.counts[i] = read_count(reader, table.counts()->Get(i), counts.entry(i));
  return pattern;
}

/// Reads the dimensions of the pattern. Without `spacing`, neighbours touch; in a pour, they are
/// just far enough apart not to overlap.
void read_measures(ValueReader& reader, const wire::Generator& table, const Path& path,
                   const Repeated& repeated, float jitter, Pattern& pattern) {
  math::Vec3 touching = repeated.size;
  if (pattern.kind == PatternKind::Stack) touching = {0, repeated.size.y, 0};
  if (pattern.kind == PatternKind::Row) touching = {repeated.size.x, 0, 0};
  if (pattern.kind == PatternKind::Pour) {
    // Neighbours do not overlap at this distance, however they are rotated and shifted.
    const float cell = 2.0f * (repeated.radius + jitter);
    touching = {cell, cell, cell};
  }
  pattern.spacing = reader.vector(table.spacing(), path.field("spacing"), spacing_range, touching);
  pattern.radius = reader.number(table.radius(), path.field("radius"), above(0, 1e4), 1.0f);
  if (table.area() == nullptr) return;
  const Path area = path.field("area");
  if (table.area()->size() != 2) {
    reader.fail(area, "must have 2 numbers, has " + std::to_string(table.area()->size()));
    return;
  }
  pattern.area_x = reader.number(table.area()->Get(0), area.entry(0), above(0, 1e4), 1.0f);
  pattern.area_z = reader.number(table.area()->Get(1), area.entry(1), above(0, 1e4), 1.0f);
  if (pattern.kind == PatternKind::Pour &&
      !(pattern.spacing.x > 0 && pattern.spacing.y > 0 && pattern.spacing.z > 0))
    reader.fail(path.field("spacing"), "must be above 0 along each axis");
}

std::size_t most_shapes(const Repeated& repeated) {
  std::size_t most = 0;
  for (const SceneBody& body : repeated.bodies)
    most = std::max(most, body.shapes.size());
  return most;
}

/// Returns a uniformly distributed random rotation. Draws points from the 4-D cube until one lies
/// in the unit ball, and projects it onto the sphere (Marsaglia 1972).
math::Quat random_rotation(base::Random& random) {
  for (;;) {
    const float x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1),
                w = random.between(-1, 1);
    const math::Quat q{x, y, z, w};
    const float squared = dot(q, q);
    if (squared > 0.01f && squared <= 1.0f) return math::normalized(q);
  }
}

/// Random placement parameters of a pour.
struct Strewing {
  bool is_pour = false, is_tumbling = false;
  float jitter = 0;  // m
};

void place_bodies(ValueReader& reader, const Pattern& pattern, const math::Pose& frame,
                  const Strewing& strewing, std::uint64_t seed, const Path& path,
                  const Repeated& repeated, BodyList& list) {
  base::Random random(seed);
  const std::vector<Slot> slots = make_slots(pattern);
  const auto pick = [&](std::size_t i, std::size_t count) {
    return strewing.is_pour ? random.below(static_cast<std::uint32_t>(count)) : i % count;
  };
  for (std::size_t i = 0; i < slots.size() && !reader.has_failed(); ++i) {
    const std::size_t which = pick(i, repeated.bodies.size());
    SceneBody body = repeated.bodies[which];
    math::Transform local{slots[i].offset, slots[i].rotation * body.pose.rotation};
    local.offset.y -= strewing.is_tumbling ? -repeated.radius : repeated.undersides[which];
    if (strewing.is_pour) {
      const float x = random.between(-1, 1), z = random.between(-1, 1);
      local.offset += math::Vec3{x, 0, z} * strewing.jitter;
    }
    if (strewing.is_tumbling) local.rotation = random_rotation(random);
    body.pose = frame * local;
    body.pose.rotation = math::normalized(body.pose.rotation);
    const math::Position at = body.pose.position;
    if (std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}) > coordinate_range.high)
      reader.fail(path,
                  "places a body at a coordinate beyond " + shown(coordinate_range.high) + " m");
    if (!repeated.colours.empty()) body.colour = repeated.colours[pick(i, repeated.colours.size())];
    const std::string& prefix = repeated.prefixes[which];
    if (!prefix.empty()) body.name = list.next_name(prefix);
    if (body.name.size() > max_scene_name_bytes)
      reader.fail(path.field("name"), "is too long: with the number appended it exceeds 64 bytes");
    list.add(reader, std::move(body), path);
  }
}

}  // namespace

void expand_generator(ValueReader& reader, const wire::Generator& table, const Path& path,
                      const BodyContext& context, BodyList& list) {
  if (!table.kind()) {
    reader.fail(path.field("kind"), "is missing");
    return;
  }
  check_fields(reader, table, path);
  Pattern pattern = read_counts(reader, table, path);
  if (reader.has_failed()) return;
  const Repeated repeated = read_repeated(reader, table, path, context);
  const float jitter = reader.number(table.jitter(), path.field("jitter"), between(0, 100), 0.0f);
  read_measures(reader, table, path, repeated, jitter, pattern);
  const math::Pose frame{reader.position(table.position(), path.field("position"), {}),
                         reader.rotation(table.rotation(), table.rotation_degrees(), path, {})};
  const std::uint64_t seed = reader.whole_number(table.seed(), path.field("seed"), seed_range, 0);
  if (reader.has_failed()) return;
  if (!list.check_room(reader, slot_count(pattern), most_shapes(repeated), path)) return;
  const bool is_pour = pattern.kind == PatternKind::Pour;
  place_bodies(reader, pattern, frame,
               {is_pour, is_pour && table.random_rotation().value_or(true), jitter}, seed, path,
               repeated, list);
}

}  // namespace jostle::scene::detail
