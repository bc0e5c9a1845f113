#include "shared/scene/detail/particle_reader.h"

#include "shared/scene/detail/limits.h"

#include <string>

namespace jostle::scene::detail {
namespace {

constexpr Range particle_count_range = between(1, static_cast<double>(max_scene_particles));
constexpr Range particle_radius_range = between(0, 100);  // m
constexpr Range emission_range = above(0, 1e6);           // 1/s
constexpr Range spread_range = between(0, 1e4);           // m/s
constexpr Range seconds_range = between(0, 1e6);
constexpr Range share_range = between(0, 1);
constexpr Range region_range = between(0, 1e6);  // m

template <typename Table>
bool are_too_many(ValueReader& reader, const Tables<Table>& tables, const Path& path,
                  std::size_t most) {
  if (tables.size() <= most) return false;
  reader.fail(path, "may have at most " + std::to_string(most) + " entries, has " +
                        std::to_string(tables.size()));
  return true;
}

forces::Region read_region(ValueReader& reader, const wire::ForceRegion& table, const Path& path) {
  forces::Region region;
  const int kinds = (table.size() != nullptr ? 1 : 0) + (table.half_extents() != nullptr ? 1 : 0) +
                    (table.radius().has_value() ? 1 : 0);
  if (kinds != 1) {
    reader.fail(path, "must have exactly one of size, half_extents and radius");
    return region;
  }
  region.centre = reader.position(table.centre(), path.field("centre"), {});
  region.kind = table.radius() ? forces::RegionKind::Sphere : forces::RegionKind::Box;
  region.radius = reader.number(table.radius(), path.field("radius"), region_range, 0);
  region.half_extents =
      table.size() != nullptr
          ? reader.vector(table.size(), path.field("size"), region_range, {}) * 0.5f
          : reader.vector(table.half_extents(), path.field("half_extents"), region_range, {});
  return region;
}

SceneEmitter read_emitter(ValueReader& reader, const wire::Emitter& table, const Path& path) {
  SceneEmitter emitter;
  if ((table.position() != nullptr) == (table.region() != nullptr))
    reader.fail(path, "must have exactly one of position and region");
  if (table.region() != nullptr) {
    emitter.region = read_region(reader, *table.region(), path.field("region"));
  } else {
    emitter.region.centre = reader.position(table.position(), path.field("position"), {});
  }
  if (!table.rate()) reader.fail(path.field("rate"), "is missing");
  emitter.rate = reader.number(table.rate(), path.field("rate"), emission_range, 0);
  emitter.velocity = reader.vector(table.velocity(), path.field("velocity"), velocity_range, {});
  emitter.spread = reader.number(table.spread(), path.field("spread"), spread_range, 0);
  emitter.lifetime = reader.number(table.lifetime(), path.field("lifetime"), seconds_range, 0);
  emitter.min_lifetime_fraction = reader.number(
      table.min_lifetime_fraction(), path.field("min_lifetime_fraction"), share_range, 1);
  emitter.start = reader.number(table.start(), path.field("start"), seconds_range, 0);
  emitter.end = reader.number(table.end(), path.field("end"), seconds_range, 0);
  if (table.end() && !(emitter.end > emitter.start))
    reader.fail(path.field("end"), "must be after start, which is " + shown(emitter.start));
  emitter.seed = reader.whole_number(table.seed(), path.field("seed"), seed_range, 0);
  return emitter;
}

SceneParticles read_set(ValueReader& reader, const wire::ParticleSet& table, const Path& path,
                        const Materials& materials) {
  SceneParticles set;
  set.name = reader.name(table.name(), path.field("name"));
  set.max_count = static_cast<std::uint32_t>(reader.whole_number(
      table.max_count(), path.field("max_count"), particle_count_range, set.max_count));
  if (table.integrator()) set.integrator = static_cast<forces::Integrator>(*table.integrator());
  set.mass = reader.number(table.mass(), path.field("mass"), mass_range, set.mass);
  set.radius =
      reader.number(table.radius(), path.field("radius"), particle_radius_range, set.radius);
  set.charge = reader.number(table.charge(), path.field("charge"), charge_range, 0);
  set.gravity_scale =
      reader.number(table.gravity_scale(), path.field("gravity_scale"), gravity_scale_range, 1);
  set.ignores_force_fields = table.ignores_force_fields().value_or(false);
  set.collides = table.collides().value_or(true);
  set.mask = static_cast<std::uint32_t>(
      reader.whole_number(table.mask(), path.field("mask"), uint32_range, set.mask));
  if (table.material() != nullptr) {
    const Surface* material =
        find_material(reader, materials, table.material()->string_view(), path.field("material"));
    if (material == nullptr) return set;
    set.material = material->id.value_or(0);
    set.friction = material->friction.value_or(set.friction);
    set.restitution = material->restitution.value_or(set.restitution);
  }
  set.friction =
      reader.number(table.friction(), path.field("friction"), friction_range, set.friction);
  set.restitution = reader.number(table.restitution(), path.field("restitution"), restitution_range,
                                  set.restitution);
  if (table.colour() != nullptr)
    set.colour = read_colour(reader, *table.colour(), path.field("colour"));
  const Path list = path.field("emitters");
  if (table.emitters() == nullptr || table.emitters()->size() == 0) {
    reader.fail(list, std::string(table.emitters() == nullptr ? "is missing" : "is empty") +
                          ": a particle set needs at least one emitter");
  } else if (!are_too_many(reader, *table.emitters(), list, max_scene_emitters)) {
    for (flatbuffers::uoffset_t i = 0; i < table.emitters()->size() && !reader.has_failed(); ++i)
      set.emitters.push_back(read_emitter(reader, *table.emitters()->Get(i), list.entry(i)));
  }
  return set;
}

}  // namespace

std::vector<SceneParticles> read_particles(ValueReader& reader,
                                           const Tables<wire::ParticleSet>* tables,
                                           const Path& path, const Materials& materials) {
  static_assert(static_cast<int>(wire::Integrator::MAX) + 1 == forces::integrator_count);
  std::vector<SceneParticles> sets;
  if (tables == nullptr || reader.has_failed() ||
      are_too_many(reader, *tables, path, max_scene_particle_sets))
    return sets;
  std::size_t total = 0;
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const Path own = path.entry(i);
    sets.push_back(read_set(reader, *tables->Get(i), own, materials));
    total += sets.back().max_count;
    if (total > max_scene_particles)
      reader.fail(own.field("max_count"), "brings all sets to more than " +
                                              std::to_string(max_scene_particles) + " particles");
  }
  return sets;
}

namespace {

/// Fails the reader if the label's body has no value of the label's kind.
void check_body(ValueReader& reader, const Path& path, const SceneDef& scene,
                const SceneLabel& label) {
  const SceneBody& body = scene.bodies[label.body];
  const bool is_energy =
      label.kind == state::LabelKind::Energy || label.kind == state::LabelKind::EnergyChange;
  if (body.motion == state::MotionType::Static)
    reader.fail(path, "\"" + body.name + "\" is static; only a moving body has values to display");
  else if (body.motion == state::MotionType::Kinematic && is_energy)
    reader.fail(path, "\"" + body.name + "\" is kinematic; only a dynamic body has an energy");
}

}  // namespace

std::vector<SceneLabel> read_labels(ValueReader& reader, const Tables<wire::Label>* tables,
                                    const Path& path, const SceneDef& scene,
                                    const BodyNames& names) {
  static_assert(static_cast<int>(wire::LabelKind::MAX) + 1 == state::label_kind_count);
  std::vector<SceneLabel> labels;
  if (tables == nullptr || reader.has_failed() ||
      are_too_many(reader, *tables, path, state::max_labels))
    return labels;
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const wire::Label& table = *tables->Get(i);
    const Path own = path.entry(i);
    SceneLabel& label = labels.emplace_back();
    if (table.name() == nullptr) reader.fail(own.field("name"), "is missing");
    if (table.body() == nullptr) reader.fail(own.field("body"), "is missing");
    if (reader.has_failed()) break;
    label.name = reader.name(table.name(), own.field("name"));
    label.body = names.find(reader, table.body(), own.field("body"));
    if (table.kind()) label.kind = static_cast<state::LabelKind>(*table.kind());
    if (!reader.has_failed()) check_body(reader, own.field("body"), scene, label);
  }
  return labels;
}

}  // namespace jostle::scene::detail
