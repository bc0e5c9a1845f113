#pragma once

#include "shared/http/byte_stream.h"
#include "shared/http/detail/connection_limits.h"
#include "shared/http/host_check.h"
#include "shared/http/server.h"

#include <memory>
#include <utility>

namespace jostle::http {

/// State that all connections share. It outlives them.
struct SharedState {
  SharedState(ServerOptions given, Site& content)
      : options(std::move(given)),
        check(options.names),
        limits(options.max_connections, options.max_connections_per_address),
        site(content) {}
  ServerOptions options;
  HostCheck check;
  ConnectionLimits limits;
  Site& site;
  bool is_stopped = false;
};

/// Serves a connection, which `shared->limits` has counted. `client` is the other end's address.
void serve(std::unique_ptr<ByteStream> bytes, std::shared_ptr<SharedState> shared,
           net::Address client);

}  // namespace jostle::http
