#pragma once

namespace jostle::base {

/// A function that runs once, after an assertion has failed and before the process aborts, for
/// example to flush a recording. The hook must not fail an assertion itself.
using AbortHook = void (*)();
/// Sets the abort hook; nullptr removes it.
void set_abort_hook(AbortHook hook);

/// Writes one line to stderr, runs the abort hook and aborts. Never returns.
[[noreturn]] void fail_assertion(const char* expression, const char* file, int line);

}  // namespace jostle::base

/// Checks a precondition or invariant of the project's own code, in every build type. Calls
/// `fail_assertion` if `condition` is false. Do not check input with it: a failed assertion means a
/// bug.
#define JOSTLE_ASSERT(condition)                       \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::jostle::base::fail_assertion(#condition, __FILE__, __LINE__))

/// Like JOSTLE_ASSERT, but removed if NDEBUG is defined: for expensive checks.
#ifdef NDEBUG
#define JOSTLE_ASSERT_SLOW(condition) static_cast<void>(0)
#else
#define JOSTLE_ASSERT_SLOW(condition) JOSTLE_ASSERT(condition)
#endif
