// jostle-matrix: runs the lines of unit files and prints a hash for each second of a run. It needs
// only the C++ standard library, so that it builds for every target.

#include "shared/base/version.h"
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
#include <string>
#include <string_view>

namespace {

namespace matrix = jostle::matrix;

constexpr int exit_done = 0, exit_bad_input = 2;

void print_usage() {
  std::printf(R"(jostle-matrix %s: executes runs of the determinism matrix (docs/DETERMINISM.md)

usage: jostle-matrix FILE...    execute the runs in these files; - is the standard input
       jostle-matrix --list     list the scenes of this build
       jostle-matrix --version  print the version and the compiler

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

bool run_file(const std::string& file_name) {
  if (file_name == "-") return run_lines(std::cin, "standard input");
  std::ifstream file(file_name);
  if (!file) {
    std::fprintf(stderr, "jostle-matrix: cannot read '%s': %s\n", file_name.c_str(),
                 std::strerror(errno));
    return false;
  }
  return run_lines(file, file_name);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "--help";
  if (first == "--help" || first == "-h") {
    print_usage();
    return argc > 1 ? exit_done : exit_bad_input;
  }
  if (first == "--version") {
    std::printf("jostle-matrix %s\ncompiler  %s\n", jostle::base::version().data(),
                jostle::base::compiler_description().c_str());
    return exit_done;
  }
  if (first == "--list") {
    print_scenes();
    return exit_done;
  }
  for (int i = 1; i < argc; ++i) {
    if (!run_file(argv[i])) return exit_bad_input;
  }
  std::printf("end\n");
  // The WebAssembly build must not return from main() (cmake/wasi/run.mjs).
  std::exit(exit_done);
}
