// Row 41: balls that run over the facets of cones, loops, tubes and bowls.
#include "shared/geometry/surface.h"
#include "tests/physics_laws/faceted_track.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

/// A ball on a track, at a step rate and with a number of substeps.
struct Course {
  FacetedTrack (*track)();
  std::size_t facet;  // on which the ball starts
  Vector at;          // the point of the facet above which it starts, m
  Vector direction;   // of its motion; only the part along the facet counts
  double radius, speed, gravity;
  int hertz, substeps;
  double seconds;
};

FacetedTrack flat_cone() {
  return faceted_cone(90, 22 * degree, 0.8, 15);
}
FacetedTrack fine_cone() {
  return faceted_cone(720, 35 * degree, 1, 14);
}
FacetedTrack coarse_cone() {
  return faceted_cone(24, 50 * degree, 0.5, 12);
}
FacetedTrack loop() {
  return faceted_tube(180, 2.2, 3);
}
FacetedTrack half_pipe() {
  return faceted_tube(90, 4, 3);
}
FacetedTrack long_tube() {
  return faceted_tube(500, 5, 60);
}
FacetedTrack bowl() {
  return faceted_bowl(72, 6);
}

constexpr Vector along_x{1, 0, 0}, along_z{0, 0, 1};

const Course courses[]{
    {flat_cone, 0, {7, 2.8, 0}, along_z, 0.5, 6, g, 60, 4, 15},
    {flat_cone, 0, {7, 2.8, 0}, along_z, 0.07, 6, g, 60, 1, 15},
    {flat_cone, 0, {5, 2, 0}, along_z, 1, 7, g, 30, 8, 15},
    {fine_cone, 0, {6, 4.2, 0}, along_z, 0.2, 7, g, 60, 4, 15},
    {fine_cone, 0, {6, 4.2, 0}, along_z, 0.4, 7, g, 1000, 1, 5},
    {coarse_cone, 0, {5, 6, 0}, along_z, 0.25, 8, g, 240, 4, 3},
    {coarse_cone, 0, {5, 6, 0}, along_z, 0.25, 10, g, 60, 4, 3},
    {loop, 0, {0, -2.2, 0}, along_x, 0.15, 11.5, g, 60, 4, 4},
    {loop, 0, {0, -2.2, 0}, along_x, 0.6, 12, g, 240, 1, 4},
    {half_pipe, 0, {0, -4, 0}, along_x, 0.35, 5.5, g, 60, 4, 15},
    {long_tube, 0, {0, -5, -50}, {5, 0, 1}, 0.3, 25, 0, 60, 4, 15},
    {bowl, 72 * 9, {4.2, -4.2, 0.2}, along_z, 0.3, 5, g, 60, 4, 10},
};

struct TrackErrors {
  double growth = 0;  // largest growth of the energy, as a share of the kinetic energy at the start
  double loss = 0;    // relative error of the loss
};

BodyHandle add_ball(World& world, const BallOnTrack& start, double radius, float friction) {
  const auto narrowed = [](Vector v) { return math::to_vec3({v.x, v.y, v.z}); };
  const Vector p = start.position;
  const BodyHandle ball =
      add_body(world, MotionType::Dynamic, {{p.x, p.y, p.z}, {}},
               with(state::sphere(static_cast<float>(radius)), Material{friction}));
  world.set_velocity(ball, narrowed(start.velocity), narrowed(start.spin));
  return ball;
}

TrackErrors errors_on(const Course& course, float friction) {
  const FacetedTrack track = course.track();
  const bool rolls = friction > 0.0f;
  BallOnTrack exact(track, course.radius, {0, -course.gravity, 0}, rolls);
  const Vector normal = track.facets[course.facet].normal;
  const Vector along = course.direction - normal * dot(course.direction, normal);
  exact.position = track.touching(course.facet, course.at, course.radius);
  exact.velocity = along * (course.speed / std::sqrt(dot(along, along)));
  if (rolls) exact.spin = cross(normal, exact.velocity) * (1 / course.radius);

  WorldOptions options = without_sleep();
  options.gravity = {0, static_cast<float>(-course.gravity), 0};
  options.step_seconds = 1.0f / static_cast<float>(course.hertz);
  options.substeps = course.substeps;
  World world(options);
  state::TriangleMesh mesh = track.mesh;
  add_body(world, MotionType::Static, {},
           with(state::solid(geometry::share(std::move(mesh))), Material{friction}));
  const BodyHandle ball = add_ball(world, exact, course.radius, friction);
  const double mass = static_cast<double>(world.mass(ball));
  const auto energy = [&] {
    return kinetic_energy(world, ball) / mass + course.gravity * world.centre_of_mass(ball).y;
  };
  const double whole = exact.kinetic_energy(), start = energy(), start_exact = exact.energy();
  TrackErrors errors;
  double lowest = start;
  for (int i = 0; i < static_cast<int>(course.seconds * course.hertz); ++i) {
    world.step();
    lowest = std::min(lowest, energy());
    errors.growth = std::max(errors.growth, (energy() - lowest) / whole);
  }
  exact.advance(course.seconds);
  errors.loss = relative(start - energy(), start_exact - exact.energy());
  return errors;
}

TrackErrors worst_errors(float friction) {
  TrackErrors worst;
  for (const Course& course : courses) {
    const TrackErrors errors = errors_on(course, friction);
    worst.growth = std::max(worst.growth, errors.growth);
    worst.loss = std::max(worst.loss, errors.loss);
  }
  return worst;
}

const TrackErrors& sliding_errors() {
  static SharedErrors worst([] { return worst_errors(0); });
  return worst.get();
}
/// The friction is so high that the balls roll wherever the track presses them.
const TrackErrors& rolling_errors() {
  static SharedErrors worst([] { return worst_errors(20); });
  return worst.get();
}

constexpr Law laws[]{
    {41, "balls slide in cones, loops, tubes and bowls of 24 to 720 facets: growth of energy",
     "none", "", "", 1e-3, [] { return sliding_errors().growth; }},
    {41, "balls slide in cones, loops, tubes and bowls of 24 to 720 facets: loss",
     "event-driven simulation", "", "", 5e-2, [] { return sliding_errors().loss; }},
    {41, "balls roll in cones, loops, tubes and bowls of 24 to 720 facets: growth of energy",
     "none", "", "", 1e-3, [] { return rolling_errors().growth; }},
    {41, "balls roll in cones, loops, tubes and bowls of 24 to 720 facets: loss",
     "event-driven simulation", "", "", 5e-2, [] { return rolling_errors().loss; }},
};

}  // namespace

std::span<const Law> track_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
