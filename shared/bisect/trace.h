#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"
#include "shared/sim/default_rules.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jostle::bisect {

/// Selects the content of a trace: the hash after each tick, or the hash after each stage of one
/// tick, or all numbers of the state after one stage of a tick.
struct TraceRequest {
  std::uint32_t stages_of = 0;   // tick in which the hash after each stage is shown; 0: off
  std::uint32_t numbers_of = 0;  // tick in which the numbers after `stage` are shown; 0: off
  std::uint32_t from = 0;        // the first tick of a block; 0: the first block
  std::string stage;             // a name of traced_stages(), or end_of_tick

  /// Returns the command-line options of `trace` for this request.
  std::vector<std::string> options() const;
};

/// Takes a line without a newline. Returns false to end the trace.
using TakeLine = std::function<bool(const std::string& line)>;

/// Replays a recording with the rules that `rules` returns and writes its trace. The error names
/// the file `path` and says why it cannot be traced.
base::Result<base::Ok, std::string> trace(const record::Recording& recording,
                                          const std::string& path, const sim::RuleFactory& rules,
                                          const TraceRequest& request, const TakeLine& take);

}  // namespace jostle::bisect
