#pragma once

#include "tools/bench/measurement.h"

#include <string>

namespace jostle::bench {

/// Returns the steps of a round, and the stages within them, in the Trace Event Format that
/// chrome://tracing and Perfetto read ("Trace Event Format", Google 2016, JSON array of complete
/// events). Stages are omitted if the round has no spans (MeasureOptions::keeps_stage_spans).
std::string to_chrome_trace(const std::string& engine, const Round& round);

}  // namespace jostle::bench
