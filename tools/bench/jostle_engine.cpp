#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "shared/physics/world.h"
#include "tools/bench/engine.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace jostle::bench {
namespace {

using workload::Motion;
using workload::ShapeKind;

/// The engine's form of a shape; nothing, and why in words, where it cannot be made.
std::optional<state::Shape> convert(const workload::Shape& shape, std::string& refusal) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return state::sphere(shape.radius);
    case ShapeKind::Box:
      return state::box(shape.half_extents);
    case ShapeKind::Capsule:
      return state::capsule(shape.radius, shape.half_segment);
    case ShapeKind::Cylinder:
      return state::cylinder(shape.radius, shape.half_segment);
    case ShapeKind::Cone:
      return state::cone(shape.radius, shape.half_segment);
    case ShapeKind::Plane:
      return state::plane();
    case ShapeKind::Hull: {
      auto hull = geometry::build_hull(shape.points);
      if (hull) return state::solid(geometry::share(*std::move(hull)));
      refusal = "a hull of the scene " + std::string(geometry::describe(hull.error()));
      return std::nullopt;
    }
    case ShapeKind::Mesh:
      break;
  }
  state::TriangleMesh mesh{shape.points, shape.triangles};
  if (const auto error = geometry::check_surface(mesh)) {
    refusal = "a mesh of the scene " + std::string(geometry::describe(*error));
    return std::nullopt;
  }
  return state::solid(geometry::share(std::move(mesh)));
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::array<StageTime, physics::stage_count> name_stages() {
  std::array<StageTime, physics::stage_count> stages;
  for (std::size_t i = 0; i < stages.size(); ++i)
    stages[i].name = physics::name_of(static_cast<physics::Stage>(i));
  return stages;
}

/// The level of that name, "auto" for the fastest; nothing, and why in words, where there is none
/// that this machine can run.
std::optional<simd::Level> find_level(const std::string& name, std::string& refusal) {
  if (name == "auto") return simd::best_level();
  std::string known;
  for (const simd::Level level : simd::all_levels) {
    if (!simd::is_supported(level)) continue;
    if (simd::name_of(level) == name) return level;
    known += ", " + std::string(simd::name_of(level));
  }
  refusal = "this machine has no instructions '" + name + "': use auto" + known;
  return std::nullopt;
}

class JostleEngine final : public Engine {
 public:
  JostleEngine(const physics::WorldOptions& options, const physics::Execution& execution)
      : world_(options) {
    world_.set_execution(execution);
    world_.set_stage_clock(seconds_now);
  }

  /// Whether the engine has the shapes and joints of the scene.
  bool fill(const workload::Scene& scene, std::string& refusal) {
    std::vector<state::Shape> shapes;
    for (const workload::Shape& shape : scene.shapes) {
      auto converted = convert(shape, refusal);
      if (!converted) return false;
      shapes.push_back(*std::move(converted));
    }
    for (const workload::Body& body : scene.bodies)
      add(scene, body, shapes);
    for (const workload::Joint& joint : scene.joints)
      join(scene, joint);
    return true;
  }

  void step() override {
    world_.step();
    for (std::size_t i = 0; i < physics::stage_count; ++i)
      stages_[i].ms = 1e3 * world_.stats().stage_seconds[i];
  }
  std::span<const StageTime> stage_times() const override { return stages_; }

  workload::BodyState state(std::uint32_t body) const override {
    const physics::BodyHandle handle = bodies_[body];
    const math::Pose pose = world_.pose(handle);
    return {math::to_vec3(pose.position), pose.rotation, world_.linear_velocity(handle),
            world_.angular_velocity(handle)};
  }

  void push(std::uint32_t body, math::Vec3 impulse) override {
    world_.apply_central_impulse(bodies_[body], impulse);
  }

  void drive(std::uint32_t body, math::Vec3 velocity) override {
    const physics::BodyHandle handle = bodies_[body];
    world_.set_velocity(handle, velocity, world_.angular_velocity(handle));
  }

  StepCounts counts() const override {
    const physics::StepStats& stats = world_.stats();
    return {stats.awake_bodies, stats.touching_pairs, stats.contact_points};
  }

  std::uint64_t state_hash() const override { return world_.hash().total; }

 private:
  void add(const workload::Scene& scene, const workload::Body& body,
           const std::vector<state::Shape>& shapes) {
    physics::BodyDef def;
    def.motion =
        body.motion == Motion::Static ? physics::MotionType::Static : physics::MotionType::Dynamic;
    def.pose = {math::to_position(body.position), body.rotation};
    def.linear_velocity = body.linear_velocity;
    def.angular_velocity = body.angular_velocity;
    def.mass = body.mass;
    const physics::BodyHandle handle = world_.create_body(def);
    for (const workload::Part& part : body.parts) {
      physics::ShapeDef shape;
      shape.shape = shapes[part.shape];
      shape.local = {part.local.offset, part.local.rotation};
      shape.material = {scene.friction, scene.restitution};
      shape.density = scene.density;
      shape.filter.group = body.group;
      world_.add_shape(handle, shape);
    }
    bodies_.push_back(handle);
  }

  void join(const workload::Scene& scene, const workload::Joint& joint) {
    const bool is_hinge = joint.kind == workload::JointKind::Hinge;
    physics::JointDef def = physics::joint_at(
        world_, is_hinge ? physics::JointKind::Hinge : physics::JointKind::Ball,
        bodies_[joint.body_a], bodies_[joint.body_b], math::to_position(joint.anchor), joint.axis);
    if (joint.kind != workload::JointKind::Ball)
      def.limits = {.is_enabled = true, .lower = -joint.limit, .upper = joint.limit};
    if (joint.kind == workload::JointKind::ConeTwist)
      def.cone = {.is_enabled = true, .angle = joint.cone};
    def.collides_connected = scene.jointed_bodies_collide;
    world_.create_joint(def);
  }

  physics::World world_;
  std::array<StageTime, physics::stage_count> stages_ = name_stages();
  std::vector<physics::BodyHandle> bodies_;
};

std::unique_ptr<Engine> make(const workload::Scene& scene, const EngineSettings& settings,
                             std::string& refusal) {
  const auto level = find_level(settings.simd, refusal);
  if (!level) return nullptr;
  physics::WorldOptions options;
  options.gravity = scene.gravity;
  options.step_seconds = scene.step_seconds;
  options.is_sleeping_enabled = scene.may_sleep;
  auto engine = std::make_unique<JostleEngine>(
      options, physics::Execution{.threads = settings.threads, .simd = *level});
  if (!engine->fill(scene, refusal)) return nullptr;
  return engine;
}

}  // namespace

EngineKind jostle_engine() {
  return {"jostle", make};
}

}  // namespace jostle::bench
