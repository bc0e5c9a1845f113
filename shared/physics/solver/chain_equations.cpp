#include "shared/physics/solver/chain_equations.h"

#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_rows.h"

#include <algorithm>

namespace jostle::physics {

using math::Vec3d;
using tree::Velocity;

namespace {

/// Relative margin for rounding errors in comparisons of speeds.
constexpr double speed_margin = 1e-5;

Velocity velocity_of(math::Vec3 linear, math::Vec3 angular) {
  const Vec3d v = math::widened(linear), w = math::widened(angular);
  return {v.x, v.y, v.z, w.x, w.y, w.z};
}

/// Returns the number of rows of each blow: the tangents have rows if friction acts on any of them.
std::size_t rows_per_blow(const Chain& chain) {
  const auto rubs = [](const Blow& blow) { return blow.impact.static_friction > 0; };
  return std::ranges::any_of(chain.blows, rubs) ? 3 : 1;
}

}  // namespace

ChainEquations::ChainEquations(Cluster& cluster, Chain& chain)
    : cluster_(cluster),
      chain_(chain),
      places_(cluster.solver.bodies.size()),
      bodies_(list_bodies()),
      masses_(list_masses()),
      joints_(cluster, chain.joints, places_, masses_),
      stride_(rows_per_blow(chain)),
      changes_(masses_.size()) {
  for (const Blow& blow : chain.blows)
    for (std::size_t k = 0; k < stride_; ++k)
      rows_.push_back(row_of(blow, blow.axes[k]));
  find_responses();
  find_falls();
  find_corrections();
}

void ChainEquations::solve() {
  std::vector<ChainImpact> impacts;
  for (const Blow& blow : chain_.blows)
    impacts.push_back(blow.impact);
  std::vector<double> speeds = find_speeds();
  ImpactSequence sequence(impacts, responses_, speeds);
  sequence.undo();
  if (!is_as_predicted(speeds)) return;
  sequence.run();
  sequence.rub();
  add_changes(sequence);
  store_impulses(sequence);
}

std::vector<std::uint32_t> ChainEquations::list_bodies() {
  std::vector<std::uint32_t> bodies{0};
  const auto add = [&](std::uint32_t body) {
    if (body == 0 || places_[body] != 0) return;
    places_[body] = static_cast<std::uint32_t>(bodies.size());
    bodies.push_back(body);
  };
  for (const Blow& blow : chain_.blows) {
    add(blow.a);
    add(blow.b);
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

ImpactRow ChainEquations::row_of(const Blow& blow, Vec3d axis) const {
  const auto impulse = [&](Vec3d arm, double sign) {
    const Vec3d n = axis * sign, turn = cross(arm, n);
    return Velocity{n.x, n.y, n.z, turn.x, turn.y, turn.z};
  };
  return {places_[blow.a], places_[blow.b], impulse(blow.arm_a, -1), impulse(blow.arm_b, 1)};
}

void ChainEquations::find_responses() {
  responses_.resize(rows_.size() * rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    clear_changes();
    push(masses_, rows_[k], 1, changes_);
    joints_.project(changes_);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      responses_[i * rows_.size() + k] = rows_[i].speed(changes_);
  }
}

void ChainEquations::find_falls() {
  const auto substeps = static_cast<double>(cluster_.world.options.substeps);
  const double seconds = substeps * static_cast<double>(cluster_.solver.substep_seconds);
  clear_changes();
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const SolverGain& gain = cluster_.solver.gains[bodies_[i]];
    changes_[i] = velocity_of(gain.linear, gain.angular);
    for (double& component : changes_[i])
      component *= substeps;
  }
  joints_.project(changes_);
  const auto threshold = static_cast<double>(cluster_.world.options.restitution_threshold);
  for (std::size_t i = 0; i < chain_.blows.size(); ++i) {
    Blow& blow = chain_.blows[i];
    const double falling = std::max(-rows_[normal_of(i)].speed(changes_), 0.0);
    const double way = std::max(blow.separation, 0.0), reach = blow.approach * seconds;
    blow.impact.slow = std::max(threshold, falling * (1 + speed_margin));
    blow.impact.late = way < reach ? falling * (1 - way / reach) : 0;
    blow.impact.lost = -2 * falling / seconds * blow.gap;
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
    const Blow& blow = chain_.blows[i / stride_];
    const SolverVelocity& a = cluster_.solver.velocities[blow.a];
    const SolverVelocity& b = cluster_.solver.velocities[blow.b];
    const double speed = rows_[i].speed(corrections_) +
                         tree::dot(rows_[i].of_a, velocity_of(a.linear, a.angular)) +
                         tree::dot(rows_[i].of_b, velocity_of(b.linear, b.angular));
    speeds.push_back(i % stride_ == 0 ? speed : speed + dot(blow.axes[i % stride_], blow.belt));
  }
  return speeds;
}

bool ChainEquations::is_as_predicted(std::span<const double> speeds) const {
  constexpr double margin = 0.05;
  double fastest = 0;
  for (const Blow& blow : chain_.blows)
    fastest = std::max(fastest, blow.approach);
  for (std::size_t i = 0; i < chain_.blows.size(); ++i) {
    const Blow& blow = chain_.blows[i];
    const double most =
        std::max(blow.approach, 0.0) + margin * fastest + blow.impact.slow + pushed_apart;
    if (-speeds[normal_of(i)] > most) return false;
  }
  return true;
}

void ChainEquations::add_changes(const ImpactSequence& sequence) {
  clear_changes();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    push(masses_, rows_[i], sequence.change(i), changes_);
  joints_.project(changes_);
  joints_.add_impulses(cluster_);
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    Velocity& change = changes_[i];
    tree::add_times(change, corrections_[i], 1);
    SolverVelocity& velocity = cluster_.solver.velocities[bodies_[i]];
    velocity.linear =
        math::narrowed(math::widened(velocity.linear) + Vec3d{change[0], change[1], change[2]});
    velocity.angular =
        math::narrowed(math::widened(velocity.angular) + Vec3d{change[3], change[4], change[5]});
  }
}

/// Stores the impulses of the step. Clears the restitution of the contacts, so that it is not
/// applied again.
void ChainEquations::store_impulses(const ImpactSequence& sequence) {
  SolverArrays& solver = cluster_.solver;
  for (std::size_t i = 0; i < chain_.blows.size(); ++i) {
    const Blow& blow = chain_.blows[i];
    const auto impulse = static_cast<float>(blow.impact.impulse + sequence.change(normal_of(i)));
    solver.bundles.visit(blow.point_count, [&](auto& bundles, auto&) {
      bundles[blow.bundle].points[blow.point].step_impulse[blow.lane] = impulse;
    });
    solver.bounces[blow.point_count - 1][blow.bundle].restitution[blow.lane] = 0;
  }
}

void ChainEquations::clear_changes() {
  std::ranges::fill(changes_, Velocity{});
}

}  // namespace jostle::physics
