#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What a fuzzer calls with bytes of its own making, again and again; see docs/SECURITY.md. What
/// it does follows from these bytes alone.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace jostle::fuzz {

/// Takes a fuzzer's bytes apart: choices and numbers from the front, zeros once they are used up.
class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size)
      : bytes_(std::as_bytes(std::span(data, size))) {}

  bool is_empty() const { return bytes_.empty(); }
  std::size_t remaining() const { return bytes_.size(); }

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  std::int64_t i64() { return static_cast<std::int64_t>(number(8)); }
  bool boolean() { return (u8() & 1) != 0; }
  /// 0..count − 1, of one byte.
  std::size_t choice(std::size_t count) { return u8() % count; }

  /// So many, or what there is.
  std::span<const std::byte> bytes(std::size_t count) {
    const auto taken = bytes_.first(count < bytes_.size() ? count : bytes_.size());
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }
  std::span<const std::byte> rest() { return bytes(bytes_.size()); }
  /// A u16 length, then so many.
  std::span<const std::byte> block() { return bytes(u16()); }

 private:
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size && i < bytes_.size(); ++i)
      value |= static_cast<std::uint64_t>(bytes_[i]) << (8 * i);
    (void)bytes(size);
    return value;
  }

  std::span<const std::byte> bytes_;
};

/// In memory of its own length, so that a sanitizer sees a read past it.
inline std::vector<std::byte> copy_of(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace jostle::fuzz
