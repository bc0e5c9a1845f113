#pragma once

#include "shared/net/address.h"
#include "shared/net/io.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jostle::load {

/// Simulated viewers that join through a gate, as browsers do.
struct WebViewersOptions {
  net::Address gate{net::loopback_ip, 7780};
  std::string target = "/ws";  // path of the WebSocket
  std::string token{};         // text of a token for all viewers; empty: none
  std::size_t viewers = 500;
  double seconds = 10;       // length of the measurement, which begins when all viewers watch
  double join_seconds = 60;  // time within which all viewers must watch
};

/// Figures of the measurement, for all viewers together.
struct WebViewersFigures {
  std::size_t watching = 0;     // viewers that received snapshots
  std::uint64_t lost = 0;       // connections that ended
  std::uint64_t snapshots = 0;  // complete snapshots
  /// Bytes of WebSocket messages with their frame headers.
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;
  /// Age of snapshots at their arrival: time since their tick was due. Valid only on the machine of
  /// the server.
  std::int64_t age_p50_us = 0, age_p99_us = 0;
  std::string refusal{};  // why a viewer was refused; empty if none was
};

WebViewersFigures watch_in_browsers(net::Io& io, const WebViewersOptions& options);

}  // namespace jostle::load
