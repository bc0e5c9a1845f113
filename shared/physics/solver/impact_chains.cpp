#include "shared/physics/solver/impact_chains.h"

#include "shared/math/vec3d.h"
#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace jostle::physics {

using math::Vec3d;

namespace {

/// Maximum number of contacts in a chain. Larger sets are piles, whose contacts bounce one by one
/// (kernels/bounce_kernel.h).
constexpr std::size_t max_contacts = 64;
/// Maximum number of impacts per contact. Momentum passes through a row of n contacts in n impacts.
/// Two such sequences that meet in the row need at most n² impacts.
constexpr std::size_t max_blows_per_contact = 64;
/// Relative difference of speeds below which impacts are simultaneous.
constexpr double same_blow = 1e-5;
/// Minimum inverse effective mass of a contact. A smaller value is a rounding error of bodies that
/// are locked along the contact's normal.
constexpr double least_response = 1e-13;  // 1/kg
/// Number of passes over the contacts of simultaneous impacts (`blow_passes`), and over all
/// contacts of a chain that has reached the maximum number of impacts (`settle_passes`).
constexpr int blow_passes = 16, settle_passes = 64;

struct BlowSide {
  std::uint32_t body = 0;  // solver index
  double inverse_mass = 0;
  Vec3d way;  // n without its components along locked axes
  // change of the body's linear speed along n by a unit impulse along n, 1/kg
  double along_way = 0;
  Vec3d turn;      // r × n
  Vec3d response;  // I⁻¹(r × n)
};

/// A contact point with restitution that acted in this step.
struct Blow {
  std::uint32_t bundle = 0, lane = 0;
  BlowSide a, b;
  Vec3d normal;
  double restitution = 0;
  double slow = 0;      // approach speed below which nothing is given back, m/s
  double response = 0;  // change of the normal speed by a unit impulse, 1/kg
  double impulse = 0;   // impulse of the step, N·s
  double absorbed = 0;  // energy that it has taken from the bodies in the step, J
  double wanted = 0;    // target separation speed of the impact that is being solved, m/s
  bool is_bounce = false;
};

struct BodyMotion {
  Vec3d linear, angular;
};

Vec3d vector_at(const Lanes (&rows)[3], std::uint32_t lane) {
  return math::widened(vector_of(rows, lane));
}

BlowSide side_of(const Cluster& cluster, std::uint32_t body, const Lanes (&centre)[3],
                 const Lanes (&inertia)[6], std::uint32_t lane, Vec3d normal) {
  BlowSide side;
  side.body = body;
  side.inverse_mass = static_cast<double>(cluster.solver.velocities[body].inverse_mass);
  const state::MotionLocks locks = cluster.solver.bodies[body].locks;
  side.way = math::widened(state::free_linear(locks, math::narrowed(normal)));
  const double share = state::linear_part(locks) == 0 ? 1 : dot(side.way, normal);
  side.along_way = side.inverse_mass * share;
  side.turn = cross(vector_at(centre, lane), normal);
  const auto at = [&](std::size_t i) { return static_cast<double>(inertia[i][lane]); };
  const Vec3d t = side.turn;
  side.response = {at(0) * t.x + at(1) * t.y + at(2) * t.z, at(1) * t.x + at(3) * t.y + at(4) * t.z,
                   at(2) * t.x + at(4) * t.y + at(5) * t.z};
  return side;
}

Blow blow_of(const Cluster& cluster, std::uint32_t bundle_index, std::uint32_t lane) {
  const SolverArrays& solver = cluster.solver;
  const ContactBundle<1>& bundle = solver.bundles.ones[bundle_index];
  Blow blow;
  blow.bundle = bundle_index;
  blow.lane = lane;
  blow.normal = vector_at(bundle.normal, lane);
  blow.a = side_of(cluster, bundle.a[lane], bundle.centre_a, bundle.inverse_inertia_a, lane,
                   blow.normal);
  blow.b = side_of(cluster, bundle.b[lane], bundle.centre_b, bundle.inverse_inertia_b, lane,
                   blow.normal);
  blow.response = blow.a.along_way + blow.b.along_way + dot(blow.a.turn, blow.a.response) +
                  dot(blow.b.turn, blow.b.response);
  blow.restitution = static_cast<double>(solver.bounces[0][bundle_index].restitution[lane]);
  blow.impulse = static_cast<double>(bundle.points[0].step_impulse[lane]);
  blow.absorbed =
      std::max(static_cast<double>(solver.bounces[0][bundle_index].absorbed[lane]), 0.0);
  const math::Vec3 gain = solver.gains[bundle.b[lane]].linear - solver.gains[bundle.a[lane]].linear;
  const double falling = dot(blow.normal, math::widened(gain)) * cluster.world.options.substeps;
  const auto threshold = static_cast<double>(cluster.world.options.restitution_threshold);
  blow.slow = std::max(threshold, std::max(-falling, 0.0) * (1 + same_blow));
  const float approach = solver.bundles.one_records[bundle_index].approach_speed[0][lane];
  blow.is_bounce = approach <= -cluster.world.options.restitution_threshold;
  return blow;
}

std::vector<Blow> find_blows(const Cluster& cluster) {
  const SolverArrays& solver = cluster.solver;
  std::vector<Blow> blows;
  for (std::uint32_t i = 0; i < solver.bundles.ones.size(); ++i) {
    for (std::uint32_t lanes = solver.bundles.one_records[i].used_lanes; lanes != 0;
         lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const bool bounces = solver.bounces[0][i].restitution[lane] > 0.0f;
      if (!bounces || !(solver.bundles.ones[i].points[0].max_impulse[lane] > 0.0f)) continue;
      const Blow blow = blow_of(cluster, i, lane);
      if (blow.response > least_response) blows.push_back(blow);
    }
  }
  return blows;
}

/// Groups the contacts `blows` into chains: contacts that dynamic bodies connect are in the same
/// chain. A chain keeps the order of `blows`.
std::vector<std::vector<Blow>> chains_of(const std::vector<Blow>& blows, std::size_t bodies) {
  std::vector<std::uint32_t> parents;
  DisjointSets sets(parents, static_cast<std::uint32_t>(bodies));
  const auto can_move = [](const BlowSide& side) { return side.inverse_mass > 0; };
  for (const Blow& blow : blows)
    if (can_move(blow.a) && can_move(blow.b)) sets.unite(blow.a.body, blow.b.body);
  std::vector<std::vector<Blow>> chains;
  std::vector<std::uint32_t> chain_of(bodies, no_index);
  for (const Blow& blow : blows) {
    const std::uint32_t set = sets.find(can_move(blow.a) ? blow.a.body : blow.b.body);
    if (chain_of[set] == no_index) {
      chain_of[set] = static_cast<std::uint32_t>(chains.size());
      chains.emplace_back();
    }
    chains[chain_of[set]].push_back(blow);
  }
  return chains;
}

/// Simulation of the impacts of one chain. Changes the velocities in `motions`.
class Playing {
 public:
  Playing(std::span<Blow> blows, std::vector<BodyMotion>& motions)
      : blows_(blows), motions_(motions) {}

  /// Runs the simulation. Returns the change of kinetic energy since before the impulses were
  /// undone, in J.
  double run() {
    for (Blow& blow : blows_) {
      apply(blow, -blow.impulse);
      blow.impulse = 0;
    }
    for (std::size_t count = 0; count < max_blows_per_contact * blows_.size(); ++count)
      if (!play_fastest()) return work_;
    settle();
    return work_;
  }

 private:
  double speed_at(const BlowSide& side, Vec3d normal) const {
    const BodyMotion& motion = motions_[side.body];
    return dot(normal, motion.linear) + dot(side.turn, motion.angular);
  }
  double parting(const Blow& blow) const {
    return speed_at(blow.b, blow.normal) - speed_at(blow.a, blow.normal);
  }
  void push(const BlowSide& side, double impulse) {
    BodyMotion& motion = motions_[side.body];
    motion.linear = motion.linear + side.way * (impulse * side.inverse_mass);
    motion.angular = motion.angular + side.response * impulse;
  }
  void apply(const Blow& blow, double impulse) {
    work_ += impulse * (parting(blow) + 0.5 * impulse * blow.response);
    push(blow.a, -impulse);
    push(blow.b, impulse);
  }

  /// Solves the fastest impact, and all impacts that are equally fast. Returns false if no contact
  /// approaches faster than `at_rest`.
  bool play_fastest() {
    constexpr double at_rest = 1e-6;  // m/s
    double fastest = -at_rest;
    for (const Blow& blow : blows_)
      fastest = std::min(fastest, parting(blow));
    if (fastest == -at_rest) return false;
    struck_.clear();
    for (Blow& blow : blows_) {
      const double speed = parting(blow);
      if (speed > fastest * (1 - same_blow)) continue;
      blow.wanted = -speed > blow.slow ? -blow.restitution * speed : 0;
      struck_.push_back({&blow, 0});
    }
    const int passes = struck_.size() == 1 ? 1 : blow_passes;
    for (int pass = 0; pass < passes; ++pass)
      for (Struck& struck : struck_)
        strike(struck);
    return true;
  }

  struct Struck {
    Blow* blow;
    double impulse;
  };
  void strike(Struck& struck) {
    const double missing = struck.blow->wanted - parting(*struck.blow);
    const double total = std::max(struck.impulse + missing / struck.blow->response, 0.0);
    apply(*struck.blow, total - struck.impulse);
    struck.blow->impulse += total - struck.impulse;
    struck.impulse = total;
  }

  /// Stops all remaining approach by inelastic impacts.
  void settle() {
    for (int pass = 0; pass < settle_passes; ++pass) {
      for (Blow& blow : blows_) {
        const double impulse = std::max(-parting(blow) / blow.response, 0.0);
        apply(blow, impulse);
        blow.impulse += impulse;
      }
    }
  }

  std::span<Blow> blows_;
  std::vector<BodyMotion>& motions_;  // indexed by solver index
  std::vector<Struck> struck_;
  double work_ = 0;
};

bool is_chain(std::span<const Blow> blows) {
  return blows.size() > 1 && blows.size() <= max_contacts &&
         std::ranges::any_of(blows, &Blow::is_bounce);
}

double absorbed_by(std::span<const Blow> blows) {
  double sum = 0;
  for (const Blow& blow : blows)
    sum += blow.absorbed;
  return sum;
}

void read_motions(const Cluster& cluster, std::span<const Blow> blows,
                  std::vector<BodyMotion>& motions) {
  motions.resize(cluster.solver.velocities.size());
  for (const Blow& blow : blows) {
    for (const std::uint32_t body : {blow.a.body, blow.b.body}) {
      const SolverVelocity& velocity = cluster.solver.velocities[body];
      motions[body] = {math::widened(velocity.linear), math::widened(velocity.angular)};
    }
  }
}

/// Writes the velocities and impulses back. Clears the restitution of these contacts, so that it is
/// not applied again.
void write_back(Cluster& cluster, std::span<const Blow> blows,
                const std::vector<BodyMotion>& motions) {
  SolverArrays& solver = cluster.solver;
  for (const Blow& blow : blows) {
    for (const BlowSide& side : {blow.a, blow.b}) {
      if (side.inverse_mass == 0) continue;
      SolverVelocity& velocity = solver.velocities[side.body];
      velocity.linear = math::narrowed(motions[side.body].linear);
      velocity.angular = math::narrowed(motions[side.body].angular);
    }
    solver.bundles.ones[blow.bundle].points[0].step_impulse[blow.lane] =
        static_cast<float>(blow.impulse);
    solver.bounces[0][blow.bundle].restitution[blow.lane] = 0;
  }
}

}  // namespace

void play_impact_chains(Cluster& cluster) {
  const std::vector<Blow> blows = find_blows(cluster);
  if (std::ranges::none_of(blows, &Blow::is_bounce)) return;
  std::vector<BodyMotion> motions;
  for (std::vector<Blow>& chain : chains_of(blows, cluster.solver.velocities.size())) {
    if (!is_chain(chain)) continue;
    read_motions(cluster, chain, motions);
    const double most = absorbed_by(chain);
    if (Playing(chain, motions).run() <= most * (1 + same_blow))
      write_back(cluster, chain, motions);
  }
}

}  // namespace jostle::physics
