#include "shared/bisect/bisect.h"
#include "shared/bisect/difference_text.h"
#include "shared/command_line/command_line.h"
#include "tools/commands.h"
#include "tools/read_recording.h"

#include <cstdio>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

struct BisectOptions {
  std::string path, against;
  std::size_t numbers = bisect::default_numbers;
};

constexpr Failure fail{"bisect"};

int bisect_with(const BisectOptions& options) {
  const auto recording = read_recording_file(options.path);
  if (!recording) return fail(recording.error());
  // A bare name is a file, not a program of PATH.
  const bool is_path = options.against.find('/') != std::string::npos;
  const std::string program = (is_path ? "" : "./") + options.against;
  const auto finding = bisect::bisect(
      *recording,
      {options.path, {program, "trace"}, "--against: '" + options.against + "'", options.numbers},
      sim::default_rules);
  if (!finding) return fail(finding.error());
  std::printf("%s", finding->text.c_str());
  return finding->is_same ? exit_ok : exit_differs;
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
  return [options] { return bisect_with(*options); };
}

}  // namespace jostle::tools
