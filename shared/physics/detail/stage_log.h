#pragma once

#include "shared/physics/execution.h"

#include <vector>

namespace jostle::physics {

/// The stages that a thread ran in a step, with their times.
struct StageLog {
  StageClock clock = nullptr;
  std::vector<StageSpan> spans;

  /// Begins a stage, and ends the previous one at the same time.
  void begin(Stage stage) {
    if (clock == nullptr) return;
    const double now = clock();
    if (is_open_) spans.back().end = now;
    spans.push_back({stage, now, now});
    is_open_ = true;
  }
  void end() {
    if (is_open_) spans.back().end = clock();
    is_open_ = false;
  }

 private:
  bool is_open_ = false;
};

/// Timer that records the time from its construction to its destruction as a stage.
class StageTimer {
 public:
  StageTimer(StageLog& log, Stage stage) : log_(log), stage_(stage) {
    if (log_.clock != nullptr) begin_ = log_.clock();
  }
  ~StageTimer() {
    if (log_.clock != nullptr) log_.spans.push_back({stage_, begin_, log_.clock()});
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  StageLog& log_;
  Stage stage_;
  double begin_ = 0;
};

}  // namespace jostle::physics
