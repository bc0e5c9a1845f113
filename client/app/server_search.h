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

/// Looks for servers over all links of this machine. The error is one sentence.
base::Result<std::unique_ptr<lan::Search>, std::string> search_local_network(net::Io& io);

/// A found server in words; greyed where this program does not understand it.
panels::ServerLine line_of(const lan::FoundServer& server);

/// Prints those that answer within a second, a line each. The exit code: 0, or 1 after a sentence
/// where there is none.
int print_local_servers(net::Io& io, const std::function<bool()>& should_stop);

}  // namespace jostle::client_app
