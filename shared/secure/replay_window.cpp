#include "shared/secure/replay_window.h"

#include "shared/base/assert.h"

#include <algorithm>

namespace jostle::secure {

bool ReplayWindow::is_new(std::uint64_t number) const {
  if (number > newest_) return true;
  if (newest_ - number >= size) return false;
  return (seen_[word_of(number)] & bit_of(number)) == 0;
}

void ReplayWindow::note(std::uint64_t number) {
  JOSTLE_ASSERT(is_new(number));
  if (number > newest_) {
    // The words between the old and the new newest number hold bits of numbers that have left the
    // window.
    const std::uint64_t passed =
        std::min<std::uint64_t>(number / word_bits - newest_ / word_bits, words);
    for (std::uint64_t i = 1; i <= passed; ++i)
      seen_[(newest_ / word_bits + i) % words] = 0;
    newest_ = number;
  }
  seen_[word_of(number)] |= bit_of(number);
}

}  // namespace jostle::secure
