#pragma once

#include "shared/base/fp_environment.h"

#include <jostle/base.h>

#include <cstddef>
#include <new>

namespace jostle::api {

/// Size of a message with its final zero. Longer messages are cut.
inline constexpr std::size_t message_bytes = 1'024;

/// Exception for an error of the caller. Only `guard` catches it; no exception leaves the library.
struct Refusal {
  jostle_result result = JOSTLE_ERROR_INTERNAL;
};

/// Stores a message for jostle_last_error(), in the form of printf, and throws a Refusal.
[[noreturn]] void refuse(jostle_result result, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
/// Like `refuse`, for a message that does not need formatting.
[[noreturn]] void refuse_text(jostle_result result, const char* text);

/// Puts the name of the function before the stored message.
void finish_message(const char* function) noexcept;
/// Stores a message and returns `result`, without an exception.
jostle_result note(jostle_result result, const char* function, const char* message) noexcept;

/// Runs the body of a function of the C API and converts exceptions to results. The body runs with
/// the floating-point environment of the engine, whatever that of the caller is.
template <typename Body>
jostle_result guard(const char* function, const Body& body) noexcept {
  try {
    const base::FpEnvironment environment;
    body();
    return JOSTLE_OK;
  } catch (const Refusal& refusal) {
    finish_message(function);
    return refusal.result;
  } catch (const std::bad_alloc&) {
    return note(JOSTLE_ERROR_OUT_OF_MEMORY, function, "the system has no memory left");
  } catch (...) {
    return note(JOSTLE_ERROR_INTERNAL, function, "unexpected exception; please report this bug");
  }
}

}  // namespace jostle::api
