#pragma once

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

/// Time that one stage of a step took.
struct StageTime {
  std::string_view name;  // lives as long as the program
  double ms = 0;
};

/// A stretch of a step in one stage; stages like the solver's have many.
struct StageSpan {
  std::uint32_t stage = 0;         // index in Engine::stage_times
  float begin_ms = 0, end_ms = 0;  // since the step began
};

/// What the engine counted in the last step. An engine that does not count a thing says 0.
struct StepCounts {
  std::uint32_t awake = 0;
  std::uint32_t touching_pairs = 0;
  std::uint32_t contact_points = 0;
};

/// How the engine is to run.
struct EngineSettings {
  int threads = 1;
  std::string simd = "auto";  // the fastest; or the name of a level
};

/// One engine with one scene in it. Bodies go by their index in Scene::bodies.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual void step() = 0;
  virtual workload::BodyState state(std::uint32_t body) const = 0;
  // What the scene's courses and pushes need: workload::Hands.
  virtual state::PushedBody look_at(std::uint32_t body) const = 0;
  virtual void push(std::uint32_t body, math::Vec3 impulse, math::Vec3 point) = 0;
  virtual void drive(std::uint32_t body, math::Vec3 velocity) = 0;
  virtual void move(std::uint32_t body, const math::Pose& target) = 0;
  virtual StepCounts counts() const = 0;
  /// The instructions that it runs with, by name; lives as long as the program. An engine that has
  /// no choice of them says "own".
  virtual std::string_view simd() const { return "own"; }
  /// Of the last step, in the order in which they ran; empty when the engine does not say.
  virtual std::span<const StageTime> stage_times() const { return {}; }
  /// What stage_times sums up, in the order of time.
  virtual std::span<const StageSpan> stage_spans() const { return {}; }
  /// Of everything that the next step reads; 0 when the engine has none.
  virtual std::uint64_t state_hash() const { return 0; }
};

/// A way to make an engine. `make` returns null and says why in words when the engine cannot run
/// the scene as asked.
struct EngineKind {
  std::string_view name;
  std::function<std::unique_ptr<Engine>(const workload::Scene& scene,
                                        const EngineSettings& settings, std::string& refusal)>
      make;
};

EngineKind jostle_engine();
/// Why jostle_engine cannot run with EngineSettings::simd of that name, in words that say which it
/// can; empty when it can.
std::string simd_fault(const std::string& name);
/// For the workload that to_workload makes of the file: its world is the one that the server makes.
/// The file must live longer.
EngineKind jostle_engine(const scene::SceneDef& file);
/// Empty `make` when the program was built without Bullet.
EngineKind bullet_engine();

}  // namespace jostle::bench
