#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::secure {

/// A sliding window over the sequence numbers received so far, which rejects duplicates. It holds
/// one bit for each of the newest `size` numbers; older numbers count as received.
///
/// Source: RFC 6479, as in WireGuard: whole words are cleared as the window moves.
class ReplayWindow {
 public:
  /// Width of the window, in sequence numbers.
  static constexpr std::uint64_t size = 1'024;

  /// Returns true if the number was not received before and is not older than the window.
  bool is_new(std::uint64_t number) const;
  /// Records a number as received. Call this only after the datagram was authenticated.
  /// `is_new(number)` must be true.
  void note(std::uint64_t number);
  /// Returns the largest recorded number, or 0 if there is none. Senders count from 1.
  std::uint64_t newest() const { return newest_; }

 private:
  static constexpr std::size_t word_bits = 64;
  /// Number of words. One more than the window needs, so that a word is cleared before it is used
  /// again.
  static constexpr std::size_t words = size / word_bits + 1;

  static std::size_t word_of(std::uint64_t number) { return (number / word_bits) % words; }
  static std::uint64_t bit_of(std::uint64_t number) {
    return std::uint64_t{1} << (number % word_bits);
  }

  std::array<std::uint64_t, words> seen_{};
  std::uint64_t newest_ = 0;
};

}  // namespace jostle::secure
