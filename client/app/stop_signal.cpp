#include "client/app/stop_signal.h"

#include <csignal>

namespace jostle::client_app {

namespace {

// Global, because a signal handler receives no pointer to other state.
volatile std::sig_atomic_t stop_requested = 0;

extern "C" void request_stop(int) {
  stop_requested = 1;
}

}  // namespace

void catch_stop_signals() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

bool is_stop_requested() {
  return stop_requested != 0;
}

}  // namespace jostle::client_app
