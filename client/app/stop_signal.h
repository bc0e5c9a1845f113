#pragma once

namespace jostle::client_app {

/// From here on SIGINT and SIGTERM ask for an end instead of ending the process.
void catch_stop_signals();
bool is_stop_requested();

}  // namespace jostle::client_app
