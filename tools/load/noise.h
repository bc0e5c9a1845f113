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
  std::uint64_t datagrams = 0, bytes = 0;       // datagrams sent
  std::uint64_t answers = 0, answer_bytes = 0;  // datagrams received
  /// Connections of honest clients during the noise.
  std::uint64_t connects = 0, connects_failed = 0;
  std::int64_t connect_p50_us = 0, connect_max_us = 0;
};

/// Sends invalid traffic to a server from several addresses of this machine: hellos, proofs without
/// a cookie, sealed datagrams of unknown connections, and garbage. At the same time honest clients
/// connect one after another.
NoiseFigures make_noise(net::Io& io, const NoiseOptions& options, std::string& error);

}  // namespace jostle::load
