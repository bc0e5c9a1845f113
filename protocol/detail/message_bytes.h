#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::detail {

/// Returns the finished message of a FlatBufferBuilder. The builder is a template parameter, so
/// that only codecs include FlatBuffers.
template <typename Builder>
std::vector<std::byte> to_bytes(const Builder& builder) {
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return {data, data + builder.GetSize()};
}

/// A received message at an address aligned for its widest field, because FlatBuffers reads in
/// place. If `bytes` is not aligned, it is copied; otherwise it must outlive this object.
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

/// Returns true if a list of eight-byte entries is aligned to eight bytes, or missing or empty.
/// FlatBuffers' verifier checks the alignment of fields, but that of lists only to four bytes.
template <typename List>
bool is_aligned_to_eight(const List* list) {
  return list == nullptr || list->size() == 0 ||
         reinterpret_cast<std::uintptr_t>(list->Data()) % 8 == 0;
}

}  // namespace jostle::protocol::detail
