#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::secure {

/// Remembers which numbers have come, so that none is taken twice: the newest `size` by one bit
/// each; what is older counts as come.
///
/// Source: RFC 6479, as in WireGuard: words are cleared whole as the window moves.
class ReplayWindow {
 public:
  static constexpr std::uint64_t size = 1'024;

  bool is_new(std::uint64_t number) const;
  /// To be called when the datagram is known to be genuine; the number is new.
  void note(std::uint64_t number);
  /// The largest that was noted; 0 before the first: senders count from 1.
  std::uint64_t newest() const { return newest_; }

 private:
  static constexpr std::size_t word_bits = 64;
  /// One word more than the window, so that it can be cleared before it is used again.
  static constexpr std::size_t words = size / word_bits + 1;

  static std::size_t word_of(std::uint64_t number) { return (number / word_bits) % words; }
  static std::uint64_t bit_of(std::uint64_t number) {
    return std::uint64_t{1} << (number % word_bits);
  }

  std::array<std::uint64_t, words> seen_{};
  std::uint64_t newest_ = 0;
};

}  // namespace jostle::secure
