#include "tests/fuzz/api_calls.h"

namespace jostle::fuzz_api {
namespace {

constexpr const char* scene_text =
    R"({"name": "s", "spawns": [{"position": [0, 5, 0]}], "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"position": [0, 2, 0], "shapes": [{"box": {"half_extents": [1, 1, 1]}}]}]})";

void create_world(Session& s) {
  if (s.worlds.size() >= Session::max_worlds) return;
  jostle_world_def def;
  jostle_world_def_default(&def);
  s.mutate(def);
  jostle_world world{};
  if (s.check(jostle_world_create(&def, &world))) s.worlds.push_back(world);
}

/// Saves a world, and restores it or a damaged copy of the save.
void save_and_restore(Session& s) {
  const jostle_world from = s.any(s.worlds), to = s.any(s.worlds);
  std::size_t size = 0;
  if (!s.check(jostle_world_save(from, nullptr, 0, &size))) return;
  std::vector<std::byte> bytes(size);
  JOSTLE_ASSERT(s.check(jostle_world_save(from, bytes.data(), size, &size)));
  const bool is_damaged = s.input().boolean();
  if (is_damaged) bytes[s.input().u16() % size] ^= static_cast<std::byte>(s.input().u8());
  const bool is_restored = s.check(jostle_world_restore(to, bytes.data(), size));
  if (!is_restored || is_damaged) return;
  jostle_state_hash hashes[2];
  hashes[0].size = hashes[1].size = sizeof hashes[0];
  JOSTLE_ASSERT(s.check(jostle_world_get_hash(from, &hashes[0])));
  JOSTLE_ASSERT(s.check(jostle_world_get_hash(to, &hashes[1])));
  JOSTLE_ASSERT(hashes[0].total == hashes[1].total);
}

void call_scene(Session& s) {
  if (s.scenes.size() < 2) {
    jostle_scene scene{};
    std::string_view text(scene_text);
    if (s.input().boolean()) text.remove_suffix(s.input().u8() % text.size());
    if (s.check(jostle_scene_create(text.data(), text.size(), nullptr, &scene)))
      s.scenes.push_back(scene);
  }
  const jostle_scene scene = s.any(s.scenes);
  std::size_t number = 0;
  char name[4];
  jostle_world_def def;
  def.size = sizeof def;
  s.check(jostle_scene_get_world_def(scene, s.input().u8(), &def));
  s.check(jostle_scene_get_body_count(scene, &number));
  s.check(jostle_scene_get_body_name(scene, s.input().u8(), name, s.input().u8() % 5));
  s.check(jostle_scene_find_body(scene, "floor", &number));
  s.check(jostle_scene_instantiate(scene, s.any(s.worlds)));
  if (s.input().u8() > 200) s.check(jostle_scene_destroy(scene));
}

void count_stages(void* user, jostle_stage stage, const jostle_state_hash* hash) {
  *static_cast<std::uint64_t*>(user) += hash->total + static_cast<std::uint64_t>(stage);
}
std::uint64_t stages = 0;

void read_world_values(Session& s) {
  const jostle_world world = s.any(s.worlds);
  jostle_world_def def;
  jostle_statistics statistics;
  jostle_counts counts;
  jostle_execution execution;
  jostle_state_hash hash;
  def.size = sizeof def;
  statistics.size = sizeof statistics - s.input().choice(2);
  counts.size = sizeof counts;
  execution.size = sizeof execution;
  hash.size = sizeof hash;
  s.check(jostle_world_get_def(world, &def));
  s.check(jostle_world_get_statistics(world, &statistics));
  s.check(jostle_world_get_counts(world, &counts));
  s.check(jostle_world_get_execution(world, &execution));
  s.check(jostle_world_get_hash(world, &hash));
  std::array<jostle_state_number, 8> numbers{};
  std::size_t count = 0;
  s.check(jostle_world_get_state(world, numbers.data(), 0, s.input().choice(9), &count));
  char text[64];
  s.check(jostle_world_compare(world, s.any(s.worlds), text, s.input().choice(65)));
}

void set_execution(Session& s) {
  jostle_execution execution;
  jostle_execution_default(&execution);
  execution.simd = static_cast<jostle_simd>(s.input().choice(6)) - 1;
  if (s.input().u8() > 250) execution.threads = -1;
  s.check(jostle_world_set_execution(s.any(s.worlds), &execution));
}

}  // namespace

void call_world(Session& s) {
  const auto step = [&] { s.check(jostle_world_steps(s.any(s.worlds), s.input().u8() % 4)); };
  switch (s.input().choice(12)) {
    case 0:
      return create_world(s);
    case 1:
      if (s.input().u8() > 200) s.check(jostle_world_destroy(s.any(s.worlds)));
      return;
    case 2:
      s.check(jostle_world_set_gravity(s.any(s.worlds), s.vector()));
      return;
    case 3:
      return save_and_restore(s);
    case 4:
      s.check(jostle_world_copy(s.any(s.worlds), s.any(s.worlds)));
      return;
    case 5:
      return call_scene(s);
    case 6:
      return read_world_values(s);
    case 7:
      return set_execution(s);
    case 8:
      s.check(jostle_world_set_stage_hook(s.any(s.worlds),
                                          s.input().boolean() ? count_stages : nullptr, &stages));
      return;
    default:
      return step();
  }
}

namespace {

void create_body(Session& s) {
  if (s.bodies.size() >= Session::max_objects) return;
  jostle_body_def def;
  jostle_body_def_default(&def);
  def.motion = static_cast<jostle_motion>(s.input().choice(3));
  def.pose.position = {s.input().choice(8) * 0.5, s.input().choice(8) * 0.5, 0};
  s.mutate(def);
  jostle_body body{};
  if (s.check(jostle_body_create(s.any(s.worlds), &def, &body))) s.bodies.push_back(body);
}

void change_body(Session& s, jostle_world world, jostle_body body) {
  const jostle_pose pose{s.position(), s.rotation()};
  switch (s.input().choice(14)) {
    case 0:
      s.check(jostle_body_set_pose(world, body, &pose));
      return;
    case 1:
      s.check(jostle_body_move(world, body, &pose));
      return;
    case 2:
      s.check(jostle_body_set_velocity(world, body, s.vector(), s.vector()));
      return;
    case 3:
      s.check(jostle_body_set_awake(world, body, s.boolean()));
      return;
    case 4:
      s.check(jostle_body_set_enabled(world, body, s.boolean()));
      return;
    case 5:
      s.check(jostle_body_set_gravity_scale(world, body, s.number()));
      return;
    case 6:
      s.check(jostle_body_set_charge(world, body, s.number()));
      return;
    case 7:
      s.check(jostle_body_apply_impulse(world, body, s.vector(), s.position()));
      return;
    case 8:
      s.check(jostle_body_apply_central_impulse(world, body, s.vector()));
      return;
    case 9:
      s.check(jostle_body_apply_angular_impulse(world, body, s.vector()));
      return;
    case 10:
      s.check(jostle_body_apply_force(world, body, s.vector(), s.position()));
      return;
    case 11:
      s.check(jostle_body_apply_central_force(world, body, s.vector()));
      return;
    case 12:
      s.check(jostle_body_flip_lowest_bit(world, body, "linear_velocity.y"));
      return;
    default:
      s.check(jostle_body_apply_torque(world, body, s.vector()));
  }
}

void read_body(Session& s, jostle_world world, jostle_body body) {
  jostle_pose pose;
  jostle_vec3 linear, angular;
  jostle_body_info info;
  info.size = sizeof info;
  std::array<jostle_shape, 4> shapes{};
  std::array<jostle_body, 4> bodies{};
  std::size_t count = 0;
  std::uint64_t hash = 0;
  s.check(jostle_body_get_pose(world, body, &pose));
  s.check(jostle_body_get_velocity(world, body, &linear, &angular));
  s.check(jostle_body_get_velocity_at(world, body, s.position(), &linear));
  s.check(jostle_body_get_info(world, body, &info));
  s.check(jostle_body_get_hash(world, body, &hash));
  s.check(jostle_body_get_shapes(world, body, shapes.data(), s.input().choice(5), &count));
  s.check(jostle_body_get_island(world, body, bodies.data(), s.input().choice(5), &count));
  s.check(jostle_world_get_bodies(world, bodies.data(), s.input().choice(5), &count));
}

/// Reads or writes a batch of bodies, with strides that may be too small.
void call_batch(Session& s, jostle_world world) {
  constexpr std::size_t max_count = 6, row = 80;
  std::array<jostle_body, max_count> bodies{};
  for (jostle_body& body : bodies)
    body = s.any(s.bodies);
  std::array<double, row * max_count / sizeof(double)> memory{};
  for (double& value : memory)
    value = 0;
  jostle_body_arrays arrays;
  jostle_body_arrays_default(&arrays);
  arrays.positions = memory.data();
  arrays.rotations = reinterpret_cast<float*>(memory.data() + 3);
  arrays.linear_velocities = reinterpret_cast<float*>(memory.data() + 5);
  arrays.angular_velocities = arrays.linear_velocities + 3;
  arrays.positions_stride = arrays.rotations_stride = row;
  arrays.linear_velocities_stride = row - s.input().choice(2) * 70;
  arrays.angular_velocities_stride = row;
  const std::size_t count = s.input().choice(max_count + 1);
  const jostle_body* const list = s.input().boolean() ? bodies.data() : nullptr;
  if (s.check(jostle_bodies_read(world, list, count, &arrays)) && s.input().boolean())
    s.check(jostle_bodies_write(world, list, count, &arrays));
  s.check(jostle_bodies_apply_forces(world, list, count, arrays.linear_velocities,
                                     arrays.linear_velocities_stride, nullptr, 0));
}

}  // namespace

void call_body(Session& s) {
  const std::size_t choice = s.input().choice(8);
  if (choice < 2) return create_body(s);
  const jostle_world world = s.any(s.worlds);
  const jostle_body body = s.any(s.bodies);
  if (choice == 2) return read_body(s, world, body);
  if (choice == 3) return call_batch(s, world);
  if (choice == 4) {
    if (s.input().u8() > 180) s.check(jostle_body_destroy(world, body));
    return;
  }
  change_body(s, world, body);
}

}  // namespace jostle::fuzz_api
