#include "shared/physics/stabilizers/impact_propagation/chain_equations.h"

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_rows.h"
#include "shared/physics/stabilizers/adaptive_substeps/refine_islands.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace jostle::physics {

using math::Vec3d;
using tree::Velocity;

namespace {

/// Response, 1/kg, below which bodies count as locked along a contact's normal.
constexpr double least_alone = 1e-5;
/// Relative margin for rounding errors in comparisons of speeds.
constexpr double speed_margin = 1e-5;

Velocity velocity_of(math::Vec3 linear, math::Vec3 angular) {
  const Vec3d v = math::widened(linear), w = math::widened(angular);
  return {v.x, v.y, v.z, w.x, w.y, w.z};
}

/// Adds `factor` times a velocity change to a lane of two vectors.
void add_change(Lanes (&linear)[3], Lanes (&angular)[3], std::size_t lane, const Velocity& change,
                double factor) {
  add(linear, lane, Vec3d{change[0], change[1], change[2]} * factor);
  add(angular, lane, Vec3d{change[3], change[4], change[5]} * factor);
}

void set_inertia(const SolverInertia& i, OwnMass& mass) {
  const double inertia[6] = {i.xx, i.xy, i.xz, i.yy, i.yz, i.zz};
  std::copy(std::begin(inertia), std::end(inertia), mass.inverse_inertia);
}

/// Adds a change of the angular velocity, which the chain computed with the current inertia, to the
/// angular momentum. Integration would use the inertia as last recomputed (BodyBlock::inertia),
/// which is outdated for bodies that have turned.
void add_angular_momentum(Cluster& cluster, std::uint32_t body, math::Vec3 change) {
  BodyBlock& block = cluster.solver.body_blocks[body / lane_count];
  const std::size_t lane = body % lane_count;
  if (block.is_isotropic[lane] > 0.0f || cluster.solver.bodies[body].locks != 0) return;
  const math::Quat rotation = rotation_of(block.rotation, lane);
  const math::Vec3 gained =
      rotate(rotation, matrix_of(block.inertia_local, lane) * inverse_rotate(rotation, change));
  set(block.angular_momentum, lane, vector_of(block.angular_momentum, lane) + gained);
  set(block.reference_angular, lane, vector_of(block.reference_angular, lane) + change);
}

/// Returns the velocity of a body without the impulses of contacts in the substep.
Velocity base_velocity(const Cluster& cluster, std::uint32_t body) {
  const BodyBlock& block = cluster.solver.body_blocks[body / lane_count];
  return velocity_of(vector_of(block.base_linear, body % lane_count),
                     vector_of(block.base_angular, body % lane_count));
}

/// Returns the part of a contact's approach speed after the phase that the bodies gained after
/// their surfaces had met. `acceleration` acts for `seconds`, the duration of the phase.
double speed_gained_after_meeting(ImpactPhase phase, const ChainContact& contact,
                                  double acceleration, double seconds) {
  const double gain = acceleration * seconds, gap = std::max(contact.separation, 0.0);
  if (phase == ImpactPhase::Step) {  // the approach speed is that of the impact
    const double way = contact.approach * seconds;
    return gap < way ? gain * (1 - gap / way) : 0;
  }
  const double first = std::max(contact.approach - gain, 0.0);
  return contact.approach - std::sqrt(std::max(first * first + 2 * acceleration * gap, 0.0));
}

/// Returns the number of rows of each contact: the tangents have rows if friction acts on any of
/// them.
std::size_t rows_per_contact(const Chain& chain) {
  const auto has_friction = [](const ChainContact& contact) {
    return contact.impact.static_friction > 0;
  };
  return std::ranges::any_of(chain.contacts, has_friction) ? 3 : 1;
}

}  // namespace

ChainEquations::ChainEquations(Cluster& cluster, Chain& chain, ImpactPhase phase)
    : cluster_(cluster),
      chain_(chain),
      phase_(phase),
      places_(cluster.solver.bodies.size()),
      bodies_(list_bodies()),
      masses_(list_masses()),
      joints_(cluster, chain.joints, places_, masses_),
      stride_(rows_per_contact(chain)),
      changes_(masses_.size()) {
  for (const ChainContact& contact : chain.contacts)
    for (std::size_t k = 0; k < stride_; ++k)
      rows_.push_back(row_of(contact, contact.axes[k]));
  if (phase == ImpactPhase::Substep) find_approaches();
  find_responses();
  find_gravity_effects();
  find_corrections();
}

void ChainEquations::solve() {
  const auto bounces = [](const ChainContact& contact) {
    return contact.approach > contact.impact.threshold || contact.is_pushed_apart;
  };
  if (std::ranges::none_of(chain_.contacts, bounces)) return;
  std::vector<ChainImpact> impacts = list_impacts();
  std::vector<double> speeds = find_speeds();
  ImpactSequence sequence(impacts, responses_, speeds);
  sequence.undo();
  if (!is_as_predicted(speeds)) return;
  const double undone = sequence.work();
  const double share = phase_ == ImpactPhase::Step ? absorbed_share(undone) : 1;
  if (!is_explained(share)) return;
  sequence.run();
  if (phase_ == ImpactPhase::Step) sequence.scale_work(share);
  sequence.apply_friction();
  if (phase_ == ImpactPhase::Substep) end_warm_start();
  add_changes(sequence);
  store_impulses(sequence);
}

std::vector<ChainImpact> ChainEquations::list_impacts() const {
  std::vector<ChainImpact> impacts;
  const ChainContact* before = nullptr;
  for (const ChainContact& contact : chain_.contacts) {
    const std::size_t manifold = impacts.empty() ? 0 : impacts.back().manifold;
    const bool is_same = before != nullptr && before->point_count == contact.point_count &&
                         before->bundle == contact.bundle && before->lane == contact.lane;
    impacts.push_back(contact.impact);
    impacts.back().manifold = is_same ? manifold : manifold + 1;
    before = &contact;
  }
  return impacts;
}

std::vector<std::uint32_t> ChainEquations::list_bodies() {
  std::vector<std::uint32_t> bodies{0};
  const auto add = [&](std::uint32_t body) {
    if (body == 0 || places_[body] != 0) return;
    places_[body] = static_cast<std::uint32_t>(bodies.size());
    bodies.push_back(body);
  };
  for (const ChainContact& contact : chain_.contacts) {
    add(contact.a);
    add(contact.b);
  }
  for (const ImpactJoint& joint : chain_.joints) {
    add(joint.a);
    add(joint.b);
  }
  return bodies;
}

std::vector<OwnMass> ChainEquations::list_masses() const {
  std::vector<OwnMass> masses{{}};
  for (std::size_t i = 1; i < bodies_.size(); ++i)
    masses.push_back(own_mass(cluster_, bodies_[i]));
  return masses;
}

ImpactRow ChainEquations::row_of(const ChainContact& contact, Vec3d axis) const {
  const auto impulse = [&](Vec3d arm, double sign) {
    const Vec3d n = axis * sign, turn = cross(arm, n);
    return Velocity{n.x, n.y, n.z, turn.x, turn.y, turn.z};
  };
  return {places_[contact.a], places_[contact.b], impulse(contact.arm_a, -1),
          impulse(contact.arm_b, 1)};
}

void ChainEquations::find_responses() {
  responses_.resize(rows_.size() * rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    clear_changes();
    apply_impulse(masses_, rows_[k], 1, changes_);
    if (k % stride_ == 0)
      chain_.contacts[k / stride_].impact.response_alone =
          std::max(rows_[k].speed(changes_), least_alone);
    joints_.project(changes_);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      responses_[i * rows_.size() + k] = rows_[i].speed(changes_);
  }
}

void ChainEquations::find_approaches() {
  std::vector<Velocity> velocities;
  for (const std::uint32_t body : bodies_)
    velocities.push_back(base_velocity(cluster_, body));
  joints_.project(velocities);
  for (std::size_t i = 0; i < chain_.contacts.size(); ++i)
    chain_.contacts[i].approach = -rows_[normal_of(i)].speed(velocities);
  double energy = 0;
  for (std::size_t i = 1; i < bodies_.size(); ++i)
    energy += doubled_energy(masses_[i], velocities[i]);
  compare_energies(cluster_, std::span(bodies_).subspan(1), energy);
}

void ChainEquations::find_gravity_effects() {
  const auto substeps = static_cast<double>(cluster_.world.options.substeps);
  const auto substep = static_cast<double>(cluster_.solver.substep_seconds);
  const double seconds = phase_ == ImpactPhase::Substep ? substep : substeps * substep;
  clear_changes();
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const SolverGain& gain = cluster_.solver.gains[bodies_[i]];
    changes_[i] = velocity_of(gain.linear, gain.angular);
  }
  joints_.project(changes_);
  const auto threshold = static_cast<double>(cluster_.world.options.restitution_threshold);
  for (std::size_t i = 0; i < chain_.contacts.size(); ++i) {
    ChainContact& contact = chain_.contacts[i];
    const double acceleration = -rows_[normal_of(i)].speed(changes_) / substep;
    contact.impact.threshold =
        std::max(threshold, acceleration * substeps * substep * (1 + speed_margin));
    contact.impact.approach = contact.approach;
    contact.impact.speed_after_meeting =
        speed_gained_after_meeting(phase_, contact, acceleration, seconds);
    contact.impact.gap_correction = -2 * acceleration * contact.gap;
  }
}

void ChainEquations::find_corrections() {
  std::vector<Velocity> before;
  for (const std::uint32_t body : bodies_) {
    const SolverVelocity& velocity = cluster_.solver.velocities[body];
    before.push_back(velocity_of(velocity.linear, velocity.angular));
  }
  corrections_ = before;
  joints_.project(corrections_);
  for (std::size_t i = 0; i < before.size(); ++i)
    tree::add_times(corrections_[i], before[i], -1);
}

std::vector<double> ChainEquations::find_speeds() const {
  std::vector<double> speeds;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const ChainContact& contact = chain_.contacts[i / stride_];
    const SolverVelocity& a = cluster_.solver.velocities[contact.a];
    const SolverVelocity& b = cluster_.solver.velocities[contact.b];
    const double speed = rows_[i].speed(corrections_) +
                         tree::dot(rows_[i].of_a, velocity_of(a.linear, a.angular)) +
                         tree::dot(rows_[i].of_b, velocity_of(b.linear, b.angular));
    speeds.push_back(i % stride_ == 0 ? speed
                                      : speed + dot(contact.axes[i % stride_], contact.belt));
  }
  return speeds;
}

bool ChainEquations::is_as_predicted(std::span<const double> speeds) const {
  constexpr double margin = 0.05;
  double fastest = 0;
  for (const ChainContact& contact : chain_.contacts)
    fastest = std::max(fastest, contact.approach);
  for (std::size_t i = 0; i < chain_.contacts.size(); ++i) {
    const ChainContact& contact = chain_.contacts[i];
    const double most = std::max(contact.approach, 0.0) + margin * fastest +
                        contact.impact.threshold + pushed_apart;
    if (-speeds[normal_of(i)] > most) return false;
  }
  return true;
}

bool ChainEquations::is_explained(double absorbed_share) {
  constexpr double factor = 2;
  return absorbed_share > 1 / factor && absorbed_share < factor;
}

double ChainEquations::absorbed_share(double undone) const {
  double absorbed = 0;
  for (const ChainContact& contact : chain_.contacts)
    absorbed += contact.absorbed;
  return undone > 0 ? absorbed / undone : 0;
}

void ChainEquations::end_warm_start() {
  std::vector<Velocity> now(bodies_.size()), before(bodies_.size());
  std::vector<OwnMass> masses = masses_;
  for (std::size_t i = 1; i < bodies_.size(); ++i)
    set_inertia(cluster_.solver.inertias[bodies_[i]], masses[i]);
  for (std::size_t i = 0; i < chain_.contacts.size(); ++i) {
    apply_impulse(masses, rows_[normal_of(i)], chain_.contacts[i].impact.impulse, now);
    apply_impulse(masses, rows_[normal_of(i)], chain_.contacts[i].impulse_before, before);
  }
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    BodyBlock& block = cluster_.solver.body_blocks[bodies_[i] / lane_count];
    const std::size_t lane = bodies_[i] % lane_count;
    add_change(block.base_linear, block.base_angular, lane, now[i], 1);
    add_change(block.carried_linear, block.carried_angular, lane, before[i], -1);
  }
}

void ChainEquations::add_changes(const ImpactSequence& sequence) {
  clear_changes();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    apply_impulse(masses_, rows_[i], sequence.change(i), changes_);
  joints_.project(changes_);
  joints_.add_impulses(cluster_);
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    Velocity& change = changes_[i];
    tree::add_times(change, corrections_[i], 1);
    SolverVelocity& velocity = cluster_.solver.velocities[bodies_[i]];
    const SolverVelocity before = velocity;
    velocity.linear =
        math::narrowed(math::widened(velocity.linear) + Vec3d{change[0], change[1], change[2]});
    velocity.angular =
        math::narrowed(math::widened(velocity.angular) + Vec3d{change[3], change[4], change[5]});
    if (phase_ == ImpactPhase::Step) continue;
    // The warm start of the next substep repeats the change since `base`, so `base` changes too.
    const math::Vec3 turned = velocity.angular - before.angular;
    BodyBlock& block = cluster_.solver.body_blocks[bodies_[i] / lane_count];
    add_change(block.base_linear, block.base_angular, bodies_[i] % lane_count,
               velocity_of(velocity.linear - before.linear, turned), 1);
    add_angular_momentum(cluster_, bodies_[i], turned);
  }
}

/// Stores the impulses. Marks the contacts, so that restitution is not applied again.
void ChainEquations::store_impulses(const ImpactSequence& sequence) {
  SolverArrays& solver = cluster_.solver;
  for (std::size_t i = 0; i < chain_.contacts.size(); ++i) {
    const ChainContact& contact = chain_.contacts[i];
    solver.bundles.visit(contact.point_count, [&](auto& bundles, auto&) {
      auto& point = bundles[contact.bundle].points[contact.point];
      point.step_impulse[contact.lane] += static_cast<float>(sequence.change(normal_of(i)));
      // Contacts that bounce do not warm start the next step or substep.
      point.impulse[contact.lane] = point.impulse_before[contact.lane] = 0;
    });
    solver.bounces[contact.point_count - 1][contact.bundle].has_bounced |= 1U << contact.lane;
  }
}

void ChainEquations::clear_changes() {
  std::ranges::fill(changes_, Velocity{});
}

}  // namespace jostle::physics
