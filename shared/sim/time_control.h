#pragma once

#include "shared/base/bytes.h"
#include "shared/state/command.h"

#include <cstdint>
#include <optional>

namespace jostle::sim {

/// The clock of the world, which determines how many steps the world makes in each tick. Ticks
/// always continue at their rate, so that the clocks of clients stay correct. Slow motion skips
/// steps in some ticks, and fast forward makes several steps in one tick. The step length never
/// changes.
class TimeControl {
 public:
  TimeControl() = default;
  /// Starts unpaused. `percent` is the number of steps in 100 ticks, 1 to 1,000.
  explicit TimeControl(std::uint32_t percent);

  void apply(const state::ControlCommand& command);

  /// Returns the number of steps that the world makes in this tick. Call it once per tick.
  int advance();
  bool is_paused() const { return is_paused_; }
  std::uint32_t rate_percent() const { return rate_ * 100 / full_rate; }
  /// Returns the speed of the simulation relative to one step per tick. A pause does not change it.
  float scale() const { return static_cast<float>(rate_) / static_cast<float>(full_rate); }
  /// In slow motion, returns how far the state to show lies between the state before the last step
  /// (0) and the state after it (1). Returns nothing while paused, and at or above full speed: then
  /// the state after the last step is shown.
  std::optional<float> fraction() const;

  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  static constexpr std::uint32_t full_rate = 100;  // percent
  static constexpr std::uint32_t max_single_steps = 600;

  bool is_paused_ = false;
  std::uint32_t single_steps_ = 0;  // remaining steps while paused
  static constexpr std::uint32_t max_rate = 10 * full_rate;

  std::uint32_t rate_ = full_rate;  // 1..max_rate
  // part of a step carried over to the next tick, 0..full_rate − 1 hundredths
  std::uint32_t phase_ = 0;
};

}  // namespace jostle::sim
