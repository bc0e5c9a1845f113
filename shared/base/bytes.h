#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::base {

/// Returns the value whose bytes in memory are those of `value` in little-endian order: `value`
/// itself on a little-endian machine, otherwise `value` with its bytes reversed. Applying the
/// function twice returns `value`.
template <typename U>
constexpr U as_little_endian(U value) {
  if constexpr (std::endian::native == std::endian::little) {
    return value;
  } else {
    U turned = 0;
    for (std::size_t i = 0; i < sizeof(U); ++i)
      turned = static_cast<U>(turned << 8 | ((value >> (8 * i)) & 0xFFU));
    return turned;
  }
}

/// Reads a little-endian number of sizeof(U) bytes at `from`. The caller checks that they exist.
template <typename U>
U load_little_endian(const std::byte* from) {
  U value;
  std::memcpy(&value, from, sizeof value);
  return as_little_endian(value);
}

/// A growing buffer of bytes. Appends values in little-endian order on every machine.
class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(std::byte{value}); }
  void u16(std::uint16_t value) { put(value); }
  void u32(std::uint32_t value) { put(value); }
  void u64(std::uint64_t value) { put(value); }
  void i32(std::int32_t value) { put(static_cast<std::uint32_t>(value)); }
  void i64(std::int64_t value) { put(static_cast<std::uint64_t>(value)); }
  void f32(float value) { put(std::bit_cast<std::uint32_t>(value)); }
  void f64(double value) { put(std::bit_cast<std::uint64_t>(value)); }
  void boolean(bool value) { u8(value ? 1 : 0); }
  void raw(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  /// Appends the length as a u32, then the bytes.
  void text(std::string_view value) {
    u32(static_cast<std::uint32_t>(value.size()));
    raw(std::as_bytes(std::span(value)));
  }

  void reserve(std::size_t size) { bytes_.reserve(size); }
  std::size_t size() const { return bytes_.size(); }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  template <typename U>
  void put(U value) {
    const U little = as_little_endian(value);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof little);
    std::memcpy(bytes_.data() + at, &little, sizeof little);
  }

  std::vector<std::byte> bytes_;
};

/// A cursor over untrusted bytes that reads values as ByteWriter writes them. Reading past the end
/// returns zeros and makes `ok()` false for good, so that a decoder needs only one check at the end
/// of a block.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint8_t u8() { return get<std::uint8_t>(); }
  std::uint16_t u16() { return get<std::uint16_t>(); }
  std::uint32_t u32() { return get<std::uint32_t>(); }
  std::uint64_t u64() { return get<std::uint64_t>(); }
  std::int32_t i32() { return static_cast<std::int32_t>(get<std::uint32_t>()); }
  std::int64_t i64() { return static_cast<std::int64_t>(get<std::uint64_t>()); }
  float f32() { return std::bit_cast<float>(get<std::uint32_t>()); }
  double f64() { return std::bit_cast<double>(get<std::uint64_t>()); }
  /// Reads a byte that must be 0 or 1; any other value makes `ok()` false.
  bool boolean() {
    const std::uint8_t value = u8();
    if (value > 1) ok_ = false;
    return value == 1;
  }
  std::span<const std::byte> raw(std::size_t count) {
    if (!ok_ || count > remaining()) {
      ok_ = false;
      return {};
    }
    const auto part = bytes_.subspan(offset_, count);
    offset_ += count;
    return part;
  }
  /// Reads as many bytes as `out` holds. If fewer remain, `ok()` becomes false and `out` does not
  /// change.
  template <std::size_t size>
  void read(std::array<std::byte, size>& out) {
    const auto bytes = raw(size);
    std::copy(bytes.begin(), bytes.end(), out.begin());
  }
  /// Reads a text that ByteWriter::text wrote. If its length is above `max_bytes` or reaches past
  /// the end, `ok()` becomes false and the result is empty.
  std::string text(std::size_t max_bytes) {
    const std::uint32_t length = u32();
    if (length > max_bytes) ok_ = false;
    const auto part = raw(length);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  /// Reads the number of items that follow; each takes at least `min_item_bytes`. If the remaining
  /// bytes cannot hold them, `ok()` becomes false and the result is 0, so that a decoder never
  /// allocates by an unchecked number. Does not check the number if `min_item_bytes` is 0.
  std::uint32_t count(std::size_t min_item_bytes) {
    const std::uint32_t value = u32();
    if (min_item_bytes != 0 && value > remaining() / min_item_bytes) ok_ = false;
    return ok_ ? value : 0;
  }

  bool ok() const { return ok_; }
  void fail() { ok_ = false; }
  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }
  bool at_end() const { return ok_ && remaining() == 0; }

 private:
  template <typename U>
  U get() {
    if (!ok_ || sizeof(U) > remaining()) {
      ok_ = false;
      return 0;
    }
    const U value = load_little_endian<U>(bytes_.data() + offset_);
    offset_ += sizeof(U);
    return value;
  }

  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
  bool ok_ = true;
};

}  // namespace jostle::base
