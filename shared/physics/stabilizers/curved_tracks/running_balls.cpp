#include "shared/physics/stabilizers/curved_tracks/running_balls.h"

#include "shared/physics/collision/convex.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace jostle::physics {

using math::Vec3;

namespace {

/// Maximum number of facets of a ball. A ball with more is left to the solver.
constexpr std::uint32_t max_facets = 32;
/// Height up to which a ball touches a facet, m.
constexpr float touching = 1e-6f;

/// A manifold of a ball that may run over facets.
struct Candidate {
  std::uint32_t body = 0;  // solver index
  const ColouredContact* entry = nullptr;
};

/// Returns the radius of a body that is a ball about its centre of mass, without joints and locks.
/// Returns 0 for other bodies. Sensors do not count.
float radius_of_ball(const WorldState& world, const Body& body) {
  if (body.first_joint_edge != no_index || body.locks != 0) return 0;
  float radius = 0;
  for (const ShapeHandle handle : body.shapes) {
    const ShapeRecord& shape = world.shapes[handle.index];
    if (shape.def.is_sensor) continue;
    const bool is_centred = world.places[handle.index].from_centre == Vec3{};
    if (radius > 0.0f || shape.def.shape.kind != state::ShapeKind::Sphere || !is_centred) return 0;
    radius = convex_of(shape.def.shape).rounding;
  }
  return radius;
}

std::vector<Candidate> find_candidates(const Cluster& cluster) {
  std::vector<Candidate> found;
  for (const ColouredContact& entry : cluster.solver.coloured) {
    if (entry.a != 0 && entry.b != 0) continue;
    const std::uint32_t index = entry.a + entry.b;
    const SolverBody& body = cluster.solver.bodies[index];
    if (!body.is_dynamic || body.touches_movable || body.is_carried ||
        radius_of_ball(cluster.world, cluster.world.bodies[body.body]) == 0.0f)
      continue;
    found.push_back({index, &entry});
  }
  std::ranges::stable_sort(found, {}, &Candidate::body);
  return found;
}

/// Returns true if the ball is so fast that it slides or rolls, and is not about to rest.
bool is_fast(Vec3 velocity, Vec3 gain) {
  constexpr float quick = 1;  // multiple of the speed that gravity and force add in a substep
  return length_squared(velocity) > quick * quick * length_squared(gain);
}

/// Adds the facets of a ball to the list. Returns false if the solver must compute its motion.
bool add_facets(Cluster& cluster, std::span<const Candidate> contacts, Vec3 velocity) {
  const WorldState& world = cluster.world;
  constexpr float deepest = 5e-4f;  // m, overlap that the solver must correct
  if (contacts.size() > max_facets) return false;
  for (const Candidate& candidate : contacts) {
    const Contact& contact = world.contacts[candidate.entry->contact];
    const Manifold& manifold = manifold_at(contact, candidate.entry->manifold);
    const ContactMaterial<float>& material = contact.material;
    if (manifold.is_held || manifold.point_count != 1 || material.rolling_resistance > 0.0f ||
        material.spinning_resistance > 0.0f)
      return false;
    const RunFacet facet{candidate.entry->b != 0 ? manifold.normal : -manifold.normal,
                         manifold.points[0].separation};
    if (facet.height < -deepest) return false;
    if (material.restitution > 0.0f &&
        dot(facet.normal, velocity) <= -world.options.restitution_threshold)
      return false;
    cluster.solver.running.facets.push_back(facet);
  }
  return true;
}

/// Returns true if a ball touches one of the facets within the first substep, or is near it. A ball
/// that lands later is left to the solver: the friction of the landing follows from the solver's
/// impulses, which the motion over facets does not use.
bool touches_soon(std::span<const RunFacet> facets, Vec3 velocity, float substep) {
  constexpr float near = 1e-3f;  // m
  return std::ranges::any_of(facets, [&](const RunFacet& facet) {
    return facet.height <= math::max_of(near, -dot(facet.normal, velocity) * substep);
  });
}

/// The motion of a ball over its facets.
class Run {
 public:
  Run(std::span<const RunFacet> facets, Vec3 moved, Vec3 velocity, Vec3 acceleration)
      : facets_(facets), velocity_(velocity), acceleration_(acceleration) {
    still_ = 4e-6f * length(velocity);
    for (std::size_t i = 0; i < facets.size(); ++i)
      heights_[i] = math::max_of(facets[i].height + dot(facets[i].normal, moved), 0.0f);
  }

  void advance(float seconds) {
    const std::size_t max_events = 4 * facets_.size();
    for (std::size_t i = 0; i < max_events && seconds > 0.0f; ++i) {
      meet_facets();
      const Vec3 along = held_acceleration();
      const float time = i + 1 == max_events ? seconds : next_event(along, seconds);
      move(along, time);
      seconds -= time;
    }
    meet_facets();
  }
  Vec3 displacement() const { return displacement_; }
  Vec3 velocity() const { return velocity_; }

 private:
  static constexpr int rounds = 4;

  /// Removes the velocity into the touched facets.
  void meet_facets() {
    bool is_changed = true;
    for (int round = 0; round < rounds && is_changed; ++round) {
      is_changed = false;
      for (std::size_t i = 0; i < facets_.size(); ++i) {
        const float speed = dot(velocity_, facets_[i].normal);
        if (heights_[i] > touching || speed >= 0.0f) continue;
        velocity_ -= facets_[i].normal * speed;
        is_changed = is_changed || speed < -still_;
      }
    }
  }
  /// Returns the acceleration along the facets on which the ball slides.
  Vec3 held_acceleration() const {
    Vec3 result = acceleration_;
    bool is_changed = true;
    for (int round = 0; round < rounds && is_changed; ++round) {
      is_changed = false;
      for (std::size_t i = 0; i < facets_.size(); ++i) {
        const float into = dot(result, facets_[i].normal);
        if (into >= 0.0f || !is_sliding(i)) continue;
        result -= facets_[i].normal * into;
        is_changed = true;
      }
    }
    return result;
  }
  bool is_sliding(std::size_t i) const {
    return heights_[i] <= touching && math::abs_of(dot(velocity_, facets_[i].normal)) <= still_;
  }
  /// Returns the time until the ball meets the next facet, at most `most`.
  float next_event(Vec3 along, float most) const {
    float first = most;
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      if (is_sliding(i)) continue;
      const float c = heights_[i], b = dot(velocity_, facets_[i].normal),
                  a = 0.5f * dot(along, facets_[i].normal), inside = b * b - 4.0f * a * c;
      if (inside < 0.0f || (b >= 0.0f && a >= 0.0f)) continue;
      // The smaller positive root of a·t² + b·t + c, without cancellation.
      const float root = std::sqrt(inside);
      first = math::min_of(first, b < 0.0f ? 2.0f * c / (root - b) : (b + root) / (-2.0f * a));
    }
    return first;
  }
  void move(Vec3 along, float time) {
    const Vec3 change = along * time, way = (velocity_ + change * 0.5f) * time;
    for (std::size_t i = 0; i < facets_.size(); ++i)
      heights_[i] = math::max_of(heights_[i] + dot(way, facets_[i].normal), 0.0f);
    displacement_ += way;
    velocity_ += change;
  }

  std::span<const RunFacet> facets_;
  std::array<float, max_facets> heights_;
  Vec3 displacement_, velocity_, acceleration_;
  float still_ = 0;
};

/// Returns the velocity change by friction in this substep. It follows from the change of spin,
/// because the contacts of a ball turn it by friction only. A spin at the limit of the angular
/// speed does not show the friction; then it counts as zero.
Vec3 friction_change_of(const Cluster& cluster, const RunningBall& ball) {
  constexpr float limited_share = 0.99f;
  const BodyBlock& block = cluster.solver.body_blocks[ball.body / lane_count];
  const Vec3 spin = cluster.solver.velocities[ball.body].angular;
  const float most = limited_share * cluster.world.options.max_angular_speed;
  if (length_squared(spin) > most * most) return {};
  const Vec3 spun = spin - vector_of(block.base_angular, ball.body % lane_count);
  return cross(ball.up, spun) * ball.friction_arm;
}

}  // namespace

void find_running_balls(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  RunningBalls& running = solver.running;
  running.balls.clear();
  running.facets.clear();
  if (!cluster.world.uses(Stabilizer::CurvedTracks)) return;
  const std::vector<Candidate> found = find_candidates(cluster);
  for (std::size_t first = 0, last = 0; first < found.size(); first = last) {
    while (last < found.size() && found[last].body == found[first].body)
      ++last;
    RunningBall ball;
    ball.body = found[first].body;
    ball.first_facet = static_cast<std::uint32_t>(running.facets.size());
    ball.facet_count = static_cast<std::uint32_t>(last - first);
    const Vec3 velocity = solver.velocities[ball.body].linear;
    const Body& body = cluster.world.bodies[solver.bodies[ball.body].body];
    const float radius = radius_of_ball(cluster.world, body);
    if (!is_fast(velocity, solver.gains[ball.body].linear) ||
        !add_facets(cluster, std::span(found).subspan(first, last - first), velocity) ||
        !touches_soon(std::span<const RunFacet>(running.facets).subspan(ball.first_facet), velocity,
                      solver.substep_seconds)) {
      running.facets.resize(ball.first_facet);
      continue;
    }
    ball.friction_arm = body.inertia_local.cx.x * body.inverse_mass / radius;
    running.balls.push_back(ball);
  }
}

void note_running_balls(Cluster& cluster) {
  for (RunningBall& ball : cluster.solver.running.balls)
    ball.start = cluster.solver.velocities[ball.body].linear;
}

void run_over_facets(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  const float h = solver.substep_seconds;
  for (RunningBall& ball : solver.running.balls) {
    const BodyBlock& block = solver.body_blocks[ball.body / lane_count];
    const std::span facets = std::span<const RunFacet>(solver.running.facets)
                                 .subspan(ball.first_facet, ball.facet_count);
    Vec3& offset = solver.motions[ball.body].offset;
    const Vec3 moved = ball.moved;
    float least = 3.0e38f;
    for (const RunFacet& facet : facets) {
      const float height = facet.height + dot(facet.normal, moved);
      if (height >= least) continue;
      least = height;
      ball.up = facet.normal;
    }
    ball.friction_change = friction_change_of(cluster, ball);
    const Vec3 gained = vector_of(block.gained, ball.body % lane_count);
    Run run(facets, moved, ball.start, (gained + ball.friction_change) / h);
    run.advance(h);
    ball.end = run.velocity();
    offset = ball.moved = moved + run.displacement();
  }
}

void finish_running_balls(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  for (const RunningBall& ball : solver.running.balls) {
    BodyBlock& block = solver.body_blocks[ball.body / lane_count];
    const std::size_t lane = ball.body % lane_count;
    Vec3& velocity = solver.velocities[ball.body].linear;
    const Vec3 end = ball.end + (friction_change_of(cluster, ball) - ball.friction_change);
    // The change by contacts, which warm starts the next substep, stays that of the impulses.
    set(block.base_linear, lane, vector_of(block.base_linear, lane) + (end - velocity));
    velocity = end;
  }
}

}  // namespace jostle::physics
