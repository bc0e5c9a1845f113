#pragma once

#include "shared/base/result.h"
#include "shared/net/faulty_link.h"
#include "tools/link/samples.h"
#include "tools/match/match.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jostle::link {

/// A client's machine and its way to the server.
struct ClockLink {
  std::string name;
  net::LinkFaults up, down;
  std::int64_t drift_ppm = 0;  // of the client's clock
  match::Pace pace;
};

struct ClockFigures {
  /// Of the tick in which a client takes the server to be, from a second after its Welcome on, ms.
  Samples error_ms;
  /// From a client's Welcome until it is within 3 ms and stays so for a second, ms.
  Samples converged_ms;
};

struct ClockRun {
  std::vector<ClockLink> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  int starts = 20;  // of a client, for each seed, to see how soon it knows
  std::function<void(double)> progress;
};

/// Figures of each link, of a small scene at 60 ticks a second. The clock of every client starts
/// somewhere else.
base::Result<std::vector<ClockFigures>, std::string> run_clocks(const ClockRun& run);

/// A long run of one client, whose errors are noted in its first and in its last hour (or in its
/// first and last quarter, if it is shorter than four).
struct DayRun {
  ClockLink link;
  std::uint64_t seed = 1;
  double hours = 24;
  std::function<void(double)> progress;
};
struct DayFigures {
  Samples first_ms, last_ms;
};
base::Result<DayFigures, std::string> run_day(const DayRun& run);

}  // namespace jostle::link
