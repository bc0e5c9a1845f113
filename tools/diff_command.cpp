#include "shared/record/compare.h"
#include "tools/commands.h"
#include "tools/read_recording.h"

#include <cstdio>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

using record::NumberDifference;
using record::RecordingComparison;

struct DiffOptions {
  std::string a, b;
  std::size_t numbers = 8;
};

int fail(const std::string& words) {
  std::fprintf(stderr, "jostle diff: %s\n", words.c_str());
  return exit_bad_input;
}

void print(const NumberDifference& difference) {
  const physics::StateNumber& known = difference.a;
  std::printf("  %s  %s\n", difference.where.c_str(), known.field().c_str());
  if (difference.is_only_in_a || difference.is_only_in_b) {
    std::printf("    %s %s, and the other has no such number\n",
                difference.is_only_in_a ? "A" : "B", known.text().c_str());
    return;
  }
  std::printf("    A %s  B %s", difference.a.text().c_str(), difference.b.text().c_str());
  // Of numbers that are far apart it says nothing.
  constexpr std::uint64_t most_ulps = 1'000'000;
  if (difference.ulps > 0 && difference.ulps <= most_ulps)
    std::printf("  %llu ulp", static_cast<unsigned long long>(difference.ulps));
  std::printf("\n");
}

/// "1 body", "2 bodies"
std::string counted(std::size_t count, const std::string& name) {
  const std::string many = name == "body" ? "bodies" : name + "s";
  return std::to_string(count) + " " + (count == 1 ? name : many);
}

void print_states(const RecordingComparison& comparison, std::size_t most) {
  const record::StateComparison& states = comparison.states;
  std::printf(
      "the states after tick %u differ in %s%s\n", comparison.states_at->number,
      counted(states.number_count, "number").c_str(),
      states.bodies.empty() ? "" : (", of " + counted(states.bodies.size(), "body")).c_str());
  if (states.rules_differ) std::printf("  and in players, ids, clocks or what rules keep\n");
  for (std::size_t i = 0; i < std::min(most, states.numbers.size()); ++i)
    print(states.numbers[i]);
  if (states.number_count > most) std::printf("  ... (--numbers N shows more)\n");
}

std::string cause_of(const RecordingComparison& comparison) {
  const std::uint32_t tick = comparison.hashes_differ->number;
  if (comparison.is_fault) return "a fault on purpose, which only one of them has";
  if (comparison.inputs_differ == comparison.hashes_differ) return "other inputs in that tick";
  if (comparison.inputs_differ && comparison.inputs_differ->number < tick) {
    return "inputs differ from tick " + std::to_string(comparison.inputs_differ->number) +
           " on, and did not matter before";
  }
  return "the step itself: inputs are equal, and the state before, with contacts and warm starts, "
         "was";
}

int diff(const DiffOptions& options) {
  const auto a = read_recording_file(options.a);
  if (!a) return fail(a.error());
  const auto b = read_recording_file(options.b);
  if (!b) return fail(b.error());
  const auto compared = record::compare(*a, *b);
  if (!compared) return fail("'" + options.a + "' and '" + options.b + "': " + compared.error());
  const RecordingComparison& comparison = *compared;
  const auto ticks = static_cast<unsigned long long>(comparison.ticks_compared);
  if (comparison.is_equal()) {
    std::printf("%llu ticks in common, equal in inputs and states\n", ticks);
    return exit_ok;
  }
  if (!comparison.hashes_differ) {
    std::printf("%llu ticks in common, equal in states; inputs differ in tick %u\n", ticks,
                comparison.inputs_differ->number);
    return exit_differs;
  }
  std::printf("first divergence: tick %u, in %s\n", comparison.hashes_differ->number,
              record::parts_that_differ(comparison.hash_a, comparison.hash_b).c_str());
  std::printf("  A %016llx  recorded by %s\n  B %016llx  recorded by %s\n",
              static_cast<unsigned long long>(comparison.hash_a.total), a->header.program.c_str(),
              static_cast<unsigned long long>(comparison.hash_b.total), b->header.program.c_str());
  std::printf("cause: %s\n", cause_of(comparison).c_str());
  if (!comparison.why_no_states.empty())
    std::printf("%s: jostle bisect --against the other program knows more\n",
                comparison.why_no_states.c_str());
  if (comparison.states_at) print_states(comparison, options.numbers);
  return exit_differs;
}

}  // namespace

Command add_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand(
      "diff", "Where two recordings part: tick, body, number (exit 0 same, 1 differ, 2 bad file)");
  command->add_option("a", options->a, "A .jrec file")->required()->type_name("A");
  command->add_option("b", options->b, "Another of the same scene")->required()->type_name("B");
  command->add_option("--numbers", options->numbers, "Print at most so many numbers that differ")
      ->check(CLI::Range(1, static_cast<int>(record::max_numbers)))
      ->type_name("N")
      ->capture_default_str();
  return [options] { return diff(*options); };
}

}  // namespace jostle::tools
