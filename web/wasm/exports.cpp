#include "web/wasm/exports.h"

#include <utility>

namespace jostle::web {
namespace {

std::string& result() {
  static std::string bytes;
  return bytes;
}

}  // namespace

void set_result(std::string bytes) {
  result() = std::move(bytes);
}

JOSTLE_EXPORT(result_data) const char* result_data() {
  return result().data();
}
JOSTLE_EXPORT(result_size) std::uint32_t result_size() {
  return static_cast<std::uint32_t>(result().size());
}

}  // namespace jostle::web
