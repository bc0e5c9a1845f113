#include "tools/bench/trace.h"

#include <array>
#include <cstdio>

namespace jostle::bench {
namespace {

void add_event(std::string& trace, const std::string& name, double begin_ms, double duration_ms) {
  std::array<char, 256> event{};
  std::snprintf(event.data(), event.size(),
                "%s{\"name\": \"%s\", \"ph\": \"X\", \"ts\": %.3f, \"dur\": %.3f, \"pid\": 1, "
                "\"tid\": 1}",
                trace.size() > 1 ? ",\n" : "\n", name.c_str(), 1000 * begin_ms, 1000 * duration_ms);
  trace += event.data();
}

}  // namespace

std::string to_chrome_trace(const std::string& engine, const Round& round) {
  std::string trace = "[";
  double now_ms = 0;
  for (std::size_t step = 0; step < round.step_ms.size(); ++step) {
    const double step_ms = static_cast<double>(round.step_ms[step]);
    add_event(trace, engine + " step " + std::to_string(step), now_ms, step_ms);
    if (step < round.stage_spans.size()) {
      for (const StageSpan& span : round.stage_spans[step])
        add_event(trace, round.stage_names[span.stage], now_ms + static_cast<double>(span.begin_ms),
                  static_cast<double>(span.end_ms - span.begin_ms));
    }
    now_ms += step_ms;
  }
  return trace + "\n]\n";
}

}  // namespace jostle::bench
