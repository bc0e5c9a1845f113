#include "shared/base/assert.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace jostle::base {
namespace {

// A global variable, because a failed assertion has no other way to reach the hook.
std::atomic<AbortHook> abort_hook{nullptr};

}  // namespace

void set_abort_hook(AbortHook hook) {
  abort_hook.store(hook);
}

void fail_assertion(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "jostle: assertion failed: %s at %s:%d\n", expression, file, line);
  std::fflush(stderr);
  if (AbortHook hook = abort_hook.exchange(nullptr)) hook();
  std::abort();
}

}  // namespace jostle::base
