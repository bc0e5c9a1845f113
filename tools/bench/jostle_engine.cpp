#include "tools/bench/engine.h"
#include "tools/bench/scene_file.h"
#include "tools/rig/rig.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

/// Returns the instruction set named `name`, or the fastest one for "auto". Returns null if the
/// name is unknown or this machine does not support the instruction set.
std::optional<simd::InstructionSet> find_level(const std::string& name) {
  if (name == "auto") return simd::best_instruction_set();
  const std::optional<simd::InstructionSet> level = simd::parse_instruction_set(name);
  return level && simd::is_supported(*level) ? level : std::nullopt;
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
    note_spans();
  }
  std::span<const StageTime> stage_times() const override { return stages_; }
  std::span<const StageSpan> stage_spans() const override { return spans_; }

  workload::BodyState state(std::uint32_t body) const override { return rig::state_of(rig_, body); }
  state::PushedBody body_state(std::uint32_t body) const override {
    return rig::body_state(rig_, body);
  }
  void push(std::uint32_t body, math::Vec3 impulse, math::Vec3 point) override {
    rig::push(rig_, body, impulse, point);
  }
  void drive(std::uint32_t body, math::Vec3 velocity) override { rig::drive(rig_, body, velocity); }
  void move(std::uint32_t body, const math::Pose& target) override {
    rig::move(rig_, body, target);
  }

  StepCounts counts() const override {
    const physics::StepStats& stats = rig_.world.stats();
    return {stats.awake_bodies, stats.touching_pairs, stats.contact_points};
  }

  std::string_view simd() const override { return simd::name_of(rig_.world.execution().simd); }
  std::uint64_t state_hash() const override { return rig_.world.hash().total; }

 private:
  void note_spans() {
    spans_.clear();
    const std::span<const physics::StageSpan> spans = rig_.world.stage_spans();
    for (const physics::StageSpan& span : spans) {
      const auto since_begin = [&](double time) {
        return static_cast<float>(1e3 * (time - spans.front().begin));
      };
      spans_.push_back(
          {static_cast<std::uint32_t>(span.stage), since_begin(span.begin), since_begin(span.end)});
    }
  }

  rig::Rig rig_;
  std::array<StageTime, physics::stage_count> stages_ = name_stages();
  std::vector<StageSpan> spans_;
};

/// Returns an engine with the rig that `set_up` returns for the execution of `settings`. Returns
/// null and sets `refusal` if the machine does not support `settings.simd` or `set_up` returns an
/// error.
template <typename SetUp>
std::unique_ptr<Engine> make(const EngineSettings& settings, std::string& refusal,
                             const SetUp& set_up) {
  const auto level = find_level(settings.simd);
  if (!level) {
    refusal = simd_fault(settings.simd);
    return nullptr;
  }
  base::Result<rig::Rig, std::string> rig =
      set_up(physics::Execution{.threads = settings.threads, .simd = *level});
  if (!rig) {
    refusal = rig.error();
    return nullptr;
  }
  return std::make_unique<JostleEngine>(*std::move(rig));
}

}  // namespace

std::string simd_fault(const std::string& name) {
  if (find_level(name)) return {};
  std::string known = "auto";
  for (const simd::InstructionSet level : simd::all_instruction_sets) {
    if (simd::is_supported(level)) known += ", " + std::string(simd::name_of(level));
  }
  return "this machine or this build does not support the instructions '" + name +
         "': use one of " + known;
}

EngineKind jostle_engine() {
  return {"jostle",
          [](const workload::Scene& scene, const EngineSettings& settings, std::string& refusal) {
            return make(settings, refusal, [&](const physics::Execution& execution) {
              return rig::set_up(scene, execution, {}, settings.stabilizers);
            });
          }};
}

EngineKind jostle_engine(const scene::SceneDef& file) {
  return {"jostle",
          [&file](const workload::Scene&, const EngineSettings& settings, std::string& refusal) {
            return make(
                settings, refusal,
                [&](const physics::Execution& execution) -> base::Result<rig::Rig, std::string> {
                  return set_up(file, execution);
                });
          }};
}

}  // namespace jostle::bench
