#pragma once

#include "api/base/checks.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace jostle::api {

// Arrays of the caller. Elements are copied byte by byte, so that an array may have any stride and
// alignment.

template <typename Element>
Element read_element(const Element* array, std::size_t stride, std::size_t index) {
  static_assert(std::is_trivially_copyable_v<Element>);
  Element element;
  std::memcpy(&element, reinterpret_cast<const char*>(array) + index * stride, sizeof element);
  return element;
}
template <typename Element>
void write_element(Element* array, std::size_t stride, std::size_t index, const Element& element) {
  static_assert(std::is_trivially_copyable_v<Element>);
  std::memcpy(reinterpret_cast<char*>(array) + index * stride, &element, sizeof element);
}

/// Array of the caller that receives a list, and the place for the length of the list.
template <typename Element>
struct ListOutput {
  Element* array = nullptr;
  std::size_t stride = 0;
  std::size_t capacity = 0;
  std::size_t* count = nullptr;
};

/// Checks the arguments of a function that lists elements.
template <typename Element>
ListOutput<Element> list_output(Element* array, std::size_t stride, std::size_t capacity,
                                std::size_t* count) {
  const std::size_t bytes = stride_of(stride, sizeof(Element), "the array");
  require_array(array, capacity, bytes, "the array");
  require_pointer(count, "count");
  return {array, bytes, capacity, count};
}

/// Writes `count` elements, `element(i)` for each index. If the array is too small, fills it and
/// refuses the call; a null array asks for the count only.
template <typename Element, typename Make>
void write_list(const ListOutput<Element>& output, std::size_t count, const Make& element) {
  *output.count = count;
  if (output.array == nullptr) return;
  for (std::size_t i = 0; i < count && i < output.capacity; ++i)
    write_element<Element>(output.array, output.stride, i, element(i));
  if (count > output.capacity) {
    refuse(JOSTLE_ERROR_BUFFER_TOO_SMALL, "the array holds %zu elements; needed: %zu",
           output.capacity, count);
  }
}

/// Writes a text with a final zero, cut to `capacity` bytes.
void write_text(const char* text, std::size_t length, char* buffer, std::size_t capacity,
                const char* name);

}  // namespace jostle::api
