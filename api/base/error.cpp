#include "api/base/error.h"

#include "shared/base/version.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

// The message of the calling thread, of message_bytes bytes. Both libraries export this function,
// and the dynamic linker binds all calls to one of them. A program that uses both libraries thus
// reads the messages of both with jostle_last_error(). It is weak, so that no compiler inlines it.
extern "C" JOSTLE_API __attribute__((weak)) char* jostle_message_buffer() noexcept {
  // A plain array, so that storing a message allocates nothing.
  thread_local constinit std::array<char, jostle::api::message_bytes> message{};
  return message.data();
}

namespace jostle::api {
namespace {

using Message = std::array<char, message_bytes>;

}  // namespace

void refuse(jostle_result result, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(jostle_message_buffer(), message_bytes, format, values);
  va_end(values);
  throw Refusal{result};
}

void refuse_text(jostle_result result, const char* text) {
  refuse(result, "%s", text);
}

void finish_message(const char* function) noexcept {
  char* const message = jostle_message_buffer();
  Message body;
  std::memcpy(body.data(), message, body.size());
  std::size_t length = 0;
  const auto append = [&](std::string_view text) {
    for (const char letter : text)
      if (length + 1 < message_bytes) message[length++] = letter;
  };
  append(function);
  append(": ");
  append(body.data());
  message[length] = '\0';
}

jostle_result note(jostle_result result, const char* function, const char* text) noexcept {
  std::snprintf(jostle_message_buffer(), message_bytes, "%s: %s", function, text);
  return result;
}

}  // namespace jostle::api

#define JOSTLE_TEXT_OF(number) #number
#define JOSTLE_VERSION_TEXT(major, minor, patch) \
  JOSTLE_TEXT_OF(major) "." JOSTLE_TEXT_OF(minor) "." JOSTLE_TEXT_OF(patch)

const char* jostle_version() {
  constexpr const char* version =
      JOSTLE_VERSION_TEXT(JOSTLE_VERSION_MAJOR, JOSTLE_VERSION_MINOR, JOSTLE_VERSION_PATCH);
  static_assert(std::string_view(version) == JOSTLE_PROJECT_VERSION,
                "jostle/base.h and CMakeLists.txt must have the same version");
  return version;
}

const char* jostle_last_error() {
  return jostle_message_buffer();
}

const char* jostle_result_name(jostle_result result) {
  switch (result) {
    case JOSTLE_OK:
      return "JOSTLE_OK";
    case JOSTLE_ERROR_INVALID_ARGUMENT:
      return "JOSTLE_ERROR_INVALID_ARGUMENT";
    case JOSTLE_ERROR_STALE_HANDLE:
      return "JOSTLE_ERROR_STALE_HANDLE";
    case JOSTLE_ERROR_WRONG_STATE:
      return "JOSTLE_ERROR_WRONG_STATE";
    case JOSTLE_ERROR_BUFFER_TOO_SMALL:
      return "JOSTLE_ERROR_BUFFER_TOO_SMALL";
    case JOSTLE_ERROR_INVALID_DATA:
      return "JOSTLE_ERROR_INVALID_DATA";
    case JOSTLE_ERROR_NOT_FOUND:
      return "JOSTLE_ERROR_NOT_FOUND";
    case JOSTLE_ERROR_LIMIT:
      return "JOSTLE_ERROR_LIMIT";
    case JOSTLE_ERROR_BUSY:
      return "JOSTLE_ERROR_BUSY";
    case JOSTLE_ERROR_OUT_OF_MEMORY:
      return "JOSTLE_ERROR_OUT_OF_MEMORY";
    case JOSTLE_ERROR_INTERNAL:
      return "JOSTLE_ERROR_INTERNAL";
    case JOSTLE_ERROR_INTERRUPTED:
      return "JOSTLE_ERROR_INTERRUPTED";
    default:
      return "unknown result";
  }
}
