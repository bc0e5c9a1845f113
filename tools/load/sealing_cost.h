#pragma once

namespace jostle::load {

/// What sealing costs in processor time of one thread, µs: medians over many repetitions.
struct SealingCost {
  double seal_us = 0, open_us = 0;  // a datagram of 1,200 B, with tag and number
  double refuse_us = 0;             // one of that length that nobody has sealed
  double cookie_us = 0;             // the answer to a HELLO
  double exchange_us = 0;           // a key exchange at the server, without a token
  double token_us = 0;              // checking a token
};
SealingCost measure_sealing();

}  // namespace jostle::load
