#pragma once

#include "shared/base/bytes.h"
#include "shared/state/command.h"

#include <cstdint>
#include <optional>

namespace jostle::sim {

/// Decides how often the world steps in each tick. Ticks go on at their rate whatever happens here,
/// so that clocks of clients stay right; slow motion leaves ticks out, fast forward steps several
/// times in one, and neither changes the step's length.
class TimeControl {
 public:
  TimeControl() = default;
  /// Steps in 100 ticks, 1 to 1,000.
  explicit TimeControl(std::uint32_t percent);

  void apply(const state::ControlCommand& command);

  /// Once per tick: how many steps the world makes in it.
  int advance();
  bool is_paused() const { return is_paused_; }
  std::uint32_t rate_percent() const { return rate_ * 100 / full_rate; }
  /// How fast the world goes, 1 at one step a tick.
  float scale() const { return static_cast<float>(rate_) / static_cast<float>(full_rate); }
  /// Of slow motion: how far the time that is to be seen has come from the step before the last to
  /// the last, 0..1. Nothing where the last step itself is.
  std::optional<float> fraction() const;

  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  static constexpr std::uint32_t full_rate = 100;  // percent
  static constexpr std::uint32_t max_single_steps = 600;

  bool is_paused_ = false;
  std::uint32_t single_steps_ = 0;  // still to do while paused
  static constexpr std::uint32_t max_rate = 10 * full_rate;

  std::uint32_t rate_ = full_rate;  // 1..max_rate
  std::uint32_t phase_ = 0;         // 0..full_rate − 1
};

}  // namespace jostle::sim
