#include "shared/simd/instruction_set.h"
#include "tools/bench/figures.h"
#include "tools/bench/measurement.h"
#include "tools/bench/rollback.h"
#include "tools/bench/trace.h"
#include "tools/workload/scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

namespace jostle::bench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

/// An engine with known results: its bodies fall without touching anything.
class FallingEngine final : public Engine {
 public:
  explicit FallingEngine(const workload::Scene& scene) : scene_(scene) {}

  void step() override {
    ++steps_;
    stages_[0].ms = 0.25;
    stages_[1].ms = 0.5;
  }
  workload::BodyState state(std::uint32_t body) const override {
    workload::BodyState state;
    state.position = scene_.bodies[body].position;
    if (workload::is_dynamic(scene_.bodies[body])) state.position.y -= static_cast<float>(steps_);
    return state;
  }
  state::PushedBody body_state(std::uint32_t) const override { return {}; }
  void push(std::uint32_t, math::Vec3, math::Vec3) override {}
  void drive(std::uint32_t, math::Vec3) override {}
  void move(std::uint32_t, const math::Pose&) override {}
  StepCounts counts() const override { return {3, 2, 1}; }
  std::span<const StageTime> stage_times() const override { return stages_; }
  std::uint64_t state_hash() const override { return static_cast<std::uint64_t>(steps_); }

 private:
  const workload::Scene& scene_;
  int steps_ = 0;
  std::array<StageTime, 2> stages_{StageTime{"find", 0}, StageTime{"solve", 0}};
};

EngineKind falling_engine() {
  return {"falling",
          [](const workload::Scene& scene, const EngineSettings&, std::string&)
              -> std::unique_ptr<Engine> { return std::make_unique<FallingEngine>(scene); }};
}

EngineKind refusing_engine() {
  return {"refusing",
          [](const workload::Scene&, const EngineSettings&,
             std::string& refusal) -> std::unique_ptr<Engine> {
            refusal = "no boxes here";
            return nullptr;
          }};
}

EngineKind dying_engine() {
  return {"dying",
          [](const workload::Scene&, const EngineSettings&,
             std::string&) -> std::unique_ptr<Engine> { std::abort(); }};
}

TEST(Measure, StepsEachEngineTheRequestedNumberOfTimes) {
  const workload::Scene scene = *workload::make_scene("pyramid");
  MeasureOptions options;
  options.steps = 25;
  options.rounds = 2;
  const std::array engines{falling_engine(), falling_engine()};
  const auto measured = measure(scene, engines, options);
  ASSERT_THAT(measured, SizeIs(2));
  for (const Measurement& measurement : measured) {
    EXPECT_EQ(measurement.failure, "");
    ASSERT_THAT(measurement.rounds, SizeIs(2));
    for (const Round& round : measurement.rounds) {
      EXPECT_THAT(round.step_ms, SizeIs(25));
      EXPECT_EQ(round.hash, 25U);
      EXPECT_EQ(round.counts.touching_pairs, 2U);
      EXPECT_FLOAT_EQ(round.states[1].position.y, 0.5f - 25);
      EXPECT_FLOAT_EQ(round.stage_ms[1], 0.5f);
    }
  }
}

TEST(Measure, ObservesEveryStepOfAnUntimedRound) {
  workload::Scene scene = *workload::make_scene("pyramid");
  scene.warm_up_steps = 2;
  MeasureOptions options;
  options.steps = 25;
  const std::array engines{falling_engine()};
  const Measurement measured = measure(scene, engines, options)[0];
  // The lowest boxes begin at 0.5 m and the highest at 29.5 m. They fall 1 m a step, with speeds of
  // zero.
  EXPECT_NEAR(measured.observation.motion.y_min, 0.5 - 27, 1e-5);
  EXPECT_NEAR(measured.observation.motion.y_max, 29.5 - 2, 1e-5);
  EXPECT_EQ(measured.observation.motion.speed_max, 0);
  EXPECT_EQ(measured.observation.hash, 27U);
  const Figures figures = summarise(scene, measured, options);
  EXPECT_NEAR(figures.y_min, 0.5 - 27, 1e-5);
  EXPECT_TRUE(figures.is_repeatable);
  EXPECT_EQ(figures.energy_gain_max, 0.0);
  EXPECT_EQ(figures.energy_gain_share, 0.0);
}

TEST(Measure, ReportsNoEnergyBalanceIfTheSceneDrivesBodies) {
  const workload::Scene scene = *workload::make_scene("cubes901");
  MeasureOptions options;
  options.steps = 1;
  const std::array engines{falling_engine()};
  const Figures figures = summarise(scene, measure(scene, engines, options)[0], options);
  EXPECT_THAT(to_json(figures), HasSubstr("\"energy_gain_max\": null"));
  EXPECT_THAT(to_text(figures), HasSubstr("energy gain not measured"));
}

TEST(Measure, ReportsWhyAnEngineCouldNotRun) {
  const workload::Scene scene = *workload::make_scene("pyramid");
  MeasureOptions options;
  options.steps = 3;
  const std::array engines{refusing_engine(), falling_engine(), dying_engine()};
  const auto measured = measure(scene, engines, options);
  EXPECT_EQ(measured[0].failure, "no boxes here");
  EXPECT_EQ(measured[1].failure, "");
  EXPECT_THAT(measured[2].failure, HasSubstr("died"));
}

TEST(Measure, HashDoesNotDependOnTheLengthOfTurns) {
  const workload::Scene scene = *workload::make_scene("boxes40");
  MeasureOptions options;
  options.steps = 12;
  const std::array engines{jostle_engine()};
  const auto in_tens = measure(scene, engines, options);
  options.slice_steps = 1;
  const auto one_by_one = measure(scene, engines, options);
  ASSERT_EQ(in_tens[0].failure, "");
  EXPECT_EQ(in_tens[0].rounds[0].hash, one_by_one[0].rounds[0].hash);
  EXPECT_NE(in_tens[0].rounds[0].hash, 0U);
}

TEST(Measure, ReportsTheSimdLevelUsed) {
  const workload::Scene scene = *workload::make_scene("boxes4");
  MeasureOptions options;
  options.steps = 1;
  const std::array engines{jostle_engine(), falling_engine()};
  const auto fastest = measure(scene, engines, options);
  EXPECT_EQ(summarise(scene, fastest[0], options).simd,
            simd::name_of(simd::best_instruction_set()));
  EXPECT_EQ(summarise(scene, fastest[1], options).simd, "own");
  options.settings.simd = "plain";
  EXPECT_EQ(summarise(scene, measure(scene, engines, options)[0], options).simd, "plain");
  EXPECT_EQ(simd_fault("plain"), "");
  EXPECT_EQ(simd_fault("auto"), "");
  EXPECT_THAT(simd_fault("loud"), AllOf(HasSubstr("'loud'"), HasSubstr("auto, plain")));
}

TEST(Figures, SummariseTheMeasuredRun) {
  const workload::Scene scene = *workload::make_scene("pyramid");
  Measurement measurement;
  measurement.engine = "hand";
  Round round;
  for (int i = 1; i <= 200; ++i)
    round.step_ms.push_back(static_cast<float>(i));
  round.stage_names = {"all"};
  round.stage_ms = {2};
  for (const workload::Body& body : scene.bodies)
    round.states.push_back({body.position, body.rotation, {}, {}});
  round.states[3].position.y = -2;
  measurement.rounds = {round};
  const Figures figures = summarise(scene, measurement, {});
  EXPECT_DOUBLE_EQ(figures.mean_ms, 100.5);
  EXPECT_DOUBLE_EQ(figures.median_ms, 100);
  EXPECT_DOUBLE_EQ(figures.p99_ms, 198);
  EXPECT_DOUBLE_EQ(figures.max_ms, 200);
  EXPECT_DOUBLE_EQ(figures.last100_ms, 150.5);
  EXPECT_EQ(figures.bodies, 465);
  EXPECT_EQ(figures.below_floor, 1);
  EXPECT_EQ(figures.dropped, 1);
}

TEST(Report, JsonHasEveryFieldOnOneLine) {
  Figures figures;
  figures.engine = "hand";
  figures.scene = "a \"quoted\" scene";
  figures.stage_ms = {{"solve", 1.5}};
  const std::string line = to_json(figures);
  for (const char* field :
       {"engine",           "scene",       "steps",         "threads",       "simd",
        "mean_ms",          "median_ms",   "p99_ms",        "max_ms",        "last100_ms",
        "create_ms",        "cpu_ms",      "bodies",        "awake",         "pairs",
        "points",           "below_floor", "outside",       "nonfinite",     "drift_max",
        "dropped",          "hash",        "joint_gap_max", "joint_gap_end", "penetration_max",
        "rss_mb",           "v_max",       "y_min",         "y_max",         "energy_gain_max",
        "energy_gain_share"}) {
    EXPECT_THAT(line, HasSubstr("\"" + std::string(field) + "\": "));
  }
  EXPECT_THAT(line, HasSubstr("\"scene\": \"a _quoted_ scene\""));
  EXPECT_THAT(line, HasSubstr("\"stage_ms\": {\"solve\": 1.5}"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(Report, QuotientsDivideOurTimesByThePeers) {
  Figures ours, peer;
  ours.engine = "a";
  peer.engine = "b";
  ours.mean_ms = 1;
  peer.mean_ms = 4;
  const std::string line = to_json_quotients(ours, peer);
  EXPECT_THAT(line, HasSubstr("\"quotient\": \"a/b\""));
  EXPECT_THAT(line, HasSubstr("\"mean_ms\": 0.25"));
  EXPECT_THAT(line, HasSubstr("\"p99_ms\": null"));  // no value to divide by
}

TEST(Report, RollbackTextCountsInTheSingularForOne) {
  RollbackFigures figures;
  figures.scene = "crates";
  figures.bodies = 1;
  RollbackBench bench;
  bench.threads = 1;
  bench.rounds = 5;
  EXPECT_THAT(to_text(figures, bench), HasSubstr("crates, 1 body, 0 awake; 1 thread, 5 rounds\n"));
}

TEST(Trace, PlacesStagesAtTheTimesTheyRan) {
  Round round;
  round.step_ms = {2, 3};
  round.stage_names = {"find", "solve"};
  round.stage_spans = {{{0, 0, 0.5f}, {1, 0.5f, 1.5f}},
                       {{0, 0, 0.25f}, {1, 0.25f, 1}, {0, 1, 1.25f}, {1, 1.5f, 2.5f}}};
  const std::string trace = to_chrome_trace("hand", round);
  EXPECT_THAT(trace, HasSubstr("{\"name\": \"hand step 1\", \"ph\": \"X\", \"ts\": 2000.000, "
                               "\"dur\": 3000.000, \"pid\": 1, \"tid\": 1}"));
  EXPECT_THAT(trace, HasSubstr("{\"name\": \"solve\", \"ph\": \"X\", \"ts\": 3500.000, "
                               "\"dur\": 1000.000, \"pid\": 1, \"tid\": 1}"));
  EXPECT_TRUE(trace.starts_with("[") && trace.ends_with("]\n"));
}

}  // namespace
}  // namespace jostle::bench
