#include "tools/bench/rollback.h"

#include "shared/base/counted.h"
#include "shared/compression/compression.h"
#include "shared/rollback/rollback_buffer.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"
#include "shared/sim/simulation.h"
#include "tools/bench/json_object.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

namespace jostle::bench {
namespace {

constexpr std::uint16_t player_count = 2;

double microseconds_of(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point before = Clock::now();
  work();
  return std::chrono::duration<double, std::micro>(Clock::now() - before).count();
}

Spread spread_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  return {at(0.5), at(0.99), times.back()};
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

/// Measures rollbacks. After each step of one simulation, a second simulation is restored from the
/// saved state of the first, then copied from the first, then rolled back to an earlier tick and
/// simulated again. Each of these is timed. The hashes are compared after the restoration and after
/// the rollback.
class RollbackRun {
 public:
  RollbackRun(const scene::SceneDef& scene, const RollbackBench& bench)
      : bench_(bench),
        simulation_(start(scene)),
        other_(start(scene)),
        players_(bench.seed, player_count),
        history_(bench.ticks + 1) {}

  RollbackFigures measure() {
    history_.keep(simulation_);
    for (std::uint32_t i = 0; i < bench_.skip; ++i)
      step();
    base::ByteWriter writer;
    simulation_.save(writer);
    last_ = writer.take();
    for (std::uint32_t i = 0; i < bench_.rounds; ++i)
      measure_round();

    RollbackFigures figures;
    figures.scene = simulation_.scene().name;
    figures.bodies = simulation_.world_def().bodies.size();
    figures.awake_bodies = mean_of(awake_);
    figures.save_bytes = mean_of(save_bytes_);
    figures.difference_bytes = mean_of(difference_bytes_);
    figures.history_bytes = static_cast<double>(history_.bytes_held()) /
                            static_cast<double>(*history_.newest() - *history_.oldest() + 1);
    figures.save = spread_of(save_);
    figures.restore = spread_of(restore_);
    figures.copy = spread_of(copy_);
    figures.keep = spread_of(keep_);
    figures.step = spread_of(step_);
    figures.rollback = spread_of(rollback_);
    figures.is_same = is_same_;
    return figures;
  }

 private:
  sim::Simulation start(const scene::SceneDef& scene) const {
    sim::Simulation simulation(scene, {state::default_tick_rate_hz, bench_.seed},
                               sim::default_rules());
    simulation.set_execution({bench_.threads, simd::best_instruction_set()});
    return simulation;
  }

  struct StepTimes {
    double step = 0, keep = 0;
  };
  StepTimes step() {
    const state::TickCommands commands = players_.next(simulation_);
    StepTimes times;
    times.step = microseconds_of([&] { simulation_.step(commands); });
    times.keep = microseconds_of([&] { history_.keep(simulation_, commands); });
    return times;
  }

  void measure_round() {
    const StepTimes times = step();
    step_.push_back(times.step);
    keep_.push_back(times.keep);
    awake_.push_back(simulation_.world().stats().awake_bodies);
    measure_state();
    measure_rollback();
  }

  void measure_state() {
    base::ByteWriter writer;
    writer.reserve(last_.size() + last_.size() / 8);
    save_.push_back(microseconds_of([&] { simulation_.save(writer); }));
    std::vector<std::byte> state = writer.take();
    restore_.push_back(microseconds_of([&] {
      base::ByteReader reader(state);
      is_same_ = other_.restore(reader).has_value() && is_same_;
    }));
    is_same_ = is_same_ && other_.hash() == simulation_.hash();
    copy_.push_back(microseconds_of([&] { other_.copy_from(simulation_); }));
    save_bytes_.push_back(static_cast<double>(state.size()));
    difference_bytes_.push_back(
        static_cast<double>(compression::compress_with_prefix(state, last_).size()));
    last_ = std::move(state);
  }

  void measure_rollback() {
    const std::uint32_t now = simulation_.tick().number;
    const std::uint32_t back = std::min(bench_.ticks, now - history_.oldest()->number);
    rollback_.push_back(microseconds_of([&] {
      is_same_ = history_.go_back({now - back}, other_) && is_same_;
      while (other_.tick().number < now)
        other_.step(*history_.commands_of(other_.tick() + 1));
    }));
    is_same_ = is_same_ && other_.hash() == simulation_.hash();
  }

  const RollbackBench& bench_;
  sim::Simulation simulation_, other_;
  sim::RandomInputs players_;
  rollback::RollbackBuffer history_;
  std::vector<std::byte> last_;  // the saved state of the previous tick
  std::vector<double> save_, restore_, copy_, keep_, step_, rollback_;
  std::vector<double> awake_, save_bytes_, difference_bytes_;
  bool is_same_ = true;
};

std::string line_of(const char* what, const Spread& spread) {
  char text[128];
  std::snprintf(text, sizeof text, "%-17s%9.3f %9.3f %9.3f\n", what, spread.median * 1e-3,
                spread.p99 * 1e-3, spread.max * 1e-3);
  return text;
}

void add(JsonObject& object, const std::string& name, const Spread& spread) {
  object.add(name + "_us_median", spread.median);
  object.add(name + "_us_p99", spread.p99);
  object.add(name + "_us_max", spread.max);
}

}  // namespace

RollbackFigures measure_rollback(const scene::SceneDef& scene, const RollbackBench& bench) {
  return RollbackRun(scene, bench).measure();
}

std::string to_json(const RollbackFigures& figures, const RollbackBench& bench) {
  JsonObject object(6);
  object.add("scene", figures.scene);
  object.add("bodies", static_cast<long long>(figures.bodies));
  object.add("awake_bodies", figures.awake_bodies);
  object.add("threads", static_cast<long long>(bench.threads));
  object.add("ticks", static_cast<long long>(bench.ticks));
  object.add("rounds", static_cast<long long>(bench.rounds));
  object.add("save_bytes", figures.save_bytes);
  object.add("save_bytes_per_body", figures.save_bytes / static_cast<double>(figures.bodies));
  object.add("difference_bytes", figures.difference_bytes);
  object.add("history_bytes_per_state", figures.history_bytes);
  add(object, "save", figures.save);
  add(object, "restore", figures.restore);
  add(object, "copy", figures.copy);
  add(object, "keep", figures.keep);
  add(object, "step", figures.step);
  add(object, "rollback", figures.rollback);
  object.add("is_same", static_cast<long long>(figures.is_same));
  return object.finish();
}

std::string to_text(const RollbackFigures& figures, const RollbackBench& bench) {
  const auto bodies = static_cast<double>(figures.bodies);
  char text[512];
  std::snprintf(
      text, sizeof text,
      "scene            %s, %s, %.0f awake; %s, %s\nstate            %.0f "
      "bytes, %.0f per body\n  difference     %.0f bytes from the previous tick\n  history        "
      "%.0f bytes per tick\nms                  median       p99       max\n",
      figures.scene.c_str(), base::counted(figures.bodies, "body").c_str(), figures.awake_bodies,
      base::counted(bench.threads, "thread").c_str(), base::counted(bench.rounds, "round").c_str(),
      figures.save_bytes, figures.save_bytes / bodies, figures.difference_bytes,
      figures.history_bytes);
  return text + line_of("save", figures.save) + line_of("restore", figures.restore) +
         line_of("copy", figures.copy) + line_of("keep in history", figures.keep) +
         line_of("step", figures.step) +
         line_of((std::to_string(bench.ticks) + " ticks back").c_str(), figures.rollback);
}

}  // namespace jostle::bench
