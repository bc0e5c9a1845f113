#include "tools/priors/make_frames.h"
#include "tools/priors/train_coder.h"
#include "tools/priors/training_pass.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::priors {
namespace {

constexpr int ticks_per_set = 2'838;
constexpr int fitting_passes = 6, counting_passes = 1;
/// Steps of the last passes, finer and finer.
constexpr std::array<int, 3> tuning_shifts{19, 20, 21};

template <class Layout>
protocol::context::Priors<Layout> train(const std::vector<snapshots::FrameSet>& sets,
                                        const std::vector<ForeseenFrames>& foreseen) {
  TrainCoder<Layout> coder;
  const int passes = fitting_passes + counting_passes + static_cast<int>(tuning_shifts.size());
  for (int i = 0; i < passes; ++i) {
    const bool is_fitting = i < fitting_passes;
    if (i <= fitting_passes) coder.forget_counts();
    coder.set_observing(is_fitting);
    if (const int tuning = i - fitting_passes - counting_passes; tuning >= 0)
      coder.set_tuning(tuning_shifts[static_cast<std::size_t>(tuning)]);
    const std::size_t frames = train_pass(coder, sets, foreseen, is_fitting ? 3 : 1);
    if (is_fitting) coder.solve_regressions();
    std::fprintf(stderr, "pass %d: %.2f B/frame\n", i,
                 coder.take_cost_bits() / 8 / static_cast<double>(frames));
  }
  return coder.priors();
}

template <class Values>
void write_values(std::ofstream& file, const Values& values) {
  constexpr std::size_t line_length = 98;
  std::string line = "{";
  for (const auto value : values) {
    const std::string text = std::to_string(value) + ",";
    if (line.size() + text.size() > line_length) {
      file << line << "\n";
      line.clear();
    }
    line += text;
  }
  line.back() = '}';
  file << line << ",\n";
}

template <class Layout>
int write_priors(const protocol::context::Priors<Layout>& priors, const std::string& path) {
  std::ofstream file(path);
  write_values(file, priors.log_odds);
  write_values(file, priors.weights);
  write_values(file, priors.coefficients);
  return file ? 0 : 1;
}

/// Priors of codec v3 if `foresees`, else of v2.
int train_to(const std::string& scene, const std::string& path, bool foresees) {
  std::vector<snapshots::FrameSet> sets;
  std::vector<ForeseenFrames> foreseen;
  // Seeds from 101: no score uses them.
  for (std::uint64_t seed = 101; seed < 105; ++seed) {
    for (int activity = 0; activity < 3; ++activity) {
      if (activity == 0 && seed > 102) continue;
      for (const double spacing : {1.0, 0.7}) {
        // v2 also serves frames of others, which tell who interacts; v3 those of this engine alone.
        const bool keeps_interacting =
            !foresees && (seed + static_cast<std::uint64_t>(activity)) % 2 == 0;
        sets.push_back(make_frames(scene, spacing, seed + (spacing < 1 ? 100 : 0), activity,
                                   ticks_per_set, keeps_interacting));
        if (foresees) {
          foreseen.push_back(foresee_frames(read_scene(scene, spacing), sets.back()));
          std::fprintf(stderr, "set %zu\n", sets.size());
        }
      }
    }
  }
  using namespace protocol::context;
  return foresees ? write_priors(train<ForeseenLayout>(sets, foreseen), path)
                  : write_priors(train<PlainLayout>(sets, foreseen), path);
}

}  // namespace
}  // namespace jostle::priors

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  const bool foresees = command == "train-foreseen";
  if ((foresees || command == "train") && argc == 4)
    return jostle::priors::train_to(argv[2], argv[3], foresees);
  std::fprintf(stderr, "jostle-priors train|train-foreseen SCENE OUT.inc\n");
  return 2;
}
