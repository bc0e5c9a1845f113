#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::detail {

/// The finished message of a FlatBufferBuilder. (A template because only codecs see FlatBuffers.)
template <typename Builder>
std::vector<std::byte> to_bytes(const Builder& builder) {
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return {data, data + builder.GetSize()};
}

/// A message at an address that its widest field may have. FlatBuffers reads in place; a message
/// that is a slice of something larger is copied first. Keeps no copy otherwise: `bytes` must
/// outlive it.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::span<const std::byte> bytes) : data_(bytes.data()) {
    constexpr std::uintptr_t widest = 8;
    if (reinterpret_cast<std::uintptr_t>(data_) % widest == 0) return;
    copy_.assign(bytes.begin(), bytes.end());
    data_ = copy_.data();
  }
  AlignedBytes(const AlignedBytes&) = delete;
  AlignedBytes& operator=(const AlignedBytes&) = delete;

  const std::uint8_t* data() const { return reinterpret_cast<const std::uint8_t*>(data_); }

 private:
  const std::byte* data_;
  std::vector<std::byte> copy_;
};

/// Whether a list of entries that want eight bytes lies on such an address: FlatBuffers' verifier
/// sees to fields and to four bytes of lists only. A lacking or an empty list does.
template <typename List>
bool is_aligned_to_eight(const List* list) {
  return list == nullptr || list->size() == 0 ||
         reinterpret_cast<std::uintptr_t>(list->Data()) % 8 == 0;
}

}  // namespace jostle::protocol::detail
