#pragma once

#include "shared/net/address.h"
#include "shared/net/io.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jostle::load {

/// Simulated viewers that fetch the fragments of a relay. Each has one connection, asks for the
/// newest fragment once a second, and fetches each fragment once.
struct AudienceOptions {
  net::Address server{net::loopback_ip, 7780};
  std::string path = "/relay/";  // ends with "/"
  std::size_t viewers = 1'000;
  double seconds = 20;  // length of the measurement, which begins after `settle_seconds`
  double settle_seconds = 6;
};

/// Figures of the measurement, for all viewers together.
struct AudienceFigures {
  std::uint64_t requests = 0, failures = 0, bytes = 0;  // bytes: bodies
  std::uint64_t fragments = 0;                          // fetched ones
  std::uint64_t missed = 0;                             // fragments that a viewer skipped
  std::uint64_t published = 0;                          // by the relay during the measurement
  std::int64_t request_p50_us = 0, request_p99_us = 0;
  std::string fault{};  // the last error; empty if none
};

AudienceFigures watch_fragments(net::Io& io, const AudienceOptions& options);

}  // namespace jostle::load
