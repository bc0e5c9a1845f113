#include "tools/matrix/runner.h"

#include "shared/base/printable.h"
#include "shared/base/random.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"
#include "shared/sim/simulation.h"
#include "tools/matrix/embedded_scenes.h"
#include "tools/rig/rig.h"
#include "tools/workload/scenes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace jostle::matrix {
namespace {

constexpr std::string_view gallery_prefix = "gallery/", bench_prefix = "bench/";
constexpr const char* list_hint = ": jostle-matrix --list prints the scenes";
constexpr std::uint16_t player_count = 2;
constexpr std::uint32_t blow_ticks = 20;  // ticks between two random impulses
// m/s, maximum of each component of the velocity that an impulse adds
constexpr float blow_speed = 4;

class Reporter {
 public:
  Reporter(const RunLine& line, const std::function<void(const Checkpoint&)>& report)
      : ticks_(line.ticks), report_(report) {}

  void add(const physics::World& world, std::uint32_t tick, const auto& hash) {
    const physics::StepStats stats = world.stats();
    reached_.tick = tick;
    reached_.awake_body_ticks += stats.awake_bodies;
    reached_.quarantined_bodies =
        std::max<std::uint32_t>(reached_.quarantined_bodies, stats.quarantined_bodies);
    if (tick % checkpoint_ticks != 0 && tick != ticks_) return;
    reached_.hash = hash();
    report_(reached_);
  }

 private:
  std::uint32_t ticks_;
  const std::function<void(const Checkpoint&)>& report_;
  Checkpoint reached_;
};

std::optional<std::string> run_gallery(const RunLine& line, std::string_view name,
                                       Reporter reporter) {
  const auto scenes = embedded_scenes();
  const auto found = std::ranges::find(scenes, name, &EmbeddedScene::name);
  if (found == scenes.end())
    return "the gallery has no scene '" + base::printable(name) + "'" + list_hint;
  auto scene = scene::read_scene(found->content, name);
  if (!scene) return scene.error().text();

  sim::Simulation simulation(*std::move(scene), {state::default_tick_rate_hz, line.seed},
                             sim::default_rules());
  simulation.set_execution(line.execution);
  sim::RandomInputs players(line.seed, player_count);
  for (std::uint32_t tick = 1; tick <= line.ticks; ++tick) {
    simulation.step(players.next(simulation));
    reporter.add(simulation.world(), tick, [&] { return simulation.hash().total; });
  }
  return std::nullopt;
}

/// Applies a random impulse to a random body. Does nothing if the body is not dynamic.
void strike(const workload::Scene& scene, base::Random& random, rig::Rig& rig) {
  const std::uint32_t body = random.below(static_cast<std::uint32_t>(scene.bodies.size()));
  const auto any_vector = [&random](float size) {
    const float x = random.between(-size, size);
    const float y = random.between(-size, size);
    const float z = random.between(-size, size);
    return math::Vec3{x, y, z};
  };
  const math::Vec3 velocity = any_vector(blow_speed), point = any_vector(0.1f);
  if (!workload::is_dynamic(scene.bodies[body])) return;
  rig::push(rig, body, rig.world.mass(rig.bodies[body]) * velocity, point);
}

std::optional<std::string> run_bench(const RunLine& line, std::string_view name,
                                     Reporter reporter) {
  const auto scene = workload::make_scene(name);
  if (!scene) return "there is no benchmark scene '" + base::printable(name) + "'" + list_hint;
  auto rig = rig::set_up(*scene, line.execution, {});
  if (!rig) return rig.error();

  base::Random random(line.seed);
  for (std::uint32_t tick = 1; tick <= line.ticks; ++tick) {
    if (tick % blow_ticks == 0) strike(*scene, random, *rig);
    rig::step(*scene, static_cast<int>(tick) - 1, *rig);
    reporter.add(rig->world, tick, [&] { return rig->world.hash().total; });
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> run(const RunLine& line,
                               const std::function<void(const Checkpoint&)>& report) {
  const std::string_view scene = line.scene;
  const Reporter reporter(line, report);
  if (scene.starts_with(gallery_prefix))
    return run_gallery(line, scene.substr(gallery_prefix.size()), reporter);
  if (scene.starts_with(bench_prefix))
    return run_bench(line, scene.substr(bench_prefix.size()), reporter);
  return "'" + base::printable(scene) + "' is neither gallery/NAME nor bench/NAME" + list_hint;
}

}  // namespace jostle::matrix
