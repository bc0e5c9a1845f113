#include "shared/base/counted.h"
#include "shared/command_line/command_line.h"
#include "shared/record/replay.h"
#include "tools/commands.h"
#include "tools/load/child_process.h"
#include "tools/print_difference.h"
#include "tools/read_recording.h"
#include "tools/trace_lines.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

struct BisectOptions {
  std::string path, against;
  std::size_t numbers = default_numbers;
};

/// Path of the running program on Linux.
constexpr const char* own_program = "/proc/self/exe";

constexpr Failure fail{"bisect"};

using Lines = std::vector<std::string>;

/// The lines that the two programs have printed so far.
struct Said {
  Lines ours, other;

  /// Number of equal lines before the first difference.
  std::size_t alike = 0;
  /// Returns true if both programs have printed a line after the equal ones. After compare(), these
  /// two lines differ.
  bool has_desynced() const { return alike < ours.size() && alike < other.size(); }

  void compare() {
    while (has_desynced() && ours[alike] == other[alike])
      ++alike;
  }
};

enum class Until : std::uint8_t { Parted, Ended };

/// Runs `jostle trace` with `arguments` in both programs at the same time and returns their lines.
/// With Until::Parted, stops at the first line that differs. Returns an error message if a program
/// cannot be started or prints nothing.
base::Result<Said, std::string> trace_both(const BisectOptions& options, const Lines& arguments,
                                           Until until) {
  Lines words{"trace", options.path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  load::ChildProcess ours, other;
  if (auto started = ours.start(own_program, words); !started) return started.error();
  if (auto started = other.start(options.against, words); !started)
    return "--against: '" + options.against + "': " + started.error();
  Said said;
  const auto take = [](load::ChildProcess& child, Lines& lines) {
    for (std::string& line : child.take_lines())
      lines.push_back(std::move(line));
  };
  while (!ours.has_ended() || !other.has_ended()) {
    take(ours, said.ours);
    take(other, said.other);
    said.compare();
    if (until == Until::Parted && said.has_desynced()) return said;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (said.ours.empty()) return "this program printed no trace of '" + options.path + "'";
  if (said.other.empty())
    return "--against: '" + options.against + " trace " + options.path +
           "' printed nothing; give the jostle program of the other build";
  return said;
}

/// Splits a line such as "tick 184 1f0a4c..." into at least three words; missing words are empty.
Lines words_of(const std::string& line) {
  std::istringstream stream(line);
  Lines words;
  for (std::string word; stream >> word;)
    words.push_back(std::move(word));
  words.resize(std::max<std::size_t>(words.size(), 3));
  return words;
}

std::uint32_t first_tick_of(const record::RecordedBlock& block) {
  return block.ticks.front().commands.tick.number;
}

/// The keyframe from which the stages are compared. Both programs have the same state there.
/// `block` is null if there is no such keyframe.
struct EqualKeyframe {
  const record::RecordedBlock* block = nullptr;
  std::unique_ptr<sim::Simulation> simulation;  // restored to that keyframe
};

/// Returns the last usable keyframe at or before tick `parted`, the first tick that differs. A
/// keyframe is usable if this program can restore it and its hash is the one that both programs
/// printed for the tick before it. The first keyframe of the recording needs no such hash.
EqualKeyframe last_equal_keyframe(const record::Recording& recording, const Said& ticks,
                                  std::uint32_t parted) {
  const std::uint32_t first = first_tick_of(recording.blocks.front());
  for (auto block = recording.blocks.rbegin(); block != recording.blocks.rend(); ++block) {
    const std::uint32_t begin = first_tick_of(*block);
    if (begin > parted) continue;
    auto simulation = record::start_replay(recording);
    if (!simulation || !record::restore_block(*block, **simulation)) continue;
    std::array<char, 17> hash{};
    std::snprintf(hash.data(), hash.size(), "%016" PRIx64, (*simulation)->hash().total);
    if (begin == first || words_of(ticks.ours[begin - first - 1])[2] == hash.data())
      return {&*block, *std::move(simulation)};
  }
  return {};
}

/// Replays the block up to and including `tick`, so that body names in that tick can be looked up.
void replay_to(const record::RecordedBlock& block, std::uint32_t tick,
               sim::Simulation& simulation) {
  for (const record::RecordedTick& recorded : block.ticks) {
    if (recorded.commands.tick.number > tick) return;
    record::replay_tick(recorded, simulation);
  }
}

int report(const BisectOptions& options, const record::Recording& recording, const Said& ticks) {
  const std::string number = words_of(ticks.ours[ticks.alike])[1];
  const auto tick = static_cast<std::uint32_t>(std::stoul(number));
  const EqualKeyframe start = last_equal_keyframe(recording, ticks, tick);
  if (start.block == nullptr)
    return fail("'" + options.path + "' cannot be replayed: no keyframe matches both programs");
  const std::string from = std::to_string(first_tick_of(*start.block));
  const auto stages = trace_both(options, {"--from", from, "--stages", number}, Until::Parted);
  if (!stages) return fail(stages.error());
  const std::string stage =
      stages->has_desynced() ? words_of(stages->ours[stages->alike])[1] : std::string(end_of_tick);
  const bool is_end = stage == end_of_tick;
  if (!is_end && !find_stage(stage))
    return fail("the traces of the two programs show no stage in which they differ");
  std::printf("first divergence: tick %s, %s; inputs and the states before are equal\n",
              number.c_str(),
              is_end ? "after the last stage: in the rules, or an injected fault"
                     : ("stage " + stage).c_str());
  std::printf("compared from the keyframe before tick %s, in which both are equal\n", from.c_str());
  const auto said =
      trace_both(options, {"--from", from, "--numbers", number, "--stage", stage}, Until::Ended);
  if (!said) return fail(said.error());
  NumberLines ours, other;
  for (const std::string& line : said->ours)
    if (!ours.add(line))
      return fail("the trace of this program has an invalid line: '" + line + "'");
  for (const std::string& line : said->other)
    if (!other.add(line))
      return fail("the trace of the other program has an invalid line: '" + line + "'");
  replay_to(*start.block, tick, *start.simulation);
  record::StateComparison states =
      record::compare(ours.numbers(), other.numbers(), *start.simulation);
  // If no number of the physics world differs, the difference is in the rules.
  states.rules_differ = states.number_count == 0;
  print_states(states, is_end ? "after that tick" : "after that stage", options.numbers);
  std::printf("A is this program, B is %s\n", options.against.c_str());
  return exit_differs;
}

int bisect(const BisectOptions& options) {
  const auto recording = read_recording_file(options.path);
  if (!recording) return fail(recording.error());
  const auto ticks = trace_both(options, {}, Until::Parted);
  if (!ticks) return fail(ticks.error());
  if (ticks->has_desynced()) return report(options, *recording, *ticks);
  if (ticks->ours.size() != ticks->other.size())
    return fail("one of the programs ended after " + base::counted(ticks->alike, "tick"));
  std::printf("%s of %s: both programs compute the same states\n",
              base::counted(ticks->ours.size(), "tick").c_str(), options.path.c_str());
  return exit_ok;
}

}  // namespace

Command add_bisect(command_line::App app) {
  auto options = std::make_shared<BisectOptions>();
  command_line::App command = app.add_subcommand(
      "bisect",
      "Replay a recording in this and another build of jostle, and find the first difference: "
      "tick, stage, number (exit 0: equal, 1: different, 2: invalid file)");
  command.add_option("file", options->path, "The .jrec file").required().type_name("FILE");
  command.add_option("--against", options->against, "The jostle program of the other build")
      .required()
      .check(command_line::is_file())
      .type_name("PROGRAM");
  command.add_option("--numbers", options->numbers, "Maximum number of differing numbers to print")
      .check(command_line::in_range(1, static_cast<int>(record::max_numbers)))
      .type_name("N")
      .capture_default_str();
  return [options] { return bisect(*options); };
}

}  // namespace jostle::tools
