#pragma once

#include "shared/net/address.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace jostle::net {

// A session goes where its newest datagram came from, and whoever is inside may write another's
// address on what he seals. So until the other end has shown that it receives what is sent to a new
// address, little is sent there: no more than three times what came from it. It shows that by a
// number that it is sent, as QUIC does (RFC 9000, §8.2). Both texts travel sealed, in ENet's place;
// no datagram of ENet that we let in begins so, because its flag for compression is set.
//
//   0xFF 1 number    are you there?
//   0xFF 2 number    yes

inline constexpr std::size_t path_text_bytes = 10;
using PathText = std::array<std::byte, path_text_bytes>;

enum class PathTextKind : std::uint8_t { Question = 1, Answer = 2 };
/// Nothing where the text is ENet's.
std::optional<PathTextKind> path_text_kind(std::span<const std::byte> text);
/// To a question. Contract: it is one.
PathText answer_to(std::span<const std::byte> question);

/// Where a session's datagrams go.
class PathCheck {
 public:
  /// There it has received a cookie.
  explicit PathCheck(Address proven) : proven_(proven), address_(proven) {}

  const Address& address() const { return address_; }
  /// Where it has shown last that it receives what is sent there.
  const Address& proven() const { return proven_; }
  bool is_proven() const { return address_ == proven_; }

  /// The newest datagram came from there; `number` is one that nobody can guess. True when it is
  /// another address than before, which has to be proven.
  bool hear_from(Address from, std::size_t bytes, std::uint64_t number);
  /// Whether so many bytes may go there now.
  bool take_credit(std::size_t bytes);
  /// The question, when it is to be sent (again); nothing where the address is proven.
  std::optional<PathText> next_question(std::int64_t now_us);
  void take_answer(std::span<const std::byte> answer, Address from);

 private:
  Address proven_, address_;
  std::uint64_t number_ = 0;
  std::size_t credit_bytes_ = 0;
  std::optional<std::int64_t> asked_us_;
};

}  // namespace jostle::net
