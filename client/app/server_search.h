#pragma once

#include "client/app/options.h"
#include "client/panels/server_list.h"
#include "shared/base/result.h"
#include "shared/lan/search.h"
#include "shared/net/io.h"

#include <functional>
#include <memory>
#include <string>

namespace jostle::client_app {

/// Starts a search for servers on all networks of this machine. The error is one sentence.
base::Result<std::unique_ptr<lan::DiscoveryClient>, std::string> search_local_network(net::Io& io);

/// Returns the list entry of a found server. The entry's `fault` is set if the server's version is
/// incompatible.
panels::ServerLine line_of(const lan::DiscoveredServer& server);

/// Prints the servers that answer within a second, one per line, and returns the exit code 0. If
/// the search fails or no server answers, prints an error message and returns 1.
int print_local_servers(net::Io& io, const std::function<bool()>& should_stop);

}  // namespace jostle::client_app
