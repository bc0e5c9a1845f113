#include "tools/priors/train.h"

#include "tools/priors/make_frames.h"
#include "tools/priors/train_coder.h"
#include "tools/priors/training_pass.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace jostle::priors {
namespace {

constexpr int fitting_passes = 6, counting_passes = 1;
/// Step sizes of the last passes, as right shifts: each is half of the one before.
constexpr std::array<int, 3> tuning_shifts{19, 20, 21};

struct TrainingRuns {
  std::vector<snapshots::FrameSet> sets;
  std::vector<PredictedFrames> predicted;  // one per frame set, or empty
};

template <class Layout>
protocol::context::Priors<Layout> train(const TrainingRuns& runs) {
  TrainCoder<Layout> coder;
  const int passes = fitting_passes + counting_passes + static_cast<int>(tuning_shifts.size());
  for (int i = 0; i < passes; ++i) {
    const bool is_fitting = i < fitting_passes;
    if (i <= fitting_passes) coder.forget_counts();
    coder.set_observing(is_fitting);
    if (const int tuning = i - fitting_passes - counting_passes; tuning >= 0)
      coder.set_tuning(tuning_shifts[static_cast<std::size_t>(tuning)]);
    const std::size_t frames = train_pass(coder, runs.sets, runs.predicted, is_fitting ? 3 : 1);
    if (is_fitting) coder.solve_regressions();
    std::fprintf(stderr, "pass %d of %d: %.2f bytes per frame\n", i + 1, passes,
                 coder.take_cost_bits() / 8 / static_cast<double>(frames));
  }
  return coder.priors();
}

template <class Values>
void append_values(std::string& text, const Values& values) {
  constexpr std::size_t line_length = 98;
  std::string line = "{";
  for (const auto value : values) {
    const std::string word = std::to_string(value) + ",";
    if (line.size() + word.size() > line_length) {
      text += line + "\n";
      line.clear();
    }
    line += word;
  }
  line.back() = '}';
  text += line + ",\n";
}

template <class Layout>
std::string to_text(const protocol::context::Priors<Layout>& priors) {
  std::string text;
  append_values(text, priors.log_odds);
  append_values(text, priors.weights);
  append_values(text, priors.coefficients);
  return text;
}

struct RunSettings {
  std::uint64_t seed;
  int activity;    // strength of the player's input, 0 to 2
  double spacing;  // factor of the distances of the bodies
};

std::vector<RunSettings> run_settings() {
  std::vector<RunSettings> all;
  // No benchmark uses these seeds.
  for (std::uint64_t seed = 101; seed < 105; ++seed) {
    for (int activity = 0; activity < 3; ++activity) {
      if (activity == 0 && seed > 102) continue;
      for (const double spacing : {1.0, 0.7})
        all.push_back({seed, activity, spacing});
    }
  }
  return all;
}

TrainingRuns make_runs(const scene::SceneDef& scene, bool uses_prediction_baseline, int ticks) {
  TrainingRuns runs;
  const std::vector<RunSettings> all = run_settings();
  for (const auto& [seed, activity, spacing] : all) {
    // Half of the runs for codec 2 use the flag "interacting", which frames of other engines
    // contain. Codec 3 encodes only frames of jostle.
    const bool keeps_interacting =
        !uses_prediction_baseline && (seed + static_cast<std::uint64_t>(activity)) % 2 == 0;
    const scene::SceneDef spaced = with_spacing(scene, spacing);
    runs.sets.push_back(
        make_frames(spaced, seed + (spacing < 1 ? 100 : 0), activity, ticks, keeps_interacting));
    if (uses_prediction_baseline)
      runs.predicted.push_back(predict_baseline_frames(spaced, runs.sets.back()));
    std::fprintf(stderr, "run %zu of %zu\n", runs.sets.size(), all.size());
  }
  return runs;
}

}  // namespace

std::string train_priors(const scene::SceneDef& scene, Codec codec, int ticks) {
  using namespace protocol::context;
  const bool uses_prediction_baseline = codec == Codec::Predicted;
  const TrainingRuns runs = make_runs(scene, uses_prediction_baseline, ticks);
  return uses_prediction_baseline ? to_text(train<PredictedLayout>(runs))
                                  : to_text(train<PlainLayout>(runs));
}

}  // namespace jostle::priors
