#include "tools/bench_suite.h"

#include "tools/bench/suite.h"
#include "tools/commands.h"
#include "tools/workload/families.h"

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

constexpr Failure fail_suite{"bench physics"};

/// Prints a line at once, also into a pipe, because the whole suite takes minutes.
void print_now(const std::string& line) {
  std::fputs(line.c_str(), stdout);
  if (!line.ends_with('\n')) std::fputc('\n', stdout);
  std::fflush(stdout);
}

/// Measures one scene and prints its lines. Appends a row to `rows` and returns true, unless an
/// engine failed.
bool run_member(const workload::Scene& scene, const SuiteOptions& options,
                std::span<const bench::EngineKind> engines, const bench::MeasureOptions& measure,
                std::vector<bench::SuiteRow>& rows) {
  std::vector<bench::Figures> figures;
  bool is_complete = true;
  for (const bench::Measurement& measured : bench::measure(scene, engines, measure)) {
    if (!measured.failure.empty()) {
      fail_suite(scene.name + ": " + measured.engine + ": " + measured.failure);
      is_complete = false;
      continue;
    }
    figures.push_back(bench::summarise(scene, measured, measure));
    print_now(options.as_json ? to_json(figures.back()) : to_text_line(figures.back()));
  }
  if (!is_complete) return false;
  bench::SuiteRow row{figures.front(), std::nullopt};
  if (figures.size() == 2) {
    row.peer = figures[1];
    print_now(options.as_json ? to_json_quotients(figures[0], figures[1])
                              : to_text_quotients(figures[0], figures[1]));
  }
  rows.push_back(std::move(row));
  return true;
}

}  // namespace

int run_suite(const SuiteOptions& options, std::span<const bench::EngineKind> engines,
              const bench::MeasureOptions& measure) {
  if (!options.as_json) print_now(options.suite + " suite, seed " + std::to_string(options.seed));
  std::vector<bench::SuiteRow> rows;
  bool is_complete = true;
  for (const workload::Family& family : workload::families()) {
    const workload::Scene scene = workload::make_member(family, options.seed);
    is_complete = run_member(scene, options, engines, measure, rows) && is_complete;
  }
  if (!rows.empty()) {
    print_now(options.as_json ? to_json_summary(options.suite, options.seed, rows)
                              : to_text_summary(options.suite, options.seed, rows));
  }
  return is_complete ? exit_ok : exit_differs;
}

}  // namespace jostle::tools
