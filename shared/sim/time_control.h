#pragma once

#include "shared/base/bytes.h"
#include "shared/state/command.h"

#include <cstdint>

namespace jostle::sim {

/// Decides in which ticks the world steps. Ticks go on at their rate whatever happens here, so that
/// clocks of clients stay right; slow motion leaves ticks out and never changes the step's length.
class TimeControl {
 public:
  void apply(const state::ControlCommand& command);

  /// Once per tick: whether the world steps in it.
  bool advance();
  bool is_paused() const { return is_paused_; }

  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  static constexpr std::uint32_t full_rate = 100;  // percent
  static constexpr std::uint32_t max_single_steps = 600;

  bool is_paused_ = false;
  std::uint32_t single_steps_ = 0;  // still to do while paused
  std::uint32_t rate_ = full_rate;  // 1..full_rate
  std::uint32_t phase_ = 0;         // 0..full_rate − 1
};

}  // namespace jostle::sim
