#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/tables.h"

#include <jostle/physics/shapes.h>

#include <optional>

namespace jostle::api {

template <>
jostle_material_pair default_of() {
  jostle_material_pair pair{};
  pair.size = sizeof pair;
  return pair;
}

namespace {

constexpr std::uint32_t all_pair_values = 31;

physics::PairMaterial checked_pair(const jostle_material_pair& pair) {
  require_integer(pair.a, 1, UINT32_MAX, "pair->a");
  require_integer(pair.b, 1, UINT32_MAX, "pair->b");
  require_integer(pair.present, 0, all_pair_values, "pair->present");
  physics::PairMaterial values;
  const auto take = [&](std::uint32_t bit, float value, double low, double high, const char* name,
                        std::optional<float>& to) {
    if ((pair.present & bit) == 0) return;
    require_range(value, low, high, name, "");
    to = value;
  };
  take(JOSTLE_PAIR_FRICTION, pair.friction, 0, physics::max_friction, "pair->friction",
       values.friction);
  if ((pair.present & JOSTLE_PAIR_STATIC_FRICTION) != 0 && !values.friction)
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "pair->present has JOSTLE_PAIR_STATIC_FRICTION, which needs JOSTLE_PAIR_FRICTION");
  take(JOSTLE_PAIR_STATIC_FRICTION, pair.static_friction, values.friction.value_or(0.0f),
       physics::max_friction, "pair->static_friction", values.static_friction);
  take(JOSTLE_PAIR_RESTITUTION, pair.restitution, 0, 1, "pair->restitution", values.restitution);
  take(JOSTLE_PAIR_ROLLING_RESISTANCE, pair.rolling_resistance, 0, physics::max_resistance,
       "pair->rolling_resistance", values.rolling_resistance);
  take(JOSTLE_PAIR_SPINNING_RESISTANCE, pair.spinning_resistance, 0, physics::max_resistance,
       "pair->spinning_resistance", values.spinning_resistance);
  return values;
}

jostle_material_pair pair_of(std::uint32_t a, std::uint32_t b,
                             const physics::PairMaterial& values) {
  jostle_material_pair pair{};
  pair.size = sizeof pair;
  pair.a = a;
  pair.b = b;
  const auto give = [&](std::uint32_t bit, const std::optional<float>& from, float& to) {
    if (!from) return;
    pair.present |= bit;
    to = *from;
  };
  give(JOSTLE_PAIR_FRICTION, values.friction, pair.friction);
  give(JOSTLE_PAIR_STATIC_FRICTION, values.static_friction, pair.static_friction);
  give(JOSTLE_PAIR_RESTITUTION, values.restitution, pair.restitution);
  give(JOSTLE_PAIR_ROLLING_RESISTANCE, values.rolling_resistance, pair.rolling_resistance);
  give(JOSTLE_PAIR_SPINNING_RESISTANCE, values.spinning_resistance, pair.spinning_resistance);
  return pair;
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_material_pair_init(jostle_material_pair* pair, size_t size) {
  return write_default(__func__, pair, size);
}
jostle_result jostle_world_set_material_pair(jostle_world world, const jostle_material_pair* pair) {
  return change_world(__func__, world, [&](physics::World& found) {
    const jostle_material_pair wanted = read_struct(pair, "pair");
    const physics::PairMaterial values = checked_pair(wanted);
    const physics::MaterialId a{wanted.a}, b{wanted.b};
    const bool is_new = found.pair_material(a, b) == physics::PairMaterial{};
    const bool is_full = found.material_pairs().size() >= physics::max_material_pairs;
    if (is_new && is_full && wanted.present != 0) {
      refuse(JOSTLE_ERROR_LIMIT, "the world has %zu material pairs already; remove one first",
             physics::max_material_pairs);
    }
    found.set_pair_material(a, b, values);
  });
}
jostle_result jostle_world_get_material_pair(jostle_world world, uint32_t a, uint32_t b,
                                             jostle_material_pair* pair) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_integer(a, 1, UINT32_MAX, "a");
    require_integer(b, 1, UINT32_MAX, "b");
    require_output(pair, "pair");
    write_struct(pair, pair_of(a, b, found.pair_material({a}, {b})));
  });
}
jostle_result jostle_world_get_material_pairs(jostle_world world, jostle_material_pair* pairs,
                                              size_t stride, size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto output = list_output(pairs, stride, capacity, count);
    const auto list = found.material_pairs();
    write_list(output, list.size(), [&](std::size_t i) {
      return pair_of(list[i].a.value, list[i].b.value, list[i].values);
    });
  });
}
