#include "tests/fuzz/api_calls.h"

namespace jostle::fuzz_api {
namespace {

void create_solid(Session& s) {
  if (s.solids.size() >= Session::max_objects) return;
  constexpr std::size_t max_points = 8;
  std::array<float, 3 * max_points> points{};
  for (float& value : points)
    value = s.number();
  std::array<std::uint32_t, 12> indices{0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  indices[s.input().choice(12)] = s.input().u8() % 10;
  const std::size_t count = s.input().choice(max_points + 1);
  jostle_solid solid{};
  jostle_result result = JOSTLE_OK;
  switch (s.input().choice(4)) {
    case 0:
      result = jostle_solid_create_hull(points.data(), s.input().choice(2) * 12, count, &solid);
      break;
    case 1:
      result = jostle_solid_create_mesh(points.data(), 0, count, indices.data(), 4, &solid);
      break;
    case 2:
      result = jostle_solid_create_height_field(points.data(), 4, s.input().choice(7), s.number(),
                                                s.number(), &solid);
      break;
    default: {
      std::array<jostle_solid, 4> parts{};
      std::size_t parts_count = 0;
      if (s.check(jostle_solid_decompose_mesh(points.data(), 0, count, indices.data(), 4,
                                              s.number(), parts.data(), s.input().choice(5),
                                              &parts_count, nullptr)))
        s.solids.insert(s.solids.end(), parts.begin(), parts.begin() + parts_count);
      return;
    }
  }
  if (s.check(result)) s.solids.push_back(solid);
}

void use_solid(Session& s) {
  const jostle_solid solid = s.any(s.solids);
  jostle_solid_info info;
  info.size = sizeof info;
  std::array<jostle_vec3, 4> vertices{};
  std::array<std::uint32_t, 12> indices{};
  std::size_t count = 0;
  s.check(jostle_solid_get_vertices(solid, vertices.data(), s.input().choice(5), &count));
  s.check(jostle_solid_get_triangles(solid, indices.data(), s.input().choice(5), &count));
  s.check(jostle_world_add_solid(s.any(s.worlds), solid));
  jostle_solid found{};
  if (s.check(jostle_solid_get_info(solid, &info)) &&
      s.check(jostle_world_find_solid(s.any(s.worlds), info.content_hash, &found)))
    s.solids.push_back(found);
  if (s.input().u8() > 220) s.check(jostle_solid_destroy(solid));
}

void create_shape(Session& s) {
  if (s.shapes.size() >= Session::max_objects) return;
  jostle_shape_def def;
  jostle_shape_def_default(&def);
  def.kind = static_cast<jostle_shape_kind>(s.input().choice(9));
  def.solid = s.any(s.solids);
  def.is_sensor = s.input().u8() > 220 ? 1 : 0;
  s.mutate(def);
  jostle_shape shape{};
  if (s.check(jostle_shape_create(s.any(s.worlds), s.any(s.bodies), &def, &shape)))
    s.shapes.push_back(shape);
}

void use_shape(Session& s) {
  const jostle_world world = s.any(s.worlds);
  const jostle_shape shape = s.any(s.shapes);
  jostle_shape_def def;
  def.size = sizeof def;
  jostle_body body{};
  jostle_solid solid{};
  std::array<jostle_shape, 4> shapes{};
  std::size_t count = 0;
  s.check(jostle_shape_get_def(world, shape, &def));
  s.check(jostle_shape_get_body(world, shape, &body));
  if (s.check(jostle_shape_get_solid(world, shape, &solid))) s.solids.push_back(solid);
  s.check(jostle_shape_set_surface_velocity(world, shape, s.vector()));
  s.check(jostle_shape_get_overlaps(world, shape, shapes.data(), s.input().choice(5), &count));
}

void call_material(Session& s) {
  const jostle_world world = s.any(s.worlds);
  jostle_material_pair pair;
  jostle_material_pair_default(&pair);
  pair.a = 1 + s.input().choice(3);
  pair.b = 1 + s.input().choice(3);
  pair.present = s.input().u8() % 32;
  s.mutate(pair);
  s.check(jostle_world_set_material_pair(world, &pair));
  pair.size = sizeof pair;
  s.check(jostle_world_get_material_pair(world, s.input().choice(4), 2, &pair));
  std::array<jostle_material_pair, 2> pairs{};
  std::size_t count = 0;
  s.check(jostle_world_get_material_pairs(world, pairs.data(), 0, s.input().choice(3), &count));
}

}  // namespace

void call_shape(Session& s) {
  switch (s.input().choice(8)) {
    case 0:
    case 1:
      return create_solid(s);
    case 2:
      return use_solid(s);
    case 3:
      return use_shape(s);
    case 4:
      return call_material(s);
    default:
      return create_shape(s);
  }
}

namespace {

/// Computes a definition by one of the functions that place a joint.
jostle_result place_joint(Session& s, jostle_world world, jostle_joint_def& def) {
  const jostle_body a = s.any(s.bodies), b = s.any(s.bodies);
  const jostle_position at = s.position(), to = s.position();
  switch (s.input().choice(8)) {
    case 0:
      return jostle_joint_def_distance(world, a, b, at, to, &def);
    case 1:
      return jostle_joint_def_six_dof(world, a, b, at, s.rotation(), &def);
    case 2:
      return jostle_joint_def_wheel(world, a, b, at, s.axis(), s.axis(), &def);
    case 3:
      return jostle_joint_def_gear(world, a, b, s.axis(), s.axis(), s.number(), &def);
    case 4:
      return jostle_joint_def_rack_and_pinion(world, a, b, s.axis(), s.axis(), s.number(), &def);
    case 5:
      return jostle_joint_def_pulley(world, a, b, at, to, to, at, s.number(), &def);
    case 6:
      return jostle_joint_def_servo(world, a, b, at, &def);
    default:
      return jostle_joint_def_at(world, static_cast<jostle_joint_kind>(s.input().choice(12)), a, b,
                                 at, s.axis(), &def);
  }
}

void create_joint(Session& s) {
  if (s.joints.size() >= Session::max_objects) return;
  const jostle_world world = s.any(s.worlds);
  jostle_joint_def def;
  jostle_joint_def_default(&def);
  s.check(place_joint(s, world, def));
  s.mutate(def);
  jostle_joint joint{};
  if (s.check(jostle_joint_create(world, &def, &joint))) s.joints.push_back(joint);
}

void change_joint(Session& s, jostle_world world, jostle_joint joint) {
  jostle_joint_def def;
  jostle_joint_def_default(&def);
  const jostle_transform target{s.vector(), s.rotation()};
  switch (s.input().choice(9)) {
    case 0:
      s.check(jostle_joint_set_limits(world, joint, {s.boolean(), s.number(), s.number()}));
      return;
    case 1:
      s.check(jostle_joint_set_cone(world, joint, {s.boolean(), s.number()}));
      return;
    case 2:
      s.check(jostle_joint_set_spring(
          world, joint, {s.boolean(), s.number(), s.number(), s.boolean()}, s.number()));
      return;
    case 3:
      s.check(jostle_joint_set_motor(world, joint, {s.boolean(), s.number(), s.number()}));
      return;
    case 4:
      s.mutate(def);
      s.check(jostle_joint_set_details(world, joint, &def));
      return;
    case 5:
      s.mutate(def.axes[0]);
      s.check(jostle_joint_set_axis(world, joint, s.input().choice(7), &def.axes[0]));
      return;
    case 6:
      s.check(jostle_joint_set_steering(world, joint, s.number()));
      return;
    case 7:
      s.check(jostle_joint_set_brake(world, joint, s.number()));
      return;
    default:
      s.check(jostle_joint_set_target(world, joint, &target));
  }
}

}  // namespace

void call_joint(Session& s) {
  const std::size_t choice = s.input().choice(5);
  if (choice < 2) return create_joint(s);
  const jostle_world world = s.any(s.worlds);
  const jostle_joint joint = s.any(s.joints);
  if (choice == 2) return change_joint(s, world, joint);
  jostle_joint_def def;
  jostle_joint_state state;
  def.size = sizeof def;
  state.size = sizeof state;
  std::array<jostle_joint, 4> joints{};
  std::size_t count = 0;
  s.check(jostle_joint_get_def(world, joint, &def));
  s.check(jostle_joint_get_state(world, joint, &state));
  s.check(jostle_world_get_joints(world, joints.data(), s.input().choice(5), &count));
  if (s.input().u8() > 200) s.check(jostle_joint_destroy(world, joint));
}

namespace {

void create_field(Session& s) {
  if (s.fields.size() >= Session::max_objects) return;
  jostle_field_def def;
  if (!s.check(jostle_field_def_default(static_cast<jostle_field_kind>(s.input().choice(9)), &def)))
    return;
  if (s.input().boolean()) def.body = s.any(s.bodies);
  def.strength = s.number();
  def.vector = s.vector();
  s.mutate(def);
  jostle_field field{};
  if (s.check(jostle_field_create(s.any(s.worlds), &def, &field))) s.fields.push_back(field);
}

void use_field(Session& s) {
  const jostle_world world = s.any(s.worlds);
  const jostle_field field = s.any(s.fields);
  jostle_field_def def;
  def.size = sizeof def;
  if (s.check(jostle_field_get_def(world, field, &def))) {
    s.mutate(def);
    s.check(jostle_field_set_def(world, field, &def));
  }
  std::array<jostle_field, 2> fields{};
  std::size_t count = 0;
  s.check(jostle_world_get_fields(world, fields.data(), s.input().choice(3), &count));
  if (s.input().u8() > 200) s.check(jostle_field_destroy(world, field));
  s.check(jostle_world_explode(world, s.position(), s.number(), s.number()));
}

void create_set(Session& s) {
  if (s.sets.size() >= Session::max_objects) return;
  std::array<jostle_emitter, 2> emitters{};
  for (jostle_emitter& emitter : emitters) {
    jostle_emitter_default(&emitter);
    emitter.rate = 100;
    s.mutate(emitter);
  }
  jostle_particle_set_def def;
  jostle_particle_set_def_default(&def);
  def.max_count = 50;
  def.collides = s.boolean();
  s.mutate(def, offsetof(jostle_particle_set_def, emitter_count));
  if (def.max_count > 50) def.max_count = 50;
  def.emitter_count = s.input().choice(3);
  def.emitters = emitters.data();
  jostle_particle_set set{};
  if (s.check(jostle_particle_set_create(s.any(s.worlds), &def, &set))) s.sets.push_back(set);
}

void use_set(Session& s) {
  const jostle_world world = s.any(s.worlds);
  const jostle_particle_set set = s.any(s.sets);
  std::array<jostle_particle, 2> particles{};
  for (jostle_particle& particle : particles) {
    particle = {s.position(), {0, 1, 0}, 1, 0.1f, 0, JOSTLE_ENDLESS};
    s.mutate(particle);
  }
  std::size_t count = 0;
  s.check(jostle_particle_set_add(world, set, particles.data(), s.input().choice(3), &count));
  std::array<double, 12> positions{};
  std::array<float, 4> masses{};
  jostle_particle_arrays arrays;
  jostle_particle_arrays_default(&arrays);
  arrays.positions = positions.data();
  arrays.masses = masses.data();
  arrays.masses_stride = s.input().choice(5);
  s.check(jostle_particle_set_read(world, set, &arrays, s.input().choice(5), &count));
  jostle_particle_set_def def;
  def.size = sizeof def;
  s.check(jostle_particle_set_get_def(world, set, &def));
  std::array<jostle_emitter, 2> emitters{};
  s.check(
      jostle_particle_set_get_emitters(world, set, emitters.data(), s.input().choice(3), &count));
  std::array<jostle_particle_set, 2> sets{};
  s.check(jostle_world_get_particle_sets(world, sets.data(), s.input().choice(3), &count));
  if (s.input().u8() > 200) s.check(jostle_particle_set_destroy(world, set));
}

}  // namespace

void call_field(Session& s) {
  switch (s.input().choice(4)) {
    case 0:
      return create_field(s);
    case 1:
      return use_field(s);
    case 2:
      return create_set(s);
    default:
      return use_set(s);
  }
}

namespace {

jostle_query_shape query_shape(Session& s) {
  jostle_query_shape shape;
  jostle_query_shape_default(&shape);
  shape.kind = static_cast<jostle_shape_kind>(s.input().choice(9));
  shape.radius = 0.5f;
  shape.half_height = 0.5f;
  shape.half_extents = {0.5f, 0.5f, 0.5f};
  shape.solid = s.any(s.solids);
  shape.pose.position = s.position();
  shape.translation = s.vector();
  s.mutate(shape);
  return shape;
}

void call_events(Session& s, jostle_world world) {
  constexpr std::size_t capacity = 4;
  const std::size_t room = s.input().choice(capacity + 1);
  std::array<jostle_shape_pair, capacity> pairs{};
  std::array<jostle_contact_hit, capacity> hits{};
  std::array<jostle_sleep_change, capacity> changes{};
  std::array<jostle_joint_break, capacity> breaks{};
  std::array<jostle_contact, capacity> contacts{};
  std::size_t count = 0;
  s.check(jostle_world_get_contact_begins(world, pairs.data(), s.input().u8() % 17, room, &count));
  s.check(jostle_world_get_contact_ends(world, pairs.data(), 0, room, &count));
  s.check(jostle_world_get_sensor_begins(world, pairs.data(), 0, room, &count));
  s.check(jostle_world_get_sensor_ends(world, pairs.data(), 0, room, &count));
  s.check(jostle_world_get_contact_hits(world, hits.data(), 0, room, &count));
  s.check(jostle_world_get_sleep_changes(world, changes.data(), 0, room, &count));
  s.check(jostle_world_get_joint_breaks(world, breaks.data(), 0, room, &count));
  s.check(jostle_world_get_contacts(world, contacts.data(), 0, room, &count));
}

void draw(Session& s, jostle_world world) {
  jostle_debug_draw_def def;
  jostle_debug_draw_def_default(&def);
  s.mutate(def);
  jostle_draw_receiver receiver;
  jostle_draw_receiver_default(&receiver);
  receiver.line = [](void*, jostle_position, jostle_position, const jostle_draw_label* label) {
    JOSTLE_ASSERT(label->kind >= 0 && label->kind < JOSTLE_DRAW_KIND_COUNT);
  };
  s.check(jostle_world_debug_draw(world, &def, &receiver));
}

void call_batches(Session& s, jostle_world world, const jostle_query_filter& filter) {
  constexpr std::size_t count = 3;
  std::array<jostle_query_shape, count> shapes{query_shape(s), query_shape(s), query_shape(s)};
  std::array<jostle_ray, count> rays{};
  std::array<jostle_aabb, count> boxes{};
  for (std::size_t i = 0; i < count; ++i) {
    rays[i] = {s.position(), s.vector()};
    boxes[i] = {s.position(), s.position()};
  }
  std::array<jostle_cast_hit, count> hits{};
  std::array<jostle_closest_hit, count> closest{};
  std::array<std::size_t, count> counts{};
  std::array<jostle_shape, 4> found{};
  std::size_t total = 0;
  s.check(jostle_world_cast_rays(world, rays.data(), 0, count, &filter, hits.data(), 0));
  s.check(jostle_world_cast_shapes(world, shapes.data(), 0, count, &filter, hits.data(), 0));
  s.check(jostle_world_closest_of_each(world, shapes.data(), 0, count, s.number(), &filter,
                                       closest.data(), 0));
  s.check(jostle_world_overlap_aabbs(world, boxes.data(), count, &filter, counts.data(),
                                     found.data(), s.input().choice(5), &total));
  s.check(jostle_world_overlap_shapes(world, shapes.data(), 0, count, &filter, counts.data(),
                                      found.data(), s.input().choice(5), &total));
}

}  // namespace

void call_query(Session& s) {
  const jostle_world world = s.any(s.worlds);
  jostle_query_filter filter;
  jostle_query_filter_default(&filter);
  if (s.input().boolean()) s.mutate(filter);
  const std::size_t choice = s.input().choice(9);
  if (choice == 0) return call_events(s, world);
  if (choice == 1) return draw(s, world);
  if (choice == 2) return call_batches(s, world, filter);
  const jostle_query_shape shape = query_shape(s);
  const jostle_ray ray{s.position(), s.vector()};
  const jostle_aabb box{s.position(), s.position()};
  std::array<jostle_cast_hit, 4> hits{};
  std::array<jostle_closest_hit, 4> closest{};
  std::array<jostle_shape, 4> shapes{};
  const std::size_t room = s.input().choice(5);
  std::size_t count = 0;
  s.check(jostle_world_cast_ray(world, &ray, &filter, hits.data()));
  s.check(jostle_world_cast_ray_all(world, &ray, nullptr, hits.data(), 0, room, &count));
  s.check(jostle_world_cast_shape(world, &shape, &filter, hits.data()));
  s.check(jostle_world_cast_shape_all(world, &shape, nullptr, hits.data(), 0, room, &count));
  s.check(jostle_world_closest(world, &shape, s.number(), &filter, closest.data()));
  s.check(jostle_world_closest_all(world, &shape, s.number(), &filter, closest.data(), 0, room,
                                   &count));
  s.check(jostle_world_overlap_aabb(world, &box, &filter, shapes.data(), room, &count));
  s.check(jostle_world_overlap_shape(world, &shape, &filter, shapes.data(), room, &count));
}

}  // namespace jostle::fuzz_api
