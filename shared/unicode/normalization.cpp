#include "shared/unicode/normalization.h"

#include <utf8proc.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace jostle::unicode {
namespace {

/// Returns the text after the transformation that utf8proc's options describe. Text that utf8proc
/// rejects is returned unchanged.
std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* result = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &result,
                                             static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(result, &std::free);
  if (size < 0) return std::string(text);
  return {reinterpret_cast<const char*>(result), static_cast<std::size_t>(size)};
}

}  // namespace

std::string to_nfc(std::string_view text) {
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string to_nfkc_casefold(std::string_view text) {
  const std::string decomposed = mapped(text, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
  return mapped(decomposed, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
}

}  // namespace jostle::unicode
