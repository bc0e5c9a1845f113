// jostle-matrix: runs the lines of unit files and prints a hash for each second of a run. It needs
// only the C++ standard library, so that it builds for every target.

#include "shared/base/version.h"
#include "shared/commit/commit.h"
#include "tools/matrix/embedded_scenes.h"
#include "tools/matrix/runner.h"
#include "tools/workload/scenes.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace matrix = jostle::matrix;

constexpr int exit_done = 0, exit_bad_input = 2;

void print_usage() {
  std::printf(R"(jostle-matrix %s: executes runs of the determinism matrix (docs/DETERMINISM.md)

usage: jostle-matrix FILE...    execute the runs in these files; - is the standard input
       jostle-matrix --list     list the scenes of this build
       jostle-matrix --version  print the version, the commit and the compiler

Each line of a file is a run; # begins a comment:

    SCENE SEED TICKS THREADS SIMD
    gallery/tower 7 3600 2 sse2
    bench/stacks 7 600 1 best

For each second (60 ticks) of each run, the program prints a line:

    SCENE SEED THREADS SIMD TICK HASH AWAKE QUARANTINED

AWAKE is the number of awake bodies, summed over all ticks so far. QUARANTINED is the number of
bodies that the engine has removed, because their poses or velocities became non-finite. The last
line is "end".
)",
              jostle::base::version().data());
}

void print_scenes() {
  for (const matrix::EmbeddedScene& scene : matrix::embedded_scenes())
    std::printf("gallery/%s\n", std::string(scene.name).c_str());
  for (const std::string_view name : jostle::workload::scene_names())
    std::printf("bench/%s\n", std::string(name).c_str());
}

/// Returns the line without its number of ticks, which may differ between units.
std::string heading_of(const matrix::RunLine& line) {
  return line.scene + " " + std::to_string(line.seed) + " " +
         std::to_string(line.execution.threads) + " " +
         std::string(jostle::simd::name_of(line.execution.simd));
}

/// Runs one line. Returns an error message if the line is invalid.
std::optional<std::string> run_line(std::string_view text) {
  const auto line = matrix::parse_run_line(text);
  if (!line) return line.error();
  const std::string heading = heading_of(*line);
  return matrix::run(*line, [&heading](const matrix::Checkpoint& reached) {
    std::printf("%s %" PRIu32 " %016" PRIX64 " %" PRIu64 " %" PRIu32 "\n", heading.c_str(),
                reached.tick, reached.hash, reached.awake_body_ticks, reached.quarantined_bodies);
  });
}

bool run_lines(std::istream& lines, const std::string& file_name) {
  std::string text;
  for (int number = 1; std::getline(lines, text); ++number) {
    text = text.substr(0, text.find('#'));
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (const auto fault = run_line(text)) {
      std::fprintf(stderr, "jostle-matrix: %s:%d: %s\n", file_name.c_str(), number, fault->c_str());
      return false;
    }
    std::fflush(stdout);
  }
  return true;
}

bool fail_to_read(const std::string& file_name) {
  std::fprintf(stderr, "jostle-matrix: cannot read '%s': %s\n", file_name.c_str(),
               std::strerror(errno));
  return false;
}

bool run_file(const std::string& file_name) {
  if (file_name == "-") return run_lines(std::cin, "standard input");
  std::ifstream file(file_name);
  if (!file) return fail_to_read(file_name);
  // A folder can be opened, but not read.
  const bool are_run = run_lines(file, file_name);
  return file.bad() ? fail_to_read(file_name) : are_run;
}

bool is_option(const std::string& argument) {
  return argument.size() > 1 && argument.starts_with('-');
}

/// Returns an error message if the arguments are neither files nor a single known option.
std::optional<std::string> arguments_fault(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (!is_option(argument)) continue;
    const bool is_known =
        argument == "--help" || argument == "-h" || argument == "--version" || argument == "--list";
    if (!is_known) return "unknown option '" + argument + "'";
    if (arguments.size() > 1) return argument + " must be the only argument";
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (const auto fault = arguments_fault(arguments)) {
    std::fprintf(stderr, "jostle-matrix: %s (see jostle-matrix --help)\n", fault->c_str());
    return exit_bad_input;
  }
  const std::string first = arguments.empty() ? "--help" : arguments.front();
  if (first == "--help" || first == "-h") {
    print_usage();
    return arguments.empty() ? exit_bad_input : exit_done;
  }
  if (first == "--version") {
    std::printf("%s\n", jostle::commit::version_text("jostle-matrix").c_str());
    return exit_done;
  }
  if (first == "--list") {
    print_scenes();
    return exit_done;
  }
  for (const std::string& file : arguments) {
    if (!run_file(file)) return exit_bad_input;
  }
  std::printf("end\n");
  // The WebAssembly build must not return from main() (cmake/wasi/run.mjs).
  std::exit(exit_done);
}
