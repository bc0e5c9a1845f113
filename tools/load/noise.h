#pragma once

#include "shared/net/io.h"

#include <cstdint>
#include <string>

namespace jostle::load {

struct NoiseOptions {
  net::Address server{net::loopback_ip, 0};
  double per_second = 10'000;
  double seconds = 10;
  std::uint64_t seed = 1;
};

struct NoiseFigures {
  std::uint64_t datagrams = 0, bytes = 0;  // number and total size of the datagrams sent
  // The server's answers to these datagrams.
  std::uint64_t answers = 0, answer_bytes = 0;
  /// Connections of well-behaved clients during the noise.
  std::uint64_t connects = 0, connects_failed = 0;
  std::int64_t connect_p50_us = 0, connect_max_us = 0;
};

/// Sends invalid traffic to a server from several addresses of this machine: HELLOs, AUTHs without
/// a valid cookie, sealed datagrams of unknown sessions, and garbage. Meanwhile, well-behaved
/// clients connect one after another. Sets `error` if a socket cannot be opened.
NoiseFigures make_noise(net::Io& io, const NoiseOptions& options, std::string& error);

}  // namespace jostle::load
