#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/bisect/difference_text.h"
#include "shared/command_line/command_line.h"
#include "shared/record/compare.h"
#include "tools/commands.h"
#include "tools/read_recording.h"

#include <cstdio>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

using record::RecordingComparison;

struct DiffOptions {
  std::string a, b;
  std::size_t numbers = bisect::default_numbers;
};

constexpr Failure fail{"diff"};

int diff(const DiffOptions& options) {
  const auto a = read_recording_file(options.a);
  if (!a) return fail(a.error());
  const auto b = read_recording_file(options.b);
  if (!b) return fail(b.error());
  const auto compared = record::compare(*a, *b);
  if (!compared) return fail("'" + options.a + "' and '" + options.b + "': " + compared.error());
  const RecordingComparison& comparison = *compared;
  const std::string ticks = base::counted(comparison.ticks_compared, "tick");
  if (comparison.is_equal()) {
    std::printf("%s in common, equal in inputs and states\n", ticks.c_str());
    return exit_ok;
  }
  if (!comparison.hashes_differ) {
    std::printf("%s in common, equal in states; inputs differ in tick %u\n", ticks.c_str(),
                comparison.inputs_differ->number);
    return exit_differs;
  }
  std::printf("first divergence: tick %u, in %s\n", comparison.hashes_differ->number,
              record::parts_that_differ(comparison.hash_a, comparison.hash_b).c_str());
  std::printf("  A %016llx  recorded by %s\n  B %016llx  recorded by %s\n",
              static_cast<unsigned long long>(comparison.hash_a.total),
              base::printable(a->header.program).c_str(),
              static_cast<unsigned long long>(comparison.hash_b.total),
              base::printable(b->header.program).c_str());
  std::printf("cause: %s\n", record::cause_of(comparison).c_str());
  if (!comparison.why_no_states.empty())
    std::printf("%s: run `%s bisect` with --against and the other program to find the cause\n",
                comparison.why_no_states.c_str(), base::program_names().tool.c_str());
  if (comparison.states_at) {
    const std::string when = "after tick " + std::to_string(comparison.states_at->number);
    std::printf("%s", bisect::states_text(comparison.states, when, options.numbers).c_str());
  }
  return exit_differs;
}

}  // namespace

Command add_diff(command_line::App app) {
  auto options = std::make_shared<DiffOptions>();
  command_line::App command =
      app.add_subcommand("diff",
                         "Find the first difference of two recordings: tick, body, number (exit 0: "
                         "equal, 1: different, 2: invalid file)");
  command.add_option("a", options->a, "A .jrec file").required().type_name("A");
  command.add_option("b", options->b, "Another recording of the same scene")
      .required()
      .type_name("B");
  command.add_option("--numbers", options->numbers, "Maximum number of differing numbers to print")
      .check(command_line::in_range(1, static_cast<int>(record::max_numbers)))
      .type_name("N")
      .capture_default_str();
  return [options] { return diff(*options); };
}

}  // namespace jostle::tools
