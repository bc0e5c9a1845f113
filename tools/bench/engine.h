#pragma once

#include "shared/physics/stabilizers.h"
#include "shared/scene/scene.h"
#include "tools/workload/body_state.h"
#include "tools/workload/scene.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace jostle::bench {

/// The time that one stage of a step took.
struct StageTime {
  std::string_view name;  // name with static lifetime
  double ms = 0;
};

/// One uninterrupted interval of a stage within a step. A stage that runs in every substep has many
/// intervals.
struct StageSpan {
  std::uint32_t stage = 0;         // index in Engine::stage_times
  float begin_ms = 0, end_ms = 0;  // times since the step began
};

/// The counters of the last step. They are 0 if the engine has no such counter.
struct StepCounts {
  std::uint32_t awake = 0;
  std::uint32_t touching_pairs = 0;
  std::uint32_t contact_points = 0;
};

/// The settings that an engine runs with.
struct EngineSettings {
  int threads = 1;
  std::string simd = "auto";         // name of an instruction set, or "auto" for the fastest one
  physics::Stabilizers stabilizers;  // those that act in benchmark scenes; files use all of them
};

/// An engine with one scene loaded. Bodies are identified by their index in Scene::bodies.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual void step() = 0;
  virtual workload::BodyState state(std::uint32_t body) const = 0;
  // The functions that the scene's kinematic motions and pushes need (workload::EngineControls,
  // which documents them).
  virtual state::PushedBody body_state(std::uint32_t body) const = 0;
  virtual void push(std::uint32_t body, math::Vec3 impulse, math::Vec3 point) = 0;
  virtual void drive(std::uint32_t body, math::Vec3 velocity) = 0;
  virtual void move(std::uint32_t body, const math::Pose& target) = 0;
  virtual StepCounts counts() const = 0;
  /// Returns the name of the SIMD instructions in use, with static lifetime. Returns "own" if the
  /// engine offers no choice.
  virtual std::string_view simd() const { return "own"; }
  /// Returns the times of the stages of the last step, in order of execution. The result is empty
  /// if the engine does not measure them.
  virtual std::span<const StageTime> stage_times() const { return {}; }
  /// Returns the intervals whose durations stage_times() sums up, ordered by time.
  virtual std::span<const StageSpan> stage_spans() const { return {}; }
  /// Returns a hash of the engine's state, or 0 if the engine computes none. The hash of jostle
  /// covers all state that the next step reads, that of Bullet the poses and velocities.
  virtual std::uint64_t state_hash() const { return 0; }
};

/// A factory of an engine. `make` returns null and sets `refusal` to a sentence if the engine
/// cannot run the scene with these settings.
struct EngineKind {
  std::string_view name;
  std::function<std::unique_ptr<Engine>(const workload::Scene& scene,
                                        const EngineSettings& settings, std::string& refusal)>
      make;
};

EngineKind jostle_engine();
/// Returns an error message with the supported names if jostle_engine() does not support `name` as
/// EngineSettings::simd. Returns an empty string otherwise.
std::string simd_fault(const std::string& name);
/// Returns the jostle engine for a workload that to_workload() made from `file`. Its world equals
/// the one that the server creates from the file. `file` must outlive the returned value.
EngineKind jostle_engine(const scene::SceneDef& file);
/// Returns the Bullet engine. `make` is empty if the program was built without Bullet.
EngineKind bullet_engine();

}  // namespace jostle::bench
