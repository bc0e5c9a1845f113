#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/bisect/difference_text.h"
#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"
#include "shared/program_options/program_options.h"
#include "shared/record/compare.h"
#include "shared/record/replay.h"
#include "shared/rollback/rollback_check.h"
#include "shared/simd/instruction_set.h"
#include "tools/commands.h"
#include "tools/read_recording.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

struct VerifyOptions {
  std::string path;
  std::vector<int> threads;
  std::vector<std::string> simd;
  std::uint32_t sync_test = 0;  // number of ticks to roll back; 0: no sync test
};

constexpr Failure fail{"verify"};

/// Returns an error message if `name` is not a set of SIMD instructions, or if this machine or
/// build does not support it. Returns an empty string otherwise.
std::string level_fault(const std::string& name) {
  const std::optional<simd::InstructionSet> level = simd::parse_instruction_set(name);
  if (!level) return command_line::word_fault(name, {"plain", "sse2", "avx2", "neon"});
  if (!simd::is_supported(*level))
    return "this machine or this build does not support '" + name + "'";
  return {};
}

std::string described(const physics::Execution& execution) {
  return std::to_string(execution.threads) + (execution.threads == 1 ? " thread, " : " threads, ") +
         std::string(simd::name_of(execution.simd));
}

std::vector<physics::Execution> executions_of(const VerifyOptions& options) {
  const std::vector<int> threads = options.threads.empty() ? std::vector{1} : options.threads;
  std::vector<simd::InstructionSet> levels;
  for (const std::string& name : options.simd) {
    if (const auto level = simd::parse_instruction_set(name)) levels.push_back(*level);
  }
  if (levels.empty()) levels.push_back(simd::best_instruction_set());
  std::vector<physics::Execution> executions;
  for (const simd::InstructionSet level : levels) {
    for (const int count : threads)
      executions.push_back({.threads = count, .simd = level});
  }
  return executions;
}

const char* agree(std::uint64_t ticks) {
  return ticks == 1 ? "agrees" : "agree";
}

/// Prints the result in one line. `how` names the threads and SIMD instructions of the replay.
/// Returns true if all hashes agree.
bool print(const std::string& path, const std::string& how, const record::VerifyReport& report,
           const record::RecordingHeader& header) {
  const std::string ticks = base::counted(report.ticks, "tick");
  const char* const verb = agree(report.ticks);
  if (report.keyframe_differs) {
    std::printf(
        "%s: the keyframe before tick %u differs from the replayed state; %s before it %s (%s)\n",
        path.c_str(), report.keyframe_differs->number, ticks.c_str(), verb, how.c_str());
    return false;
  }
  if (!report.divergence) {
    std::printf("%s: %s %s, hash %016llx (%s)\n", path.c_str(), ticks.c_str(), verb,
                static_cast<unsigned long long>(report.last_hash), how.c_str());
    return true;
  }
  const record::Divergence& divergence = *report.divergence;
  std::printf(
      "%s: diverged in tick %u, in %s: recorded %016llx, replayed %016llx; %s before it "
      "%s (%s; recorded by %s)\n",
      path.c_str(), divergence.tick.number,
      record::parts_that_differ(divergence.recorded, divergence.replayed).c_str(),
      static_cast<unsigned long long>(divergence.recorded.total),
      static_cast<unsigned long long>(divergence.replayed.total), ticks.c_str(), verb, how.c_str(),
      base::printable(header.program).c_str());
  return false;
}

struct RollbackReport {
  std::uint64_t ticks = 0;  // number of equal ticks from the start
  std::optional<rollback::RollbackCheck::Mismatch> mismatch;
};

RollbackReport replay(const record::Recording& recording, rollback::RollbackCheck& check,
                      sim::Simulation& simulation) {
  RollbackReport report;
  report.mismatch = check.check(simulation, {});
  for (const record::RecordedBlock& block : recording.blocks) {
    for (const record::RecordedTick& recorded : block.ticks) {
      if (report.mismatch) return report;
      record::replay_tick(recorded, simulation);
      report.mismatch = check.check(simulation, recorded.commands);
      if (!report.mismatch) ++report.ticks;
    }
  }
  return report;
}

/// Runs the sync test: replays the recording and, in every tick, rolls back `sync_test` ticks and
/// simulates them again. Returns true if all states agree. The error says why the recording cannot
/// be replayed.
base::Result<bool, std::string> check_rollback(const VerifyOptions& options,
                                               const record::Recording& recording) {
  auto simulation = record::start_replay(recording), other = record::start_replay(recording);
  if (!simulation) return simulation.error();
  if (!other) return other.error();
  rollback::RollbackCheck check(std::move(**other), options.sync_test);
  const RollbackReport report = replay(recording, check, **simulation);
  const std::string ticks = base::counted(report.ticks, "tick"),
                    back = base::counted(options.sync_test, "tick");
  const char* const verb = agree(report.ticks);
  if (!report.mismatch) {
    std::printf("%s: sync test: %s, each rolled back by %s and simulated again, %s\n",
                options.path.c_str(), ticks.c_str(), back.c_str(), verb);
    return true;
  }
  const rollback::RollbackCheck::Mismatch& mismatch = *report.mismatch;
  std::printf(
      "%s: sync test: tick %u differs when it is rolled back by %s and simulated again: A (first "
      "time) %016llx, B (again) %016llx; %s before it %s\n",
      options.path.c_str(), mismatch.tick.number, back.c_str(),
      static_cast<unsigned long long>(mismatch.played.total),
      static_cast<unsigned long long>(mismatch.replayed.total), ticks.c_str(), verb);
  const std::string when = "after tick " + std::to_string(mismatch.tick.number);
  std::printf("%s", bisect::states_text(record::compare(**simulation, check.replayed()), when,
                                        bisect::default_numbers)
                        .c_str());
  return false;
}

int verify(const VerifyOptions& options) {
  const auto recording = read_recording_file(options.path);
  if (!recording) return fail(recording.error());
  if (!recording->is_closed) {
    std::fprintf(stderr,
                 "jostle verify: '%s' was not closed, because the program that wrote it ended "
                 "early; checking the ticks that it has\n",
                 options.path.c_str());
  }
  bool all_agree = true;
  for (const physics::Execution& execution : executions_of(options)) {
    auto simulation = record::start_replay(*recording);
    if (!simulation) return fail("'" + options.path + "': " + simulation.error());
    (*simulation)->set_execution(execution);
    const record::VerifyReport report = record::verify(*recording, **simulation);
    all_agree = print(options.path, described(execution), report, recording->header) && all_agree;
  }
  if (options.sync_test > 0) {
    const auto does_agree = check_rollback(options, *recording);
    if (!does_agree) return fail("'" + options.path + "': " + does_agree.error());
    all_agree = *does_agree && all_agree;
  }
  return all_agree ? exit_ok : exit_differs;
}

}  // namespace

Command add_verify(command_line::App app) {
  auto options = std::make_shared<VerifyOptions>();
  command_line::App command = app.add_subcommand(
      "verify",
      "Replay a recording and compare every hash (exit 0: equal, 1: diverged, 2: invalid file)");
  command.add_option("file", options->path, "The .jrec file").required().type_name("FILE");
  command
      .add_option("--threads", options->threads,
                  "Replay with each of these numbers of threads, e.g. 1,2,8")
      .delimiter(',')
      .check(command_line::in_range(1, physics::max_threads))
      .type_name("N,...");
  command
      .add_option("--simd", options->simd,
                  "Replay with each of these SIMD instructions: plain,sse2,avx2,neon")
      .delimiter(',')
      .check(level_fault)
      .type_name("NAME,...");
  program_options::add_optional_sync_test(command, options->sync_test);
  return [options] { return verify(*options); };
}

}  // namespace jostle::tools
