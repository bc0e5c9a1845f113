#include "tools/bench/particles.h"

#include "shared/base/random.h"
#include "shared/physics/world.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>
#include <vector>

namespace jostle::bench {
namespace {

using math::Position;

constexpr float half_width = 20;  // m
constexpr std::uint64_t seed = 1;

physics::ParticleSetHandle add_particles(physics::World& world, std::uint32_t count,
                                         forces::Integrator integrator) {
  physics::ParticleSetDef def;
  def.max_count = count;
  def.collides = true;
  def.integrator = integrator;
  const physics::ParticleSetHandle set = world.create_particle_set(def);
  base::Random random(seed);
  for (std::uint32_t i = 0; i < count; ++i) {
    physics::Particle particle;
    const auto draw = [&](float low, float high) {
      return static_cast<double>(random.between(low, high));
    };
    particle.position.x = draw(-half_width, half_width);
    particle.position.y = draw(0.1f, 10);
    particle.position.z = draw(-half_width, half_width);
    particle.velocity.x = draw(-2, 2);
    particle.velocity.y = draw(-2, 10);
    particle.velocity.z = draw(-2, 2);
    particle.mass = 0.01f;
    particle.radius = 0.02f;
    world.add_particle(set, particle);
  }
  return set;
}

void add_ground(physics::World& world, int crates) {
  physics::BodyDef def;
  def.motion = physics::MotionType::Static;
  physics::ShapeDef shape;
  shape.shape = state::plane();
  world.add_shape(world.create_body(def), shape);
  const int row = 20;
  const double apart = 2.0;
  for (int i = 0; i < crates; ++i) {
    const int across = i % row, along = i / row;
    def.pose.position = {(across - 0.5 * row) * apart, 0.5, (along - 0.5 * row) * apart};
    shape.shape = state::box({0.5f, 0.5f, 0.5f});
    world.add_shape(world.create_body(def), shape);
  }
}

void add_fields(physics::World& world) {
  forces::Wind wind;
  wind.velocity = {2, 0, 0};
  wind.coefficient = 0.47f;
  world.create_force_field({wind, {}});
  forces::Attraction attraction;
  attraction.centre = {0, 10, 0};
  attraction.law.strength = 50;
  attraction.law.softening = 1;
  world.create_force_field({attraction, {}});
}

double milliseconds_of_processor() {
  return 1e3 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace

std::string measure_particles(const ParticleBench& bench) {
  const std::optional<forces::Integrator> integrator = forces::integrator_named(bench.integrator);
  if (!integrator) return {};
  physics::World world{physics::WorldOptions{}};
  world.set_execution({bench.threads, simd::best_instruction_set()});
  add_ground(world, bench.crates);
  add_fields(world);
  add_particles(world, bench.count, *integrator);

  using Clock = std::chrono::steady_clock;
  std::vector<double> step_ms;
  const double processor_before = milliseconds_of_processor();
  for (int i = 0; i < bench.steps; ++i) {
    const Clock::time_point before = Clock::now();
    world.step();
    step_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
  }
  const double processor_ms = milliseconds_of_processor() - processor_before;
  std::sort(step_ms.begin(), step_ms.end());
  double sum = 0;
  for (const double ms : step_ms)
    sum += ms;
  const auto at = [&](double share) {
    return step_ms[static_cast<std::size_t>(share * static_cast<double>(step_ms.size() - 1))];
  };
  char text[512];
  std::snprintf(text, sizeof text,
                "particles        %u, %s, %d threads, %d crates, %d steps\nmean_ms          "
                "%.3f\nmedian_ms        %.3f\np99_ms           %.3f\nmax_ms           %.3f\ncpu_ms "
                "          %.3f\nhash             %016llx\n",
                bench.count, bench.integrator.c_str(), bench.threads, bench.crates, bench.steps,
                sum / bench.steps, at(0.5), at(0.99), step_ms.back(), processor_ms / bench.steps,
                static_cast<unsigned long long>(world.hash().total));
  return text;
}

}  // namespace jostle::bench
