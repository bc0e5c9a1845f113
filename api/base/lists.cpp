#include "api/base/lists.h"

namespace jostle::api {

void write_text(const char* text, std::size_t length, char* buffer, std::size_t capacity,
                const char* name) {
  require_pointer(buffer, name);
  if (capacity == 0)
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "the capacity of %s is 0; accepted: at least 1", name);
  const std::size_t copied = length < capacity ? length : capacity - 1;
  std::memcpy(buffer, text, copied);
  buffer[copied] = '\0';
}

}  // namespace jostle::api
