#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "shared/physics/world.h"
#include "tools/bench/engine.h"

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

class JostleEngine final : public Engine {
 public:
  explicit JostleEngine(const physics::WorldOptions& options) : world_(options) {}

  /// Whether the engine has the shapes and joints of the scene.
  bool fill(const workload::Scene& scene, std::string& refusal) {
    if (!scene.joints.empty()) {
      refusal = "the engine has no joints yet";
      return false;
    }
    std::vector<state::Shape> shapes;
    for (const workload::Shape& shape : scene.shapes) {
      auto converted = convert(shape, refusal);
      if (!converted) return false;
      shapes.push_back(*std::move(converted));
    }
    for (const workload::Body& body : scene.bodies)
      add(scene, body, shapes);
    return true;
  }

  void step() override { world_.step(); }

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

  physics::World world_;
  std::vector<physics::BodyHandle> bodies_;
};

std::unique_ptr<Engine> make(const workload::Scene& scene, const EngineSettings& settings,
                             std::string& refusal) {
  if (settings.threads != 1) {
    refusal = "the engine runs on one thread only";
    return nullptr;
  }
  if (settings.simd != "auto") {
    refusal = "the engine chooses its instructions itself: --simd auto";
    return nullptr;
  }
  physics::WorldOptions options;
  options.gravity = scene.gravity;
  options.step_seconds = scene.step_seconds;
  options.is_sleeping_enabled = scene.may_sleep;
  auto engine = std::make_unique<JostleEngine>(options);
  if (!engine->fill(scene, refusal)) return nullptr;
  return engine;
}

}  // namespace

EngineKind jostle_engine() {
  return {"jostle", make};
}

}  // namespace jostle::bench
