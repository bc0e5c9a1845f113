#pragma once

#include "tools/bench/figures.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace jostle::bench {

/// Returns the default seed of the wide suite: the first 8 hexadecimal digits of the hash of the
/// last commit that touched shared/physics. Outside a checkout, it is derived from the contents of
/// that folder. A change of the engine therefore changes the scenes on which it is measured.
std::uint32_t default_suite_seed();

/// The results of one scene of the suite.
struct SuiteRow {
  Figures ours;
  std::optional<Figures> peer;
};

/// Geometric means over the scenes of a suite.
struct SuiteMeans {
  double mean_ms = 0, p99_ms = 0;              // times of `ours`
  double mean_quotient = 0, p99_quotient = 0;  // `ours` ÷ `peer`; NaN without rows with a peer
};

/// Computes the geometric means. Rows with a time of 0 do not count.
SuiteMeans means_of(std::span<const SuiteRow> rows);

/// Returns the figures of one engine on one scene as a line for the terminal.
std::string to_text_line(const Figures& figures);
/// Returns the end of a suite's report: the geometric means, and with a peer a list of all scenes
/// in descending order of the quotient of the means.
std::string to_text_summary(const std::string& suite, std::uint32_t seed,
                            std::span<const SuiteRow> rows);
std::string to_json_summary(const std::string& suite, std::uint32_t seed,
                            std::span<const SuiteRow> rows);

}  // namespace jostle::bench
