#pragma once

namespace jostle::load {

/// The CPU time of cryptographic operations on one thread, in µs. Medians over many repetitions.
struct SealingCost {
  double seal_us = 0, open_us = 0;  // a datagram of 1,200 B, with tag and number
  double refuse_us = 0;             // a datagram of that length with an invalid tag
  double cookie_us = 0;             // the reply to a HELLO
  double exchange_us = 0;           // a key exchange at the server, without a token
  double token_us = 0;              // verification of a token
};
SealingCost measure_sealing();

}  // namespace jostle::load
