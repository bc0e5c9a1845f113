#pragma once

#include "tools/bench/measurement.h"

#include <string>

namespace jostle::bench {

/// The steps of a round and the stages in them, one after the other, in the Trace Event Format that
/// chrome://tracing and Perfetto read ("Trace Event Format", Google 2016, JSON array of complete
/// events). The round must have kept the stage times of every step.
std::string to_chrome_trace(const std::string& engine, const Round& round);

}  // namespace jostle::bench
