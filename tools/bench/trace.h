#pragma once

#include "tools/bench/measurement.h"

#include <string>

namespace jostle::bench {

/// The steps of a round one after the other, and in them the stages as they ran, in the Trace Event
/// Format that chrome://tracing and Perfetto read ("Trace Event Format", Google 2016, JSON array of
/// complete events). The round must have kept the spans of every step.
std::string to_chrome_trace(const std::string& engine, const Round& round);

}  // namespace jostle::bench
