#pragma once

namespace jostle::base {

/// Called once, with the failed expression, before the process aborts: the place to flush a
/// recording. Must not assert itself. Passing nullptr removes it.
using AbortHook = void (*)();
void set_abort_hook(AbortHook hook);

/// Writes one line to stderr, runs the abort hook and aborts. Never returns.
[[noreturn]] void fail_assertion(const char* expression, const char* file, int line);

}  // namespace jostle::base

/// A contract of our own code. On in every build: a broken contract is a bug, not an input.
#define JOSTLE_ASSERT(condition)                       \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::jostle::base::fail_assertion(#condition, __FILE__, __LINE__))

/// The same for tolerances and scans that would cost a release build time.
#ifdef NDEBUG
#define JOSTLE_ASSERT_SLOW(condition) static_cast<void>(0)
#else
#define JOSTLE_ASSERT_SLOW(condition) JOSTLE_ASSERT(condition)
#endif
