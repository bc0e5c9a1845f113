#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace jostle::load {

/// A server whose viewers are browsers: the server in this process, and the gate and the viewers in
/// child processes.
struct WebLoadOptions {
  std::size_t viewers = 500;
  double seconds = 10;  // length of each measurement
  int tick_rate_hz = 60;
  std::optional<std::size_t> direct_viewers{};  // of the gate; nothing: its default
  std::string program;  // path of this program, which is started again for the viewers
};

/// Figures of a server without viewers and with them.
struct WebLoadFigures {
  std::int64_t idle_p50_us = 0, idle_p99_us = 0;  // time of a tick without viewers
  std::int64_t tick_p50_us = 0, tick_p99_us = 0;  // with all viewers
  std::uint64_t ticks_skipped = 0;
  std::size_t viewers = 0;        // at the end of the measurement
  std::size_t sessions = 0;       // of them, those that the server serves itself
  double server_cpu_seconds = 0;  // CPU time of the server per second
  double gate_cpu_seconds = 0;    // CPU time of the gate per second
  std::string viewers_text{};     // figures of the viewers' process
};

/// Measures first without viewers, then with all of them. The error is one sentence.
base::Result<WebLoadFigures, std::string> measure_web_load(const WebLoadOptions& options,
                                                           scene::SceneDef scene);

}  // namespace jostle::load
