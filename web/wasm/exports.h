#pragma once

#include <cstdint>
#include <string>

/// Marks a function that the page calls. Text arguments are a pointer and a size in bytes.
#define JOSTLE_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace jostle::web {

/// Stores a text or bytes for the page, which reads them with result_data() and result_size()
/// before its next call.
void set_result(std::string bytes);

/// Returns the text of an argument of an exported function.
inline std::string text_of(const char* data, std::uint32_t size) {
  return {data, size};
}

}  // namespace jostle::web
