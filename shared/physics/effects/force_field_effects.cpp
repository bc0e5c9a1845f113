#include "shared/physics/effects/force_field_effects.h"

#include "shared/forces/drag.h"
#include "shared/forces/facing_area.h"
#include "shared/forces/point_action.h"
#include "shared/forces/submersion.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world/body_state.h"

#include <cmath>
#include <limits>
#include <optional>

namespace jostle::physics {

using math::Position;
using math::Quat;
using math::Vec3;
using math::Vec3d;

namespace {

/// Relative size of the net force below which a body counts as balanced by its fields.
constexpr double balance = 1e-3;
constexpr std::size_t bodies_per_range = 64;

/// Position of a body's centre of mass and rotation of the body, extrapolated to a moment of the
/// step.
struct Place {
  Position position;
  Quat rotation;
};
Place place_after(const StepStart& start, float seconds) {
  const Vec3 u = start.angular_velocity * (0.5f * seconds);  // tan(angle/2) ≈ angle/2
  const Quat turned = Quat{u.x, u.y, u.z, 1.0f} * start.rotation;
  const Vec3 way =
      start.linear_velocity * seconds + start.acceleration * (0.5f * seconds * seconds);
  return {start.position + way, normalized(turned)};
}
StepStart start_of(const Body& body) {
  if (!is_active(body)) return {body.position, body.rotation, {}, {}, {}};
  return {body.position, body.rotation, body.linear_velocity, body.angular_velocity, {}};
}
/// Returns the pose in the middle of the step; the current pose if the body is not active.
Place middle_of(const WorldState& world, const Body& body) {
  if (!is_active(body)) return {body.position, body.rotation};
  return place_after(start_of(body), 0.5f * world.options.step_seconds);
}

/// Returns the vector as floats; all components are infinite if one is beyond their range.
Vec3 in_floats(Vec3d v) {
  constexpr double largest = std::numeric_limits<float>::max();
  const auto is_within = [](double x) { return std::abs(x) <= largest; };
  if (is_within(v.x) && is_within(v.y) && is_within(v.z)) return narrowed(v);
  constexpr float infinite = std::numeric_limits<float>::infinity();
  return {infinite, infinite, infinite};
}

/// The sum of the fields that act on one body.
class BodySum {
 public:
  BodySum(const WorldState& world, std::uint32_t index, std::vector<forces::DragTerm>& terms)
      : world_(world),
        index_(index),
        body_(world.bodies[index]),
        own_(middle_of(world, body_)),
        velocity_(body_.linear_velocity),
        terms_(terms) {
    terms_.clear();
  }
  /// Evaluates the fields at a given moment of the step instead of its middle.
  BodySum(const WorldState& world, std::uint32_t index, const BodyMoment& moment,
          std::vector<forces::DragTerm>& terms)
      : BodySum(world, index, terms) {
    own_ = {moment.position, moment.rotation};
    velocity_ = narrowed(moment.velocity);
    seconds_ = moment.seconds;
    is_straight_ = moment.is_straight;
  }

  void add(const ForceFieldDef& def) {
    if (const auto* thrust = std::get_if<forces::Thrust>(&def.field)) {
      if (def.body.index == index_) push(*thrust);
      return;
    }
    if (body_.ignores_force_fields) return;
    if (const auto* pole = std::get_if<forces::Pole>(&def.field)) {
      if (!def.body.is_null()) return by_pole_of_body(*pole, def.body.index);
    }
    if (const auto* charges = std::get_if<forces::Charges>(&def.field))
      return by_charges(charges->law);
    if (const auto* wind = std::get_if<forces::Wind>(&def.field)) return by_wind(*wind);
    if (const auto* fluid = std::get_if<forces::Fluid>(&def.field)) return by_fluid(*fluid);
    const forces::PointAction action = forces::action_on(
        def.field, {own_.position, body_.mass, body_.charge, 0}, world_.options.gravity);
    push(action.force);
    drag(action.drag);
  }

  void add_all() {
    for (std::uint32_t i = 0; i < world_.field_pool.slot_count(); ++i) {
      if (world_.field_pool.is_alive_index(i)) add(world_.fields[i]);
    }
  }

  /// Returns the acceleration without drag, in m/s².
  Vec3 acceleration() const {
    return world_.options.gravity * body_.gravity_scale + in_floats(force_) * body_.inverse_mass;
  }

  /// Returns the acceleration including drag and damping, in m/s².
  Vec3d acceleration(const BodyMoment& moment) const {
    const double per_mass = 1 / static_cast<double>(body_.mass);
    const Vec3d weight = math::widened(world_.options.gravity * body_.gravity_scale);
    auto rate = static_cast<double>(body_.linear_damping);
    Vec3d of_media;
    for (const forces::DragTerm& term : terms_) {
      const Vec3d flow = math::widened(term.medium_velocity);
      const double own = static_cast<double>(term.linear) +
                         static_cast<double>(term.quadratic) * length(moment.velocity - flow);
      rate += own;
      of_media = of_media + flow * own;
    }
    const double share = rate > moment.most_drag ? moment.most_drag / rate : 1;
    return weight + (force_ + math::widened(moment.force)) * per_mass +
           (of_media - moment.velocity * rate) * share;
  }

  /// Adds the sums to the body's force and torque. Returns the effects for the step; `is_broken` is
  /// true if a sum is not finite.
  FieldEffect finish(Body& body) const {
    FieldEffect effect;
    effect.pass = world_.field_pass;
    effect.is_any = is_any_;
    if (!is_any_) return effect;
    const Vec3 force = in_floats(force_), torque = in_floats(torque_);
    if (!is_finite(force * body.inverse_mass) || !is_finite(torque)) {
      effect.is_broken = true;
      return effect;
    }
    effect.is_balanced = is_balanced();
    effect.acceleration = length(force * body.inverse_mass);
    body.force += force;
    body.torque += torque;
    const float seconds = world_.options.step_seconds;
    const Vec3 acceleration =
        world_.options.gravity * body.gravity_scale + body.force * body.inverse_mass;
    const forces::DragSum sum = forces::sum_of_drag(
        terms_, {body.linear_velocity, acceleration, body.linear_damping, seconds});
    body.force += sum.acceleration * body.mass;
    effect.linear_rate = sum.linear;
    effect.angular_rate = sum.angular;
    effect.is_broken = !is_finite(body.force * body.inverse_mass);
    return effect;
  }

 private:
  void push(Vec3d force) {
    if (force == Vec3d{}) return;
    is_any_ = true;
    force_ = force_ + force;
    size_ += length(force);
  }
  void push(Vec3d force, Vec3d arm) {
    push(force);
    torque_ = torque_ + cross(arm, force);
  }
  void push(const forces::Thrust& thrust) {
    const auto in_world = [&](Vec3 v) {
      return math::widened(thrust.in_body_frame ? rotate(own_.rotation, v) : v);
    };
    const Vec3 arm = rotate(own_.rotation, thrust.point - body_.local_centre);
    push(in_world(thrust.force), math::widened(arm));
    const Vec3d torque = in_world(thrust.torque);
    if (torque == Vec3d{}) return;
    is_any_ = true;
    torque_ = torque_ + torque;
  }
  void drag(const forces::DragTerm& term) {
    if (!(term.linear > 0.0f || term.quadratic > 0.0f || term.angular > 0.0f)) return;
    is_any_ = true;
    terms_.push_back(term);
  }

  /// Returns the pose of another body at the same moment.
  Place place_of(std::uint32_t other) const {
    if (!seconds_) return middle_of(world_, world_.bodies[other]);
    StepStart start = world_.bearer_starts[other];
    if (is_straight_) start.acceleration = {};
    return place_after(start, static_cast<float>(*seconds_));
  }
  Position pole_place(const forces::Pole& pole, const Place& bearer, std::uint32_t body) const {
    const Vec3 point = to_vec3(pole.point) - world_.bodies[body].local_centre;
    return bearer.position + rotate(bearer.rotation, point);
  }
  void by_pole_of_body(const forces::Pole& pole, std::uint32_t bearer) {
    if (bearer == index_) return by_reactions(pole);
    const Body& other = world_.bodies[bearer];
    if (body_.charge == 0.0f || !is_present(other)) return;
    const Position at = pole_place(pole, place_of(bearer), bearer);
    push(forces::central(pole.law, forces::between(own_.position, at)) *
         static_cast<double>(body_.charge));
  }
  /// Adds the reaction of all charges on the body that the pole is attached to.
  void by_reactions(const forces::Pole& pole) {
    const Position at = pole_place(pole, own_, index_);
    const Vec3d arm = forces::between(at, own_.position);
    for (const std::uint32_t index : world_.bonded_bodies) {
      const Body& other = world_.bodies[index];
      if (index == index_ || other.charge == 0.0f || !feels_fields(other)) continue;
      const Vec3d from_pole = forces::between(place_of(index).position, at);
      push(forces::central(pole.law, from_pole) * -static_cast<double>(other.charge), arm);
    }
  }
  /// Returns true if fields act on the body. An absent body neither acts nor is acted on. A body
  /// that ignores fields still acts on other bodies like an immovable body. Because poles do not
  /// act on such a body, it exerts no reaction on the bodies that have these poles.
  static bool feels_fields(const Body& body) {
    return is_present(body) && !body.ignores_force_fields;
  }
  void by_charges(const forces::CentralLaw& law) {
    if (body_.charge == 0.0f) return;
    for (const std::uint32_t index : world_.bonded_bodies) {
      const Body& other = world_.bodies[index];
      if (index == index_ || other.charge == 0.0f || !is_present(other)) continue;
      const Vec3d apart = forces::between(own_.position, place_of(index).position);
      const double product = static_cast<double>(body_.charge) * static_cast<double>(other.charge);
      push(forces::central(law, apart) * product);
    }
  }

  void by_wind(const forces::Wind& wind) {
    if (!forces::contains(wind.region, own_.position)) return;
    const Vec3 past = normalized_or(velocity_ - wind.velocity, {});
    if (past == Vec3{}) return;
    float area = 0;
    for (const ShapeHandle handle : body_.shapes) {
      const ShapeDef& def = world_.shapes[handle.index].def;
      area +=
          forces::facing_area(def.shape, inverse_rotate(own_.rotation * def.local.rotation, past));
    }
    drag(forces::drag_of(wind, area, body_.mass));
  }

  void by_fluid(const forces::Fluid& fluid) {
    double displaced = 0;
    for (const ShapeHandle handle : body_.shapes) {
      const ShapeDef& def = world_.shapes[handle.index].def;
      const Vec3 arm = rotate(own_.rotation, def.local.offset - body_.local_centre);
      const forces::Submersion part = forces::submerged(
          def.shape, to_matrix(own_.rotation * def.local.rotation), fluid, own_.position + arm);
      const double mass = part.volume * static_cast<double>(fluid.density);
      push(math::widened(world_.options.gravity) * -mass, math::widened(arm) + part.centre);
      displaced += mass;
    }
    drag(forces::drag_of(fluid, static_cast<float>(displaced), body_.mass));
  }

  /// Returns true if the body would stay at rest. The drag of flowing media counts; drag from the
  /// body's own motion does not.
  bool is_balanced() const {
    const double mass = static_cast<double>(body_.mass);
    const Vec3d weight = math::widened(world_.options.gravity * body_.gravity_scale) * mass;
    Vec3d rest = force_ + weight;
    double size = size_ + length(weight);
    for (const forces::DragTerm& term : terms_) {
      const float rate = term.linear + term.quadratic * math::length(term.medium_velocity);
      const Vec3d flow = math::widened(term.medium_velocity * rate) * mass;
      rest = rest + flow;
      size += length(flow);
    }
    return length(rest) <= balance * size &&
           length(torque_) <= balance * size * static_cast<double>(body_.extent);
  }

  const WorldState& world_;
  std::uint32_t index_;
  const Body& body_;
  Place own_;                      // position and rotation of the body at the evaluated time
  bool is_straight_ = false;       // true if other bodies are extrapolated without acceleration
  std::optional<double> seconds_;  // s since the start of the step; nullopt: half of the step
  Vec3 velocity_;                  // m/s
  std::vector<forces::DragTerm>& terms_;
  Vec3d force_, torque_;  // N, N·m about the centre of mass
  double size_ = 0;       // N, sum of the magnitudes of all forces
  bool is_any_ = false;
};

void apply_to(WorldState& world, std::uint32_t index, std::vector<forces::DragTerm>& terms) {
  FieldEffect& effect = world.field_effects[index];
  effect = {};
  effect.pass = world.field_pass;
  if (!is_dynamic(world.bodies[index])) return;
  BodySum sum(world, index, terms);
  sum.add_all();
  effect = sum.finish(world.bodies[index]);
}

/// Applies the fields to all active bodies to which this step has not applied them yet.
void apply_to_rest(WorldState& world) {
  world.field_effects.resize(world.bodies.size());
  for_each_range(*world.runtime.workers, world.awake_bodies.size(), bodies_per_range,
                 [&](Range range) {
                   std::vector<forces::DragTerm> terms;
                   for (std::size_t i = range.first; i < range.last; ++i) {
                     const std::uint32_t index = world.awake_bodies[i];
                     if (world.field_effects[index].pass != world.field_pass)
                       apply_to(world, index, terms);
                   }
                 });
}

}  // namespace

void apply_fields(WorldState& world) {
  if (world.field_pool.live_count() == 0) return;
  ++world.field_pass;
  if (world.field_pass == 0) {  // wrap-around, after two years at 60 steps/s
    world.field_effects.clear();
    world.field_pass = 1;
  }
  apply_to_rest(world);
  // Quarantining a body wakes its neighbours, which are appended to the list and are not visited
  // here.
  const std::size_t count = world.awake_bodies.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t index = world.awake_bodies[i];
    if (world.field_effects[index].is_broken) quarantine(world, index);
  }
  sort_awake_bodies(world);
}

void apply_fields_to_woken(WorldState& world) {
  if (world.field_pool.live_count() == 0) return;
  apply_to_rest(world);
  // The lists of contacts already exist, so a body with a non-finite sum is not quarantined now but
  // in the next step.
  for (const std::uint32_t index : world.awake_bodies) {
    FieldEffect& effect = world.field_effects[index];
    if (!effect.is_broken) continue;
    world.bodies[index].force = world.bodies[index].torque = {};
    effect.linear_rate = effect.angular_rate = 0;
  }
}

std::vector<Vec3> field_accelerations(const WorldState& world) {
  std::vector<Vec3> accelerations(world.bodies.size());
  std::vector<forces::DragTerm> terms;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i) || !is_dynamic(world.bodies[i])) continue;
    BodySum sum(world, i, terms);
    sum.add_all();
    accelerations[i] = sum.acceleration();
  }
  return accelerations;
}

void note_bearers(WorldState& world) {
  world.bearer_starts.resize(world.bodies.size());
  for (const std::uint32_t index : world.bonded_bodies)
    world.bearer_starts[index] = start_of(world.bodies[index]);
  for (const std::uint32_t index : world.bonded_bodies) {
    const Body& body = world.bodies[index];
    if (!is_active(body) || !is_dynamic(body) || !is_present(body)) continue;
    const double most_drag = 1 / static_cast<double>(world.options.step_seconds);
    const BodyMoment start{
        0,          body.position, body.rotation, math::widened(body.linear_velocity),
        body.force, most_drag};
    const Vec3 acceleration = in_floats(acceleration_at(world, index, start));
    if (is_finite(acceleration))
      world.bearer_starts[index].acceleration = state::free_linear(body.locks, acceleration);
  }
}

Vec3d acceleration_at(const WorldState& world, std::uint32_t body, const BodyMoment& moment) {
  std::vector<forces::DragTerm> terms;
  BodySum sum(world, body, moment, terms);
  sum.add_all();
  return sum.acceleration(moment);
}

const FieldEffect& field_effect(const WorldState& world, std::uint32_t body) {
  static const FieldEffect none;
  if (world.field_pool.live_count() == 0) return none;
  JOSTLE_ASSERT_SLOW(world.field_effects[body].pass == world.field_pass);
  return world.field_effects[body];
}

}  // namespace jostle::physics
