#pragma once

namespace jostle::client_app {

/// Installs signal handlers: SIGINT and SIGTERM then request a stop instead of ending the process.
void catch_stop_signals();
bool is_stop_requested();

}  // namespace jostle::client_app
