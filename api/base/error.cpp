#include "api/base/error.h"

#include "shared/base/version.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace jostle::api {
namespace {

/// Size of a message with its final zero. Longer messages are cut.
constexpr std::size_t message_bytes = 1'024;
using Message = std::array<char, message_bytes>;

// Messages are plain arrays, so that storing one allocates nothing.
thread_local constinit Message message{};

}  // namespace

void refuse(jostle_result result, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(message.data(), message.size(), format, values);
  va_end(values);
  throw Refusal{result};
}

void refuse_text(jostle_result result, const char* text) {
  refuse(result, "%s", text);
}

void finish_message(const char* function) noexcept {
  const Message body = message;
  std::size_t length = 0;
  const auto append = [&](std::string_view text) {
    for (const char letter : text)
      if (length + 1 < message.size()) message[length++] = letter;
  };
  append(function);
  append(": ");
  append(body.data());
  message[length] = '\0';
}

jostle_result note(jostle_result result, const char* function, const char* text) noexcept {
  std::snprintf(message.data(), message.size(), "%s: %s", function, text);
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
  return jostle::api::message.data();
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
    default:
      return "unknown result";
  }
}
