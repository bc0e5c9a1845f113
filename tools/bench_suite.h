#pragma once

#include "tools/bench/measurement.h"

#include <cstdint>
#include <span>
#include <string>

namespace jostle::tools {

inline constexpr const char* wide_suite = "wide";

struct SuiteOptions {
  std::string suite;  // name of the suite
  std::uint32_t seed = 0;
  bool as_json = false;
};

/// Measures one member of each family, one scene after another, and prints the results of each
/// scene immediately. Returns exit_ok, or exit_differs if an engine failed on a scene; the
/// remaining scenes are still measured.
int run_suite(const SuiteOptions& options, std::span<const bench::EngineKind> engines,
              const bench::MeasureOptions& measure);

}  // namespace jostle::tools
