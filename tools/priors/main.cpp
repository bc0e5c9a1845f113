#include "tools/priors/frame_set.h"
#include "tools/priors/score.h"
#include "tools/priors/train_coder.h"
#include "tools/priors/training_pass.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
protocol::context::Priors<Layout> train(const std::vector<FrameSet>& sets,
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
  std::vector<FrameSet> sets;
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

int score_files(int argc, char** argv) {
  std::uint32_t gap = 1;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "--gap") == 0 && i + 1 < argc) {
      gap = static_cast<std::uint32_t>(std::atoi(argv[++i]));
      continue;
    }
    const Score s = score(read_frames(argv[i]), gap);
    std::printf(
        "%s frames=%zu bytes=%.2f changed=%.1f encode_us=%.0f p99=%.0f decode_us=%.0f p99=%.0f\n",
        argv[i], s.frames, s.bytes_per_frame, s.changed_per_frame, s.encode_median_us,
        s.encode_p99_us, s.decode_median_us, s.decode_p99_us);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace jostle::priors

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "train" && argc == 4) return jostle::priors::train_to(argv[2], argv[3], false);
  if (command == "train-foreseen" && argc == 4)
    return jostle::priors::train_to(argv[2], argv[3], true);
  if (command == "score" && argc > 2) return jostle::priors::score_files(argc, argv);
  if (command == "frames" && (argc == 6 || argc == 7)) {
    const bool keeps_interacting = argc == 6 || std::string_view(argv[6]) != "awake";
    write_frames(jostle::priors::make_frames(argv[2], 1.0, std::strtoull(argv[3], nullptr, 10),
                                             std::atoi(argv[4]), jostle::priors::ticks_per_set,
                                             keeps_interacting),
                 argv[5]);
    return 0;
  }
  std::fprintf(
      stderr,
      "jostle-priors train SCENE OUT.inc | score [--gap TICKS] FRAMES... | frames SCENE SEED "
      "ACTIVITY OUT.bin [awake]\n");
  return 2;
}
