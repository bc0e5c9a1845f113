#include "client/frame_loss_meter.h"

#include <algorithm>

namespace jostle::client {

void FrameLossMeter::add(state::Tick last) {
  if (first_.number == 0) first_ = newest_ = last;
  const std::int64_t ahead = last - newest_;
  if (ahead >= 0) {
    has_come_ <<= static_cast<std::size_t>(std::min<std::int64_t>(ahead, kept));
    has_come_.set(0);
    newest_ = last;
  } else if (-ahead < static_cast<std::int64_t>(kept)) {
    has_come_.set(static_cast<std::size_t>(-ahead));
  }
}

double FrameLossMeter::loss() const {
  const std::int64_t since_first = newest_ - first_ + 1;
  const auto end = static_cast<std::size_t>(std::clamp<std::int64_t>(since_first, 0, kept));
  if (end <= late_ticks) return 0;
  std::size_t came = 0;
  for (std::size_t i = late_ticks; i < end; ++i)
    came += has_come_.test(i) ? 1 : 0;
  return 1 - static_cast<double>(came) / static_cast<double>(end - late_ticks);
}

}  // namespace jostle::client
