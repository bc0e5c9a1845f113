#pragma once

#include "shared/net/address.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace jostle::net {

// Path validation, as in QUIC (RFC 9000, §8.2). A session's datagrams go to the source address of
// its newest datagram, and a malicious client can forge that address. Until the client proves that
// it receives datagrams at the address, the server sends there at most three times the bytes that
// came from it, plus the challenges. The proof is a response with the random number of the
// challenge.
//
// Challenge and response are sealed and take the place of an ENet datagram. A first byte of 0xFF
// marks them: in an ENet datagram it would set the compression flag, and such datagrams are never
// accepted.
//
//   0xFF 1 number    challenge
//   0xFF 2 number    response

inline constexpr std::size_t path_text_bytes = 10;
using PathText = std::array<std::byte, path_text_bytes>;

enum class PathTextKind : std::uint8_t { Challenge = 1, Response = 2 };
/// Returns whether a plaintext is a challenge or a response; nothing for other plaintexts, such as
/// ENet datagrams.
std::optional<PathTextKind> path_text_kind(std::span<const std::byte> text);
/// Returns the response to `question`, which must be a challenge.
PathText answer_to(std::span<const std::byte> question);

/// The address of a session's client, and whether it has been proved.
class PathValidation {
 public:
  /// Starts with the address that was proved by a cookie.
  explicit PathValidation(Address proven) : proven_(proven), address_(proven) {}

  const Address& address() const { return address_; }
  /// Returns the last address that the client has proved.
  const Address& proven() const { return proven_; }
  bool is_proven() const { return address_ == proven_; }

  /// Records that the newest datagram came from `from`. If the address has changed, `number` is the
  /// random number of its challenge. Returns true if the address has changed and must be proved.
  bool hear_from(Address from, std::size_t bytes, std::uint64_t number);
  /// Returns true if this number of bytes may be sent to the address now. For an address that is
  /// not proved, deducts the bytes from its budget.
  bool take_credit(std::size_t bytes);
  /// Returns the challenge if it is due. Returns nothing if the address is proved.
  std::optional<PathText> next_question(std::int64_t now_us);
  /// Marks the current address as proved if the response came from it and contains the number of
  /// the challenge.
  void handle_answer(std::span<const std::byte> answer, Address from);

 private:
  Address proven_, address_;
  std::uint64_t number_ = 0;
  std::size_t credit_bytes_ = 0;
  std::optional<std::int64_t> asked_us_;
};

}  // namespace jostle::net
