#include "shared/command_line/command_line.h"
#include "shared/record/replay.h"
#include "tools/commands.h"
#include "tools/load/child_process.h"
#include "tools/print_difference.h"
#include "tools/read_recording.h"
#include "tools/trace_lines.h"

#include <chrono>
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

/// This very program.
constexpr const char* own_program = "/proc/self/exe";

int fail(const std::string& words) {
  std::fprintf(stderr, "jostle bisect: %s\n", words.c_str());
  return exit_bad_input;
}

using Lines = std::vector<std::string>;

/// What `jostle trace` of both programs says, line by line.
base::Result<std::pair<Lines, Lines>, std::string> trace_both(const BisectOptions& options,
                                                              const Lines& arguments) {
  Lines words{"trace", options.path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  load::ChildProcess ours, other;
  if (auto started = ours.start(own_program, words); !started) return started.error();
  if (auto started = other.start(options.against, words); !started)
    return "'" + options.against + "': " + started.error();
  std::pair<Lines, Lines> said;
  const auto take = [](load::ChildProcess& child, Lines& lines) {
    for (std::string& line : child.take_lines())
      lines.push_back(std::move(line));
  };
  while (!ours.has_ended() || !other.has_ended()) {
    take(ours, said.first);
    take(other, said.second);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (said.first.empty()) return "this program gives no trace of '" + options.path + "'";
  if (said.second.empty())
    return "'" + options.against + " trace " + options.path + "' says nothing";
  return said;
}

/// The first line that is not the same in both.
std::optional<std::size_t> first_difference(const std::pair<Lines, Lines>& said) {
  const std::size_t lines = std::max(said.first.size(), said.second.size());
  for (std::size_t i = 0; i < lines; ++i) {
    if (i >= said.first.size() || i >= said.second.size() || said.first[i] != said.second[i])
      return i;
  }
  return std::nullopt;
}

/// The second word: a tick, or a stage.
std::string subject_of(const Lines& lines, std::size_t i) {
  if (i >= lines.size()) return {};
  std::istringstream words(lines[i]);
  std::string kind, subject;
  words >> kind >> subject;
  return subject;
}

/// A simulation in that tick, for the names of things.
std::unique_ptr<sim::Simulation> replayed_to(const record::Recording& recording,
                                             std::uint32_t tick) {
  auto simulation = record::start_replay(recording);
  if (!simulation) return nullptr;
  for (const record::RecordedBlock& block : recording.blocks) {
    for (const record::RecordedTick& recorded : block.ticks) {
      record::replay_tick(recorded, **simulation);
      if (recorded.commands.tick.number == tick) return *std::move(simulation);
    }
  }
  return nullptr;
}

int report(const BisectOptions& options, const record::Recording& recording, std::uint32_t tick) {
  const std::string number = std::to_string(tick);
  const auto stages = trace_both(options, {"--stages", number});
  if (!stages) return fail(stages.error());
  const auto parted = first_difference(*stages);
  const std::string stage = parted ? subject_of(stages->first, *parted) : std::string("end");
  if (parted && !find_stage(stage)) return fail("the programs name no stage where they part");
  std::printf(
      "first divergence: tick %u, %s; inputs are the same, and the states before\n", tick,
      parted ? ("stage " + stage).c_str() : "after the last stage: rules, or a fault on purpose");
  const auto said = trace_both(options, {"--numbers", number, "--stage", stage});
  if (!said) return fail(said.error());
  NumberLines ours, other;
  for (const std::string& line : said->first)
    if (!ours.add(line)) return fail("this program's trace: '" + line + "'");
  for (const std::string& line : said->second)
    if (!other.add(line)) return fail("the other program's trace: '" + line + "'");
  const auto names = replayed_to(recording, tick);
  if (!names) return fail("'" + options.path + "' cannot be replayed");
  print_states(record::compare(ours.numbers(), other.numbers(), *names), "after that stage",
               options.numbers);
  std::printf("A is this program, B is %s\n", options.against.c_str());
  return exit_differs;
}

int bisect(const BisectOptions& options) {
  const auto recording = read_recording_file(options.path);
  if (!recording) return fail(recording.error());
  const auto ticks = trace_both(options, {});
  if (!ticks) return fail(ticks.error());
  const auto parted = first_difference(*ticks);
  if (!parted) {
    std::printf("%zu ticks of %s: both programs make the same of them\n", ticks->first.size(),
                options.path.c_str());
    return exit_ok;
  }
  if (*parted >= ticks->first.size() || *parted >= ticks->second.size())
    return fail("one of the programs ends after " + std::to_string(*parted) + " ticks");
  return report(options, *recording,
                static_cast<std::uint32_t>(std::stoul(subject_of(ticks->first, *parted))));
}

}  // namespace

Command add_bisect(command_line::App app) {
  auto options = std::make_shared<BisectOptions>();
  command_line::App command = app.add_subcommand(
      "bisect",
      "Where another build of jostle makes something else of a recording: tick, stage, number "
      "(exit 0 same, 1 differ, 2 bad file)");
  command.add_option("file", options->path, "The .jrec file").required().type_name("FILE");
  command.add_option("--against", options->against, "The other build's jostle")
      .required()
      .check(command_line::is_file())
      .type_name("PROGRAM");
  command.add_option("--numbers", options->numbers, "Print at most so many numbers that differ")
      .check(command_line::in_range(1, static_cast<int>(record::max_numbers)))
      .type_name("N")
      .capture_default_str();
  return [options] { return bisect(*options); };
}

}  // namespace jostle::tools
