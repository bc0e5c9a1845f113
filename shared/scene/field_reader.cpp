#include "shared/scene/detail/field_reader.h"

#include "shared/scene/detail/limits.h"

#include <array>
#include <string>

namespace jostle::scene::detail {
namespace {

using wire::ForceKind;

constexpr Range strength_range = within(1e20);
constexpr Range exponent_range = between(forces::min_exponent, forces::max_exponent);
constexpr Range distance_range = between(0, 1e6);     // m; softening, outer
constexpr Range reach_range = positive(0.001, 1e6);   // m; region or explosion
constexpr Range acceleration_range = within(1e5);     // m/s²
constexpr Range speed_of_medium_range = within(1e4);  // m/s
constexpr Range density_of_medium_range = between(0, forces::max_density);
constexpr Range rate_range = between(0, 1e6);   // 1/s, 1/m, N·s/m³
constexpr Range blast_range = between(0, 1e9);  // N·s/m²

constexpr unsigned bit(ForceKind kind) {
  return 1U << static_cast<unsigned>(kind);
}
constexpr unsigned central =
    bit(ForceKind::attraction) | bit(ForceKind::point_charge) | bit(ForceKind::charge_interaction);
constexpr unsigned media = bit(ForceKind::wind) | bit(ForceKind::drag) | bit(ForceKind::fluid);

/// A reader of one wire::ForceField. It stores the field's path, so that members can be read by
/// name.
class FieldTable {
 public:
  FieldTable(ValueReader& reader, const wire::ForceField& table, const Path& path,
             const SceneDef& scene, const BodyNames& names)
      : reader_(reader), table_(table), path_(path), scene_(scene), names_(names) {}

  SceneForce read() {
    if (!table_.kind()) {
      reader_.fail(path_.field("kind"), "is missing");
      return {};
    }
    refuse_others();
    SceneForce force;
    force.field = forces::field_of_kind(static_cast<std::uint8_t>(kind()));
    std::visit([this](auto& field) { read_kind(field); }, force.field);
    if (table_.body() != nullptr) force.body = read_body();
    return force;
  }

 private:
  ForceKind kind() const { return *table_.kind(); }

  /// Fails the reader if the force field has a field that its kind does not use.
  void refuse_others() {
    const auto check = [this](std::string_view name, bool is_stated, unsigned kinds) {
      if (!is_stated || (kinds & bit(kind())) != 0) return;
      reader_.fail(path_.field(name), "is not used by a force field of kind \"" +
                                          std::string(wire::EnumNameForceKind(kind())) + "\"");
    };
    check("region", table_.region() != nullptr, media | bit(ForceKind::acceleration));
    check("centre", table_.centre() != nullptr,
          bit(ForceKind::attraction) | bit(ForceKind::point_charge));
    check("body", table_.body() != nullptr, bit(ForceKind::point_charge) | bit(ForceKind::thrust));
    check("point", table_.point() != nullptr,
          bit(ForceKind::point_charge) | bit(ForceKind::thrust));
    check("strength", table_.strength().has_value(), central);
    check("exponent", table_.exponent().has_value(), central);
    check("softening", table_.softening().has_value(), central);
    check("outer", table_.outer().has_value(), central);
    check("acceleration", table_.acceleration() != nullptr, bit(ForceKind::acceleration));
    check("velocity", table_.velocity() != nullptr, media);
    check("density", table_.density().has_value(), bit(ForceKind::wind) | bit(ForceKind::fluid));
    check("drag_coefficient", table_.drag_coefficient().has_value(), bit(ForceKind::wind));
    check("linear_drag", table_.linear_drag().has_value(), media);
    check("quadratic_drag", table_.quadratic_drag().has_value(),
          bit(ForceKind::drag) | bit(ForceKind::fluid));
    check("angular_drag", table_.angular_drag().has_value(),
          bit(ForceKind::drag) | bit(ForceKind::fluid));
    check("level", table_.level().has_value(), bit(ForceKind::fluid));
    check("force", table_.force() != nullptr, bit(ForceKind::thrust));
    check("torque", table_.torque() != nullptr, bit(ForceKind::thrust));
    check("in_body_frame", table_.in_body_frame().has_value(), bit(ForceKind::thrust));
  }

  float number(std::optional<double> value, std::string_view name, Range range, float fallback) {
    return reader_.number(value, path_.field(name), range, fallback);
  }
  math::Vec3 vector(const Numbers* numbers, std::string_view name, Range range) {
    return reader_.vector(numbers, path_.field(name), range, {});
  }

  forces::CentralLaw law() {
    forces::CentralLaw law;
    if (!table_.strength()) reader_.fail(path_.field("strength"), "is missing");
    law.strength = number(table_.strength(), "strength", strength_range, 0);
    law.softening = number(table_.softening(), "softening", distance_range, 0);
    law.outer = number(table_.outer(), "outer", distance_range, 0);
    const float exponent = number(table_.exponent(), "exponent", exponent_range, 2);
    law.exponent = static_cast<std::int32_t>(exponent);
    if (static_cast<float>(law.exponent) != exponent)
      reader_.fail_range(path_.field("exponent"), exponent_range, *table_.exponent(),
                         "a whole number ");
    return law;
  }

  forces::Region region() {
    forces::Region region;
    const wire::ForceRegion* table = table_.region();
    if (table == nullptr) return region;
    const Path own = path_.field("region");
    const int kinds = (table->size() != nullptr ? 1 : 0) +
                      (table->half_extents() != nullptr ? 1 : 0) +
                      (table->radius().has_value() ? 1 : 0);
    if (kinds != 1) {
      reader_.fail(own, "must have exactly one of size, half_extents and radius");
      return region;
    }
    region.centre = reader_.position(table->centre(), own.field("centre"), {});
    if (table->radius()) {
      region.kind = forces::RegionKind::Sphere;
      region.radius = reader_.number(table->radius(), own.field("radius"), reach_range, 0);
      if (kind() == ForceKind::fluid)
        reader_.fail(own.field("radius"),
                     "is not allowed for a fluid; its region must be a box or be left out");
      return region;
    }
    region.kind = forces::RegionKind::Box;
    region.half_extents =
        table->size() != nullptr
            ? reader_.vector(table->size(), own.field("size"), reach_range, {}) * 0.5f
            : reader_.vector(table->half_extents(), own.field("half_extents"), reach_range, {});
    return region;
  }

  void read_kind(forces::Attraction& field) {
    field.centre = reader_.position(table_.centre(), path_.field("centre"), {});
    field.law = law();
  }
  void read_kind(forces::Acceleration& field) {
    field.region = region();
    if (table_.acceleration() == nullptr) reader_.fail(path_.field("acceleration"), "is missing");
    field.acceleration = vector(table_.acceleration(), "acceleration", acceleration_range);
  }
  void read_kind(forces::Wind& field) {
    field.region = region();
    field.velocity = vector(table_.velocity(), "velocity", speed_of_medium_range);
    field.density = number(table_.density(), "density", density_of_medium_range, field.density);
    field.coefficient =
        number(table_.drag_coefficient(), "drag_coefficient", rate_range, field.coefficient);
    field.linear = number(table_.linear_drag(), "linear_drag", rate_range, 0);
  }
  void read_kind(forces::Drag& field) {
    field.region = region();
    field.velocity = vector(table_.velocity(), "velocity", speed_of_medium_range);
    read_rates(field);
  }
  void read_kind(forces::Pole& field) {
    const bool is_on_body = table_.body() != nullptr;
    if (is_on_body && table_.centre() != nullptr)
      reader_.fail(path_.field("centre"),
                   "cannot be combined with body; a point charge on a body takes point");
    if (!is_on_body && table_.point() != nullptr)
      reader_.fail(path_.field("point"), "requires body; a point charge in the world takes centre");
    field.point = is_on_body
                      ? math::to_position(vector(table_.point(), "point", local_offset_range))
                      : reader_.position(table_.centre(), path_.field("centre"), {});
    field.law = law();
  }
  void read_kind(forces::Charges& field) { field.law = law(); }
  void read_kind(forces::Fluid& field) {
    field.region = region();
    if (table_.level()) {
      field.level = reader_.checked(*table_.level(), path_.field("level"), coordinate_range);
    } else if (field.region.kind == forces::RegionKind::Box) {
      field.level = field.region.centre.y + static_cast<double>(field.region.half_extents.y);
    }
    field.density = number(table_.density(), "density", density_of_medium_range, field.density);
    field.velocity = vector(table_.velocity(), "velocity", speed_of_medium_range);
    read_rates(field);
  }
  void read_kind(forces::Thrust& field) {
    if (table_.body() == nullptr) reader_.fail(path_.field("body"), "is missing");
    field.force = vector(table_.force(), "force", force_component_range);
    field.torque = vector(table_.torque(), "torque", force_component_range);
    field.point = vector(table_.point(), "point", local_offset_range);
    field.in_body_frame = table_.in_body_frame().value_or(false);
  }

  template <typename Medium>
  void read_rates(Medium& field) {
    field.linear = number(table_.linear_drag(), "linear_drag", rate_range, 0);
    field.quadratic = number(table_.quadratic_drag(), "quadratic_drag", rate_range, 0);
    field.angular = number(table_.angular_drag(), "angular_drag", rate_range, 0);
  }

  std::uint32_t read_body() {
    const Path own = path_.field("body");
    const std::uint32_t body = names_.find(reader_, table_.body(), own);
    if (reader_.has_failed() || kind() != ForceKind::thrust) return body;
    const SceneBody& pushed = scene_.bodies[body];
    if (pushed.motion != state::MotionType::Dynamic) {
      reader_.fail(own, "\"" + pushed.name + "\" is not dynamic; a thrust needs a dynamic body");
    }
    return body;
  }

  ValueReader& reader_;
  const wire::ForceField& table_;
  const Path& path_;
  const SceneDef& scene_;
  const BodyNames& names_;
};

bool are_too_many(ValueReader& reader, const Path& path, std::size_t count, std::size_t most) {
  if (count <= most) return false;
  reader.fail(
      path, "may have at most " + std::to_string(most) + " entries, has " + std::to_string(count));
  return true;
}

SceneExplosion read_explosion(ValueReader& reader, const wire::Explosion& table, const Path& path) {
  SceneExplosion blast;
  if (table.position() == nullptr) reader.fail(path.field("position"), "is missing");
  if (!table.radius()) reader.fail(path.field("radius"), "is missing");
  if (!table.impulse()) reader.fail(path.field("impulse"), "is missing");
  blast.explosion.centre = reader.position(table.position(), path.field("position"), {});
  blast.explosion.radius = reader.number(table.radius(), path.field("radius"), reach_range, 1);
  blast.explosion.impulse = reader.number(table.impulse(), path.field("impulse"), blast_range, 0);
  if (table.start())
    blast.moments.start = reader.checked(*table.start(), path.field("start"), moment_range);
  if (table.interval())
    blast.moments.every = reader.checked(*table.interval(), path.field("interval"), every_range);
  blast.moments.count = static_cast<std::uint32_t>(
      reader.whole_number(table.count(), path.field("count"), count_range, 0));
  if (table.count() && !table.interval())
    reader.fail(path.field("count"), "requires interval, the period in seconds");
  return blast;
}

}  // namespace

std::vector<SceneForce> read_fields(ValueReader& reader, const Tables<wire::ForceField>* tables,
                                    const Path& path, const SceneDef& scene,
                                    const BodyNames& names) {
  static_assert(static_cast<int>(ForceKind::MAX) + 1 == forces::field_kind_count);
  std::vector<SceneForce> fields;
  if (tables == nullptr || reader.has_failed() ||
      are_too_many(reader, path, tables->size(), max_scene_fields)) {
    return fields;
  }
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const Path own = path.entry(i);
    fields.push_back(FieldTable(reader, *tables->Get(i), own, scene, names).read());
  }
  return fields;
}

std::vector<SceneExplosion> read_explosions(ValueReader& reader,
                                            const Tables<wire::Explosion>* tables,
                                            const Path& path) {
  std::vector<SceneExplosion> blasts;
  if (tables == nullptr || reader.has_failed() ||
      are_too_many(reader, path, tables->size(), max_scene_explosions)) {
    return blasts;
  }
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i)
    blasts.push_back(read_explosion(reader, *tables->Get(i), path.entry(i)));
  return blasts;
}

}  // namespace jostle::scene::detail
