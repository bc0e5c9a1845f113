/// Worlds and scenes in C++.
#ifndef JOSTLE_PHYSICS_WORLD_HPP
#define JOSTLE_PHYSICS_WORLD_HPP

#include <jostle/physics/body.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle {

/// Returns the default settings of a world.
inline jostle_world_def world_def() {
  jostle_world_def def;
  check(jostle_world_def_default(&def));
  return def;
}

/// A scene that was read from a JSON text (docs/SCENES.md).
class Scene {
 public:
  /// Reads a text. `name` is the name of its file in errors.
  explicit Scene(std::string_view text, const std::string& name = "scene") {
    check(jostle_scene_create(text.data(), text.size(), name.c_str(), &scene_));
  }
  /// Takes over another scene.
  Scene(Scene&& other) noexcept : scene_(std::exchange(other.scene_, {})) {}
  /// Takes over another scene.
  Scene& operator=(Scene&& other) noexcept {
    std::swap(scene_, other.scene_);
    return *this;
  }
  ~Scene() { jostle_scene_destroy(scene_); }

  /// Returns the handle for functions of the C API.
  jostle_scene handle() const { return scene_; }
  /// Returns the settings of a world of this scene with `steps_per_second` steps per second.
  jostle_world_def world_def(std::uint32_t steps_per_second = 60) const {
    auto def = sized<jostle_world_def>();
    check(jostle_scene_get_world_def(scene_, steps_per_second, &def));
    return def;
  }

 private:
  jostle_scene scene_{};
};

/// A world that something else owns, such as the world of a server. A copy denotes the same world.
class WorldView {
 public:
  /// Denotes a world.
  explicit WorldView(jostle_world world) : world_(world) {}

  /// Returns the handle for functions of the C API.
  jostle_world handle() const { return world_; }
  /// Returns the settings.
  jostle_world_def def() const {
    auto def = sized<jostle_world_def>();
    check(jostle_world_get_def(world_, &def));
    return def;
  }
  /// Sets the gravity, in m/s².
  void set_gravity(const jostle_vec3& gravity) const {
    check(jostle_world_set_gravity(world_, gravity));
  }
  /// Advances the world by `count` steps. Only the events of the last one can be read.
  void step(std::uint32_t count = 1) const { check(jostle_world_steps(world_, count)); }
  /// Sets the number of threads, 1 to 64. It changes no result.
  void set_threads(int threads) const {
    jostle_execution execution;
    check(jostle_execution_default(&execution));
    execution.threads = threads;
    check(jostle_world_set_execution(world_, &execution));
  }

  /// Creates a body with shapes.
  Body create_body(const jostle_body_def& def,
                   std::initializer_list<jostle_shape_def> shapes = {}) const {
    jostle_body handle;
    check(jostle_body_create(world_, &def, &handle));
    const Body body(world_, handle);
    for (const jostle_shape_def& shape : shapes)
      body.add_shape(shape);
    return body;
  }
  /// Returns all bodies, in the order of their handles' indices.
  std::vector<Body> bodies() const {
    std::vector<Body> bodies;
    for (const jostle_body body : body_handles())
      bodies.emplace_back(world_, body);
    return bodies;
  }
  /// Returns the handles of all bodies, in the order of their indices.
  std::vector<jostle_body> body_handles() const {
    return list_of<jostle_body>([&](jostle_body* list, std::size_t capacity, std::size_t* count) {
      return jostle_world_get_bodies(world_, list, capacity, count);
    });
  }
  /// Writes the poses of all bodies, in the order of bodies(). Use the same vector again in each
  /// step, so that no memory is allocated.
  void read_poses(std::vector<jostle_pose>& poses) const {
    auto counts = sized<jostle_counts>();
    check(jostle_world_get_counts(world_, &counts));
    poses.resize(counts.bodies);
    jostle_body_arrays arrays;
    check(jostle_body_arrays_default(&arrays));
    if (poses.empty()) return;
    arrays.positions = &poses[0].position.x;
    arrays.rotations = &poses[0].rotation.x;
    arrays.positions_stride = arrays.rotations_stride = sizeof(jostle_pose);
    check(jostle_bodies_read(world_, nullptr, poses.size(), &arrays));
  }

  /// Creates a joint.
  Joint create_joint(const jostle_joint_def& def) const {
    jostle_joint joint;
    check(jostle_joint_create(world_, &def, &joint));
    return {world_, joint};
  }
  /// Returns the definition of a joint of two bodies at their present poses. `anchor` is a position
  /// in the world (m); the unit vector `axis` is the axis of the joint.
  jostle_joint_def joint_at(jostle_joint_kind kind, const Body& a, const Body& b,
                            const jostle_position& anchor,
                            const jostle_vec3& axis = {0, 1, 0}) const {
    auto def = sized<jostle_joint_def>();
    check(jostle_joint_def_at(world_, kind, a.handle(), b.handle(), anchor, axis, &def));
    return def;
  }
  /// Creates a force field.
  jostle_field create_field(const jostle_field_def& def) const {
    jostle_field field;
    check(jostle_field_create(world_, &def, &field));
    return field;
  }

  /// Returns the first hit of a ray, or nothing. The ray goes from `origin` (m) to `origin` plus
  /// `translation` (m).
  std::optional<jostle_cast_hit> cast_ray(const jostle_position& origin,
                                          const jostle_vec3& translation,
                                          const jostle_query_filter* filter = nullptr) const {
    const jostle_ray ray{origin, translation};
    jostle_cast_hit hit;
    check(jostle_world_cast_ray(world_, &ray, filter, &hit));
    return hit.is_hit == 1 ? std::optional(hit) : std::nullopt;
  }
  /// Returns the shapes whose bounds overlap a box.
  std::vector<jostle_shape> overlap(const jostle_aabb& box,
                                    const jostle_query_filter* filter = nullptr) const {
    return list_of<jostle_shape>([&](jostle_shape* list, std::size_t capacity, std::size_t* count) {
      return jostle_world_overlap_aabb(world_, &box, filter, list, capacity, count);
    });
  }
  /// Returns the pairs of shapes that began to touch in the last step.
  std::vector<jostle_shape_pair> contact_begins() const {
    return events<jostle_shape_pair>(jostle_world_get_contact_begins);
  }
  /// Returns the pairs of shapes that stopped touching in the last step.
  std::vector<jostle_shape_pair> contact_ends() const {
    return events<jostle_shape_pair>(jostle_world_get_contact_ends);
  }
  /// Returns the sensors (a) and shapes (b) that began to overlap in the last step.
  std::vector<jostle_shape_pair> sensor_begins() const {
    return events<jostle_shape_pair>(jostle_world_get_sensor_begins);
  }
  /// Returns the sensors (a) and shapes (b) that stopped overlapping in the last step.
  std::vector<jostle_shape_pair> sensor_ends() const {
    return events<jostle_shape_pair>(jostle_world_get_sensor_ends);
  }
  /// Returns the collisions of the last step.
  std::vector<jostle_contact_hit> contact_hits() const {
    return events<jostle_contact_hit>(jostle_world_get_contact_hits);
  }
  /// Returns all contacts that touch.
  std::vector<jostle_contact> contacts() const {
    return events<jostle_contact>(jostle_world_get_contacts);
  }
  /// Returns the body of a shape.
  Body body_of(jostle_shape shape) const {
    jostle_body body;
    check(jostle_shape_get_body(world_, shape, &body));
    return {world_, body};
  }

  /// Returns the hash of the whole state. Equal hashes mean equal bits.
  std::uint64_t hash() const {
    auto hash = sized<jostle_state_hash>();
    check(jostle_world_get_hash(world_, &hash));
    return hash.total;
  }
  /// Returns the saved world, the same bytes on every machine.
  std::vector<std::byte> save() const {
    return list_of<std::byte>([&](std::byte* bytes, std::size_t capacity, std::size_t* count) {
      return jostle_world_save(world_, bytes, capacity, count);
    });
  }
  /// Returns statistics of the last step.
  jostle_statistics statistics() const {
    auto statistics = sized<jostle_statistics>();
    check(jostle_world_get_statistics(world_, &statistics));
    return statistics;
  }

 protected:
  /// Returns the list of a function for events.
  template <typename Event, typename Function>
  std::vector<Event> events(Function function) const {
    return list_of<Event>([&](Event* list, std::size_t capacity, std::size_t* count) {
      return function(world_, list, sizeof(Event), capacity, count);
    });
  }

  jostle_world world_{};  ///< the handle
};

/// A world. It is destroyed with this object.
class World : public WorldView {
 public:
  /// Creates an empty world.
  explicit World(const jostle_world_def& def = jostle::world_def()) : WorldView(create(def)) {}
  /// Creates a world with the bodies of a scene.
  explicit World(const Scene& scene, std::uint32_t steps_per_second = 60)
      : World(scene.world_def(steps_per_second)) {
    check(jostle_scene_instantiate(scene.handle(), world_));
  }
  /// Takes over another world.
  World(World&& other) noexcept : WorldView(std::exchange(other.world_, {})) {}
  /// Takes over another world.
  World& operator=(World&& other) noexcept {
    std::swap(world_, other.world_);
    return *this;
  }
  ~World() { jostle_world_destroy(world_); }

  /// Replaces the world by a saved one. On an error, the world does not change.
  void restore(std::span<const std::byte> bytes) const {
    check(jostle_world_restore(world_, bytes.data(), bytes.size()));
  }
  /// Copies the state of another world, much faster than a save and a restore. Bodies have the same
  /// handles in the copy.
  void copy_from(const WorldView& other) const { check(jostle_world_copy(other.handle(), world_)); }

 private:
  static jostle_world create(const jostle_world_def& def) {
    jostle_world world;
    check(jostle_world_create(&def, &world));
    return world;
  }
};

}  // namespace jostle

#endif
