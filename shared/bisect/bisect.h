#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"
#include "shared/sim/default_rules.h"

#include <cstddef>
#include <string>
#include <vector>

/// Search for the first difference between two programs that replay the same recording: this one,
/// and another build of it, which runs as a child process and prints traces.
namespace jostle::bisect {

struct BisectRequest {
  std::string path;  // of the recording
  /// Words of the command that runs `trace` in the other program, such as {"./old", "trace"}. The
  /// path and the options of the trace follow them.
  std::vector<std::string> other;
  /// Name of the other program in errors, such as "--against: './old'".
  std::string other_name;
  std::size_t numbers = 0;  // maximum number of differing numbers to show
};

struct BisectFinding {
  bool is_same = false;
  std::string text;  // the complete report, with a final newline
};

/// Replays the recording in both programs and compares their traces: first the ticks, then the
/// stages of the first tick that differs, then the numbers after the first stage that differs. The
/// error says why the programs cannot be compared.
base::Result<BisectFinding, std::string> bisect(const record::Recording& recording,
                                                const BisectRequest& request,
                                                const sim::RuleFactory& rules);

}  // namespace jostle::bisect
