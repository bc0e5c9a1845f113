#include "shared/physics/detail/constants.h"
#include "shared/physics/stabilizers/stacks/packed_six.h"
#include "shared/physics/stabilizers/stacks/support_contacts.h"
#include "shared/physics/stabilizers/stacks/support_graph.h"

#include <cmath>
#include <iterator>
#include <span>
#include <type_traits>

namespace jostle::physics {

using math::Vec3;

namespace {

/// A load: force impulse, N·s, and moment impulse about the body's centre, N·m·s.
struct Load {
  Vec3 force, moment;
};

std::span<SupportRows> rows_of(SupportGraph& graph, const StandingBody& standing) {
  return std::span(graph.rows).subspan(standing.first, standing.last - standing.first);
}

/// Calls `visit(support)` for each support through which the body at `place` supports another body.
/// `support` and `place` are indices in SupportGraph::supports and bodies.
template <typename Visit>
void for_each_support_above(const SupportGraph& graph, std::uint32_t place, Visit&& visit) {
  for (std::uint32_t i = graph.first_above[place]; i < graph.first_above[place + 1]; ++i)
    visit(graph.supports_above[i]);
}

void set_held(SolverArrays& solver, const Support& support) {
  const SupportGraph& graph = solver.supports;
  const bool is_held = !graph.bodies[support.body].is_cut && !graph.bodies[support.parent].is_cut;
  const StandingContact& contact = graph.contacts[support.contact];
  with_bundle(solver, contact,
              [&](auto& bundle) { bundle.is_held[contact.lane] = is_held ? 1.0f : 0.0f; });
}
void set_held(SolverArrays& solver, std::uint32_t place) {
  const SupportGraph& graph = solver.supports;
  const StandingBody& standing = graph.bodies[place];
  for (std::uint32_t k = standing.first; k < standing.last; ++k)
    set_held(solver, graph.supports[k]);
  for_each_support_above(graph, place,
                         [&](std::uint32_t k) { set_held(solver, graph.supports[k]); });
}

bool is_still(const StandingBody& standing, const SolverVelocity& velocity, float noise) {
  const Vec3 turning = (velocity.angular - standing.angular) * standing.size;
  return length_squared(velocity.linear - standing.linear) <= noise * noise &&
         length_squared(turning) <= noise * noise;
}

/// Sets the target velocity of a body that is supported by a rotating body. In the substep, the
/// offset d from the supporting body's centre to the supported body's becomes R(h·ω)·d, which is d
/// + h·ω×d + ½h²·ω×(ω×d). Contacts use d from the start of the step. Without the second-order term,
/// the supported body would creep outward.
void turn_target(const SolverArrays& solver, StandingBody& standing) {
  const SupportGraph& graph = solver.supports;
  const Support& support = graph.supports[standing.first];
  const StandingBody& parent = graph.bodies[support.parent];
  const Vec3 apart = support.parent_arm - support.arm + solver.motions[standing.body].offset -
                     solver.motions[parent.body].offset;
  const Vec3 straight = cross(standing.angular, apart);
  standing.linear = parent.linear + straight +
                    cross(standing.angular, straight) * (0.5f * solver.substep_seconds);
}

/// Starts a substep. Returns bodies to the graph that were cut in the previous substep, but are not
/// barred for the step. Bodies that deviate from their target velocity are marked to be solved
/// (is_dirty).
void begin(SolverArrays& solver) {
  SupportGraph& graph = solver.supports;
  for (std::uint32_t i = 0; i < graph.bodies.size(); ++i) {
    StandingBody& standing = graph.bodies[i];
    if (is_root(standing)) continue;
    if (standing.is_loaded) {
      for (std::uint32_t k = standing.first; k < standing.last; ++k)
        graph.reactions[k] = {};
    }
    standing.is_loaded = standing.is_asked = false;
    if (standing.angular != Vec3{}) turn_target(solver, standing);
    standing.is_dirty = !is_still(standing, solver.velocities[standing.body],
                                  asked_speed + graph.noise[standing.body]);
    if (!standing.is_cut || standing.is_barred) continue;
    standing.is_cut = false;
    set_held(solver, i);
  }
}

/// Returns the impulse that the supports of a body must apply: the change of momentum to the target
/// velocity, plus the load of the bodies above. The part along locked axes is removed.
Load load_of(const SolverArrays& solver, std::uint32_t place) {
  const SupportGraph& graph = solver.supports;
  const StandingBody& standing = graph.bodies[place];
  const SolverVelocity& velocity = solver.velocities[standing.body];
  const BodyBlock& block = solver.body_blocks[standing.body / lane_count];
  Load load{
      (standing.linear - velocity.linear) / velocity.inverse_mass,
      matrix_of(block.inertia, standing.body % lane_count) * (standing.angular - velocity.angular)};
  for_each_support_above(graph, place, [&](std::uint32_t k) {
    load.force += graph.reactions[k].force;
    load.moment += graph.reactions[k].moment;
  });
  // The locks carry the load along locked axes. Contacts must carry the rest; otherwise the body
  // counts as unsupported.
  const state::MotionLocks locks = solver.bodies[standing.body].locks;
  load.force = state::free_linear(locks, load.force);
  load.moment = state::free_angular(locks, load.moment);
  return load;
}

/// Computes the impulse changes of all rows that are solved for. Together with the other rows, they
/// apply `load` to the body. `is_limited` is true if there are others. Returns false if the rows
/// cannot apply the load, because their matrix A is singular.
bool distribute(SupportGraph& graph, std::uint32_t place, Load load, bool is_limited) {
  const StandingBody& standing = graph.bodies[place];
  const std::span<SupportRows> blocks = rows_of(graph, standing);
  load.moment *= 1.0f / standing.size;
  PackedSix fresh{};
  if (is_limited) {
    OuterSum sum;
    SixSum fixed;
    for (const SupportRows& block : blocks) {
      const SixLanes rows(block);
      const RowLanes is_solved = RowLanes::load(block.is_solved);
      sum.add(rows, RowLanes::load(block.weight) * is_solved);
      fixed.add(rows, RowLanes::load(block.change) * (RowLanes::splat(1) - is_solved));
    }
    Vec3 force, moment;
    fixed.store(force, moment);
    load.force -= force;
    load.moment -= moment;
    sum.store(fresh);
    if (!factor(fresh, least_pivot)) return false;
  }
  float y[6] = {load.force.x,  load.force.y,  load.force.z,
                load.moment.x, load.moment.y, load.moment.z};
  solve(is_limited ? fresh : graph.details[place].factor, y);
  for (SupportRows& block : blocks) {
    const SixLanes rows(block);
    RowLanes along = rows.part[0] * RowLanes::splat(y[0]);
    for (int i = 1; i < 6; ++i)
      along = along + rows.part[i] * RowLanes::splat(y[i]);
    const auto is_solved = RowLanes::splat(0) < RowLanes::load(block.is_solved);
    select(is_solved, RowLanes::load(block.weight) * along, RowLanes::load(block.change))
        .store(block.change);
  }
  return true;
}

/// Sets a row to a limit.
void fix(SupportRows& rows, std::size_t row, float change) {
  rows.change[row] = change;
  rows.is_solved[row] = 0;
}

/// Limits the rows of a contact with `count` points to what it can apply: its points cannot pull,
/// and friction stays in Coulomb's cone. A row beyond its limit is set to the limit; the caller
/// then solves the other rows again for the rest. Returns false if no row was beyond its limit.
bool limit(std::size_t count, float friction, SupportRows& rows) {
  bool is_limited = false;
  float pressed = 0, twisted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    float now = rows.impulse[i] + rows.change[i];
    if (now < -rounding * rows.impulse[i]) {
      fix(rows, i, -rows.impulse[i]);
      now = 0;
      is_limited = true;
    }
    pressed += now;
    twisted += now * rows.lever[i];
  }
  const float along_1 = rows.impulse[count] + rows.change[count];
  const float along_2 = rows.impulse[count + 1] + rows.change[count + 1];
  const float squared = along_1 * along_1 + along_2 * along_2, most = friction * pressed;
  if (!(squared <= most * most * (1.0f + slip_tolerance))) {
    const float scale = most / std::sqrt(squared);
    fix(rows, count, along_1 * scale - rows.impulse[count]);
    fix(rows, count + 1, along_2 * scale - rows.impulse[count + 1]);
    is_limited = true;
  }
  if (count == 1) return is_limited;
  const float twist = rows.impulse[count + 2] + rows.change[count + 2];
  const float most_twist = friction * twisted;
  if (!(math::abs_of(twist) <= most_twist * (1.0f + slip_tolerance))) {
    fix(rows, count + 2, (twist < 0.0f ? -most_twist : most_twist) - rows.impulse[count + 2]);
    is_limited = true;
  }
  return is_limited;
}

bool limit(SupportGraph& graph, const StandingBody& standing) {
  bool is_limited = false;
  for (std::uint32_t k = standing.first; k < standing.last; ++k) {
    const Support& support = graph.supports[k];
    if (graph.bodies[support.parent].is_cut) continue;
    const std::size_t count = graph.contacts[support.contact].point_count;
    is_limited = limit(count, support.grip, graph.rows[k]) || is_limited;
  }
  return is_limited;
}

/// Frees all rows of a body, except those of supports on bodies that were cut: their impulses do
/// not change. Returns true if there are such supports.
bool free_rows(SupportGraph& graph, const StandingBody& standing) {
  bool is_limited = false;
  for (std::uint32_t k = standing.first; k < standing.last; ++k) {
    const Support& support = graph.supports[k];
    const bool is_cut = graph.bodies[support.parent].is_cut;
    const std::size_t count = row_count(graph.contacts[support.contact].point_count);
    const std::size_t solved = is_cut ? 0 : count;
    for (std::size_t i = 0; i < lane_count; ++i) {
      graph.rows[k].change[i] = 0;
      graph.rows[k].is_solved[i] = i < solved ? 1.0f : 0.0f;
    }
    is_limited = is_limited || is_cut;
  }
  return is_limited;
}

/// Sums up the changes of the rows of each support. Returns true if they add up to the load within
/// carry_tolerance. The sum may deviate, because A may be ill-conditioned.
bool adds_up(SupportGraph& graph, const StandingBody& standing, const Load& load) {
  Load rest{load.force, load.moment * (1.0f / standing.size)};
  const float whole = length_squared(rest.force) + length_squared(rest.moment);
  for (std::uint32_t k = standing.first; k < standing.last; ++k) {
    SixSum sum;
    sum.add(SixLanes(graph.rows[k]), RowLanes::load(graph.rows[k].change));
    Support& support = graph.supports[k];
    sum.store(support.row_force, support.row_moment);
    rest.force -= support.row_force;
    rest.moment -= support.row_moment;
  }
  return length_squared(rest.force) + length_squared(rest.moment) <=
         carry_tolerance * carry_tolerance * whole;
}

/// Finds impulse changes of the supports that apply the load to the body, and stores them in the
/// rows. Returns false if the rows are singular or if `carry_attempts` attempts fail.
bool bear(Cluster& cluster, std::uint32_t place, const Load& load) {
  SupportGraph& graph = cluster.solver.supports;
  StandingBody& standing = graph.bodies[place];
  if (!standing.has_factor && !prepare_rows(cluster, standing, graph.details[place])) {
    standing.is_barred = true;
    return false;
  }
  bool is_limited = free_rows(graph, standing);
  for (int attempt = 0; attempt < carry_attempts; ++attempt) {
    if (!distribute(graph, place, load, is_limited)) return false;
    if (!limit(graph, standing)) return adds_up(graph, standing, load);
    is_limited = true;
  }
  return false;
}

bool is_little(const Load& load, float inverse_mass, float noise, const StandingBody& standing) {
  const float limit = noise / inverse_mass;
  return length_squared(load.force) <= limit * limit &&
         length_squared(load.moment) <= limit * limit * standing.size * standing.size;
}

void mark_parents(SupportGraph& graph, const StandingBody& standing) {
  for (std::uint32_t k = standing.first; k < standing.last; ++k) {
    StandingBody& parent = graph.bodies[graph.supports[k].parent];
    parent.is_dirty = !is_root(parent);
  }
}

/// Clears the reactions of a body on its supports, and marks the parents that had a reaction to be
/// solved again.
void let_go(SupportGraph& graph, const StandingBody& standing) {
  for (std::uint32_t k = standing.first; k < standing.last; ++k) {
    Reaction& reaction = graph.reactions[k];
    if (reaction.force == Vec3{} && reaction.moment == Vec3{}) continue;
    reaction = {};
    StandingBody& parent = graph.bodies[graph.supports[k].parent];
    parent.is_dirty = !is_root(parent);
  }
}

/// Removes the body from the graph for this substep. The bodies that it supports are marked to be
/// solved again without it.
void cut(SolverArrays& solver, std::uint32_t place) {
  SupportGraph& graph = solver.supports;
  StandingBody& standing = graph.bodies[place];
  standing.is_cut = true;
  standing.is_loaded = standing.is_dirty = false;
  let_go(graph, standing);
  set_held(solver, place);
  for_each_support_above(graph, place, [&](std::uint32_t k) {
    StandingBody& above = graph.bodies[graph.supports[k].body];
    above.is_dirty = !above.is_cut;
  });
}

/// Sets the reactions of a body's supports, and marks the parents, which receive them, to be
/// solved.
void hand_down(SupportGraph& graph, const StandingBody& standing) {
  for (std::uint32_t k = standing.first; k < standing.last; ++k) {
    const Support& support = graph.supports[k];
    graph.reactions[k] = {support.row_force,
                          support.row_moment * standing.size +
                              cross(support.parent_arm - support.arm, support.row_force)};
  }
  mark_parents(graph, standing);
}

template <typename Bundle>
void add_changes(Bundle& bundle, std::uint32_t lane, const float* change) {
  // Changes the impulses before the substep as well, so that go_on does not extrapolate these
  // changes, which are exact.
  const auto add = [&](Lanes& impulse, Lanes& before) {
    impulse[lane] += *change;
    before[lane] += *change;
    ++change;
  };
  for (auto& point : bundle.points) {
    add(point.impulse, point.impulse_before);
    point.impulse[lane] = math::max_of(point.impulse[lane], 0.0f);
    point.max_impulse[lane] = math::max_of(point.max_impulse[lane], point.impulse[lane]);
  }
  add(bundle.tangent_impulse[0], bundle.tangent_before[0]);
  add(bundle.tangent_impulse[1], bundle.tangent_before[1]);
  if (std::size(bundle.points) > 1) add(bundle.twist_impulse, bundle.twist_before);
}

/// Calls `visit(bundle, lane, rows)` for the supports of all bodies that fulfil `is_meant`, in the
/// order of the bundles.
template <typename IsMeant, typename Visit>
void for_each_support(SolverArrays& solver, IsMeant&& is_meant, Visit&& visit) {
  SupportGraph& graph = solver.supports;
  for (const StandingContact& contact : graph.contacts) {
    if (contact.support == no_index) continue;
    if (!is_meant(graph.bodies[graph.supports[contact.support].body])) continue;
    with_bundle(solver, contact,
                [&](auto& bundle) { visit(bundle, contact.lane, graph.rows[contact.support]); });
  }
}

void read_impulses(SolverArrays& solver) {
  for_each_support(
      solver, [](const StandingBody& standing) { return standing.has_factor; },
      [](const auto& bundle, std::uint32_t lane, SupportRows& rows) {
        read_impulses(bundle, lane, rows);
      });
}

void add_impulses(SolverArrays& solver) {
  for_each_support(
      solver,
      [](const StandingBody& standing) {
        return standing.is_asked && standing.is_loaded && !standing.is_cut;
      },
      [](auto& bundle, std::uint32_t lane, const SupportRows& rows) {
        add_changes(bundle, lane, rows.change);
      });
}

void set_velocity(SolverArrays& solver, const StandingBody& standing) {
  SolverVelocity& velocity = solver.velocities[standing.body];
  BodyBlock& block = solver.body_blocks[standing.body / lane_count];
  const std::size_t lane = standing.body % lane_count;
  const Vec3 linear = standing.linear - velocity.linear;
  const Vec3 angular = standing.angular - velocity.angular;
  set(block.carried_linear, lane, vector_of(block.carried_linear, lane) + linear);
  set(block.carried_angular, lane, vector_of(block.carried_angular, lane) + angular);
  velocity.linear = standing.linear;
  velocity.angular = standing.angular;
}

}  // namespace

void carry_loads(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  SupportGraph& graph = solver.supports;
  if (graph.is_resting) return;
  begin(solver);
  read_impulses(solver);
  const auto count = static_cast<std::uint32_t>(graph.bodies.size());
  for (std::uint32_t i = 0; i < count; ++i)
    if (graph.bodies[i].is_barred && !graph.bodies[i].is_cut) cut(solver, i);
  // If a body is cut after a body below it was solved with its load, the lower body is solved
  // again. The loop ends, because no body returns to the graph in it.
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (std::uint32_t i = count; i-- > 0;) {
      StandingBody& standing = graph.bodies[i];
      if (!standing.is_dirty || standing.is_cut) continue;
      standing.is_dirty = false;
      standing.is_asked = true;
      is_done = false;
      const Load load = load_of(solver, i);
      standing.is_loaded = !is_little(load, solver.velocities[standing.body].inverse_mass,
                                      asked_speed + graph.noise[standing.body], standing);
      if (!standing.is_loaded) {
        let_go(graph, standing);
      } else if (bear(cluster, i, load)) {
        hand_down(graph, standing);
      } else {
        // Barred for the rest of the step, because another attempt would rarely succeed.
        standing.is_barred = true;
        cut(solver, i);
      }
    }
  }
  add_impulses(solver);
  for (const StandingBody& standing : graph.bodies)
    if (standing.is_asked && !standing.is_cut) set_velocity(solver, standing);
}

}  // namespace jostle::physics
