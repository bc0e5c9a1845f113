#include "tools/bench/engine.h"
#include "tools/rig/rig.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace jostle::bench {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::array<StageTime, physics::stage_count> name_stages() {
  std::array<StageTime, physics::stage_count> stages;
  for (std::size_t i = 0; i < stages.size(); ++i)
    stages[i].name = physics::name_of(static_cast<physics::Stage>(i));
  return stages;
}

/// The level of that name, "auto" for the fastest; nothing, and why in words, where there is none
/// that this machine can run.
std::optional<simd::Level> find_level(const std::string& name, std::string& refusal) {
  if (name == "auto") return simd::best_level();
  std::string known;
  for (const simd::Level level : simd::all_levels) {
    if (!simd::is_supported(level)) continue;
    if (simd::name_of(level) == name) return level;
    known += ", " + std::string(simd::name_of(level));
  }
  refusal = "this machine has no instructions '" + name + "': use auto" + known;
  return std::nullopt;
}

class JostleEngine final : public Engine {
 public:
  explicit JostleEngine(rig::Rig rig) : rig_(std::move(rig)) {
    rig_.world.set_stage_clock(seconds_now);
  }

  void step() override {
    rig_.world.step();
    for (std::size_t i = 0; i < physics::stage_count; ++i)
      stages_[i].ms = 1e3 * rig_.world.stats().stage_seconds[i];
  }
  std::span<const StageTime> stage_times() const override { return stages_; }

  workload::BodyState state(std::uint32_t body) const override { return rig::state_of(rig_, body); }
  void push(std::uint32_t body, math::Vec3 impulse) override { rig::push(rig_, body, impulse); }
  void drive(std::uint32_t body, math::Vec3 velocity) override { rig::drive(rig_, body, velocity); }

  StepCounts counts() const override {
    const physics::StepStats& stats = rig_.world.stats();
    return {stats.awake_bodies, stats.touching_pairs, stats.contact_points};
  }

  std::uint64_t state_hash() const override { return rig_.world.hash().total; }

 private:
  rig::Rig rig_;
  std::array<StageTime, physics::stage_count> stages_ = name_stages();
};

std::unique_ptr<Engine> make(const workload::Scene& scene, const EngineSettings& settings,
                             std::string& refusal) {
  const auto level = find_level(settings.simd, refusal);
  if (!level) return nullptr;
  auto rig = rig::set_up(scene, {.threads = settings.threads, .simd = *level}, {});
  if (!rig) {
    refusal = rig.error();
    return nullptr;
  }
  return std::make_unique<JostleEngine>(*std::move(rig));
}

}  // namespace

EngineKind jostle_engine() {
  return {"jostle", make};
}

}  // namespace jostle::bench
