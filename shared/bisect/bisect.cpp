#include "shared/bisect/bisect.h"

#include "shared/base/counted.h"
#include "shared/bisect/child_process.h"
#include "shared/bisect/difference_text.h"
#include "shared/bisect/trace.h"
#include "shared/bisect/trace_lines.h"
#include "shared/record/compare.h"
#include "shared/record/replay.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <sstream>
#include <thread>
#include <utility>

namespace jostle::bisect {
namespace {

using Lines = std::vector<std::string>;

/// The lines of the two traces so far.
struct Said {
  Lines ours, other;

  /// Number of equal lines before the first difference.
  std::size_t alike = 0;
  /// Returns true if both traces have a line after the equal ones. After compare(), these two lines
  /// differ.
  bool has_desynced() const { return alike < ours.size() && alike < other.size(); }

  void compare() {
    while (has_desynced() && ours[alike] == other[alike])
      ++alike;
  }
};

enum class Until : std::uint8_t { Parted, Ended };

/// The recording, the rules of this program and the command of the other one.
struct Search {
  const record::Recording& recording;
  const BisectRequest& request;
  const sim::RuleFactory& rules;

  /// Traces the recording in both programs at the same time. With Until::Parted, stops at the first
  /// line that differs. The error says which program cannot be traced.
  base::Result<Said, std::string> trace_both(const TraceRequest& wanted, Until until) const {
    Lines words(request.other.begin() + 1, request.other.end());
    words.push_back(request.path);
    for (std::string& option : wanted.options())
      words.push_back(std::move(option));
    ChildProcess child;
    if (auto started = child.start(request.other.front(), words); !started)
      return request.other_name + ": " + started.error();
    Said said;
    // Returns false if the first difference was found and is all that is wanted.
    const auto take_other = [&] {
      for (std::string& line : child.take_lines())
        said.other.push_back(std::move(line));
      said.compare();
      return until == Until::Ended || !said.has_desynced();
    };
    const auto done = trace(recording, request.path, rules, wanted, [&](const std::string& line) {
      said.ours.push_back(line);
      return take_other();
    });
    if (!done) return done.error();
    while (take_other() && !child.has_ended())
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (said.ours.empty()) return "the trace of '" + request.path + "' is empty";
    if (said.other.empty())
      return request.other_name + " printed nothing for 'trace " + request.path +
             "'; give the command of another build of this program";
    return said;
  }
};

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
/// have for the tick before it. The first keyframe of the recording needs no such hash.
EqualKeyframe last_equal_keyframe(const Search& search, const Said& ticks, std::uint32_t parted) {
  const std::vector<record::RecordedBlock>& blocks = search.recording.blocks;
  const std::uint32_t first = first_tick_of(blocks.front());
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    const std::uint32_t begin = first_tick_of(*block);
    if (begin > parted) continue;
    auto simulation = record::start_replay(search.recording, search.rules);
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

/// The numbers of both programs after a stage.
struct BothNumbers {
  NumberLines ours, other;
};

/// Compares the numbers of both programs after a stage. Stores them in `numbers`, to which the
/// result refers. `start` is replayed to that tick.
base::Result<record::StateComparison, std::string> compare_numbers(const Search& search,
                                                                   EqualKeyframe& start,
                                                                   BothNumbers& numbers,
                                                                   const TraceRequest& wanted) {
  const auto said = search.trace_both(wanted, Until::Ended);
  if (!said) return said.error();
  auto& [ours, other] = numbers;
  for (const std::string& line : said->ours)
    if (!ours.add(line)) return "the trace of this program has an invalid line: '" + line + "'";
  for (const std::string& line : said->other)
    if (!other.add(line))
      return "the trace of the other program has an invalid line: '" + line + "'";
  replay_to(*start.block, wanted.numbers_of, *start.simulation);
  record::StateComparison states =
      record::compare(ours.numbers(), other.numbers(), *start.simulation);
  // If no number of the physics world differs, the difference is in the rules.
  states.rules_differ = states.number_count == 0;
  return states;
}

/// Finds the stage and the numbers of the first tick that differs.
base::Result<BisectFinding, std::string> find_cause(const Search& search, const Said& ticks) {
  const std::string number = words_of(ticks.ours[ticks.alike])[1];
  const auto tick = static_cast<std::uint32_t>(std::stoul(number));
  EqualKeyframe start = last_equal_keyframe(search, ticks, tick);
  if (start.block == nullptr)
    return "'" + search.request.path + "' cannot be replayed: no keyframe matches both programs";
  TraceRequest wanted;
  wanted.from = first_tick_of(*start.block);
  wanted.stages_of = tick;
  const auto stages = search.trace_both(wanted, Until::Parted);
  if (!stages) return stages.error();
  wanted.stage =
      stages->has_desynced() ? words_of(stages->ours[stages->alike])[1] : std::string(end_of_tick);
  const bool is_end = wanted.stage == end_of_tick;
  if (!is_end && !find_stage(wanted.stage))
    return std::string("the traces of the two programs show no stage in which they differ");
  wanted.stages_of = 0;
  wanted.numbers_of = tick;
  BothNumbers numbers;
  const auto states = compare_numbers(search, start, numbers, wanted);
  if (!states) return states.error();
  BisectFinding finding;
  finding.text =
      "first divergence: tick " + number + ", " +
      (is_end ? "after the last stage: in the rules, or an injected fault"
              : "stage " + wanted.stage) +
      "; inputs and the states before are equal\ncompared from the keyframe before tick " +
      std::to_string(wanted.from) + ", in which both are equal\n" +
      states_text(*states, is_end ? "after that tick" : "after that stage",
                  search.request.numbers) +
      "A is this program, B is " + search.request.other.front() + "\n";
  return finding;
}

}  // namespace

base::Result<BisectFinding, std::string> bisect(const record::Recording& recording,
                                                const BisectRequest& request,
                                                const sim::RuleFactory& rules) {
  const Search search{recording, request, rules};
  const auto ticks = search.trace_both({}, Until::Parted);
  if (!ticks) return ticks.error();
  if (ticks->has_desynced()) return find_cause(search, *ticks);
  if (ticks->ours.size() != ticks->other.size())
    return "one of the programs ended after " + base::counted(ticks->alike, "tick");
  return BisectFinding{true, base::counted(ticks->ours.size(), "tick") + " of " + request.path +
                                 ": both programs compute the same states\n"};
}

}  // namespace jostle::bisect
