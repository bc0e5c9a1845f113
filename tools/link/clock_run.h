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

/// The link between a client and the server, and the client's clock.
struct ClockLink {
  std::string name = "client";
  net::LinkFaults up, down;
  std::int64_t drift_ppm = 0;  // drift of the client's clock
  match::Pace pace;
};

struct ClockFigures {
  /// Error of the client's estimate of the server's tick, in ms, from one second after Welcome on.
  Samples error_ms;
  /// Time from Welcome until the clock has converged, in ms: the start of the first second in which
  /// the error stays within 3 ms. 4,000 if there is none in the four seconds of a run.
  Samples converged_ms;
};

struct ClockRun {
  std::vector<ClockLink> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  int starts = 20;  // starts of a client per seed, to measure convergence
  std::function<void(double)> progress;
};

/// Measures the clock error over each link, with a small scene at 60 ticks per second. The clock of
/// every client starts at a random value.
base::Result<std::vector<ClockFigures>, std::string> run_clocks(const ClockRun& run);

/// The options of a long run of one client. Errors are recorded in the first and the last hour, or
/// in the first and the last quarter of a run shorter than four hours.
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
