#include "shared/base/result.h"
#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"
#include "shared/record/replay.h"
#include "tools/commands.h"
#include "tools/read_recording.h"
#include "tools/trace_lines.h"

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace jostle::tools {
namespace {

struct TraceOptions {
  std::string path;
  std::uint32_t stages_of = 0;   // tick in which the hash after each stage is printed; 0: off
  std::uint32_t numbers_of = 0;  // tick in which the numbers after `stage` are printed; 0: off
  std::uint32_t from = 0;        // the first tick of a block; 0: the first block
  std::string stage;
};

constexpr std::int64_t least_tick = 1, most_tick = std::numeric_limits<std::uint32_t>::max();

/// Returns the accepted names of --stage: "prepare, ..., end".
std::string stage_names() {
  std::string names;
  for (const physics::Stage stage : traced_stages())
    names += std::string(physics::name_of(stage)) + ", ";
  return names + end_of_tick;
}

constexpr Failure fail{"trace"};

void print_hash(const record::RecordedTick& recorded, const sim::Simulation& simulation) {
  const record::TickHash hash = record::tick_hash_of(simulation.hash());
  std::printf("tick %u %016" PRIx64, recorded.commands.tick.number, hash.total);
  for (const std::uint32_t part : hash.parts)
    std::printf(" %08x", part);
  std::printf("\n");
}

void print_stage(physics::Stage stage, const sim::Simulation& simulation) {
  std::printf("stage %s %016" PRIx64 "\n", std::string(physics::name_of(stage)).c_str(),
              simulation.world().hash().total);
}

void print_numbers(const sim::Simulation& simulation) {
  for (const physics::StateNumber& number : simulation.world().dump_state())
    std::printf("%s\n", to_line(number).c_str());
}

/// Sets a hook that prints during the requested tick: the hash after each stage, or the numbers
/// after one stage.
void watch(const TraceOptions& options, sim::Simulation& simulation) {
  simulation.set_stage_hook([&options, &simulation](physics::Stage stage) {
    if (options.stages_of != 0) print_stage(stage, simulation);
    if (options.numbers_of != 0 && physics::name_of(stage) == options.stage)
      print_numbers(simulation);
  });
}

/// Prints the hash or the numbers at the end of the requested tick, after rules and injected
/// faults. For a tick without a physics step, this is the only output.
void print_end(const TraceOptions& options, const sim::Simulation& simulation) {
  if (options.stages_of != 0)
    std::printf("stage %s %016" PRIx64 "\n", end_of_tick, simulation.hash().total);
  if (options.stage == end_of_tick) print_numbers(simulation);
}

using BlockIterator = std::vector<record::RecordedBlock>::const_iterator;

/// Returns the ticks that directly follow a keyframe: "ticks 1, 601, 1201, ... do".
std::string ticks_after_keyframes(const record::Recording& recording) {
  constexpr std::size_t most_shown = 8;
  const std::size_t count = recording.blocks.size();
  std::string ticks;
  for (std::size_t i = 0; i < std::min(count, most_shown); ++i)
    ticks += (i == 0 ? "" : ", ") +
             std::to_string(recording.blocks[i].ticks.front().commands.tick.number);
  return count == 1 ? "only tick " + ticks + " does"
                    : "ticks " + ticks + (count > most_shown ? ", ..." : "") + " do";
}

/// Returns the block that begins with tick `from`, and restores the simulation to the state before
/// that tick. If `from` is 0, returns the first block and restores nothing. The error says why the
/// trace cannot start there.
base::Result<BlockIterator, std::string> go_to_start(const TraceOptions& options,
                                                     const record::Recording& recording,
                                                     sim::Simulation& simulation) {
  if (options.from == 0) return recording.blocks.begin();
  const auto begins_there = [&options](const record::RecordedBlock& block) {
    return block.ticks.front().commands.tick.number == options.from;
  };
  const auto block = std::find_if(recording.blocks.begin(), recording.blocks.end(), begins_there);
  const std::string tick = std::to_string(options.from);
  if (block == recording.blocks.end())
    return "--from: tick " + tick + " of '" + options.path +
           "' does not directly follow a keyframe; " + ticks_after_keyframes(recording);
  if (!record::restore_block(*block, simulation))
    return "'" + options.path + "': the keyframe before tick " + tick + " cannot be restored";
  return block;
}

int trace(const TraceOptions& options) {
  const auto replay = open_replay(options.path);
  if (!replay) return fail(replay.error());
  const record::Recording& recording = replay->recording;
  sim::Simulation& simulation = *replay->simulation;
  const auto start = go_to_start(options, recording, simulation);
  if (!start) return fail(start.error());
  const std::uint32_t watched = std::max(options.stages_of, options.numbers_of);
  for (BlockIterator block = *start; block != recording.blocks.end(); ++block) {
    for (const record::RecordedTick& recorded : block->ticks) {
      if (recorded.commands.tick.number == watched) watch(options, simulation);
      record::replay_tick(recorded, simulation);
      if (recorded.commands.tick.number == watched) {
        print_end(options, simulation);
        return exit_ok;
      }
      if (watched == 0) print_hash(recorded, simulation);
    }
  }
  if (watched == 0) return exit_ok;
  const auto number_of = [](const record::RecordedTick& recorded) {
    return std::to_string(recorded.commands.tick.number);
  };
  return fail("'" + options.path + "' has ticks " + number_of((*start)->ticks.front()) + " to " +
              number_of(recording.blocks.back().ticks.back()) +
              (options.from == 0 ? ", not " : " after --from, not ") + std::to_string(watched));
}

}  // namespace

Command add_trace(command_line::App app) {
  auto options = std::make_shared<TraceOptions>();
  command_line::App command = app.add_subcommand("trace",
                                                 "Replay a recording and print the hash of each "
                                                 "tick, or the hashes or numbers within one tick");
  command.add_option("file", options->path, "The .jrec file").required().type_name("FILE");
  command_line::Option stages =
      command
          .add_option("--stages", options->stages_of,
                      "Print the hash of the world after each stage of this tick")
          .check(command_line::in_range(least_tick, most_tick))
          .type_name("TICK");
  command_line::Option stage =
      command
          .add_option("--stage", options->stage,
                      "With --numbers: the stage of the tick, one of " + stage_names() +
                          "; end: after the last stage")
          .check([](const std::string& name) {
            return command_line::word_fault(name, command_line::split_words(stage_names(), ", "));
          })
          .type_name("NAME");
  command_line::Option numbers =
      command
          .add_option("--numbers", options->numbers_of,
                      "Print every number of the state after --stage of this tick")
          .check(command_line::in_range(least_tick, most_tick))
          .excludes(stages)
          .needs(stage)
          .type_name("TICK");
  stage.needs(numbers);
  command
      .add_option("--from", options->from,
                  "Start at this tick, which must directly follow a keyframe")
      .check(command_line::in_range(least_tick, most_tick))
      .type_name("TICK");
  return [options] { return trace(*options); };
}

}  // namespace jostle::tools
