#include "shared/sim/time_control.h"

#include <algorithm>

namespace jostle::sim {

TimeControl::TimeControl(std::uint32_t percent) : rate_(std::clamp(percent, 1U, max_rate)) {}

void TimeControl::apply(const state::ControlCommand& command) {
  switch (command.kind) {
    case state::ControlKind::Pause:
      is_paused_ = true;
      single_steps_ = 0;
      break;
    case state::ControlKind::Resume:
      is_paused_ = false;
      break;
    case state::ControlKind::Step:
      is_paused_ = true;
      single_steps_ =
          std::min(single_steps_ + std::min(command.count, max_single_steps), max_single_steps);
      break;
    case state::ControlKind::Rate:
      rate_ = std::clamp(command.count, 1U, max_rate);
      phase_ = 0;
      break;
    case state::ControlKind::Reset:
    case state::ControlKind::Gravity:
      break;  // no effect on time
  }
}

int TimeControl::advance() {
  if (is_paused_) {
    if (single_steps_ == 0) return 0;
    --single_steps_;
    return 1;
  }
  phase_ += rate_;
  const std::uint32_t steps = phase_ / full_rate;
  phase_ -= steps * full_rate;
  return static_cast<int>(steps);
}

std::optional<float> TimeControl::fraction() const {
  if (is_paused_ || rate_ >= full_rate) return std::nullopt;
  return static_cast<float>(phase_) / static_cast<float>(full_rate);
}

void TimeControl::save(base::ByteWriter& writer) const {
  writer.boolean(is_paused_);
  writer.u32(single_steps_);
  writer.u32(rate_);
  writer.u32(phase_);
}

void TimeControl::restore(base::ByteReader& reader) {
  is_paused_ = reader.boolean();
  single_steps_ = reader.u32();
  rate_ = reader.u32();
  phase_ = reader.u32();
  if (single_steps_ > max_single_steps || rate_ == 0 || rate_ > max_rate || phase_ >= full_rate) {
    reader.fail();
  }
}

}  // namespace jostle::sim
