#include "shared/net/path_validation.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"

#include <algorithm>

namespace jostle::net {
namespace {

/// First byte of a challenge or response. ENet datagrams that begin with this byte have the
/// compression flag and are never accepted.
constexpr std::byte mark{0xFF};
/// Bytes that may be sent to an unproven address per byte received from it.
constexpr std::size_t credit_factor = 3;
/// Interval after which an unanswered challenge is repeated.
constexpr std::int64_t repeat_us = 250'000;

PathText text_of(PathTextKind kind, std::span<const std::byte> number) {
  PathText text{mark, static_cast<std::byte>(kind)};
  std::copy(number.begin(), number.end(), text.begin() + 2);
  return text;
}

}  // namespace

std::optional<PathTextKind> path_text_kind(std::span<const std::byte> text) {
  if (text.size() != path_text_bytes || text[0] != mark) return std::nullopt;
  const auto kind = static_cast<PathTextKind>(text[1]);
  if (kind != PathTextKind::Challenge && kind != PathTextKind::Response) return std::nullopt;
  return kind;
}

PathText answer_to(std::span<const std::byte> question) {
  JOSTLE_ASSERT(path_text_kind(question) == PathTextKind::Challenge);
  return text_of(PathTextKind::Response, question.subspan(2));
}

bool PathValidation::hear_from(Address from, std::size_t bytes, std::uint64_t number) {
  const bool is_other = from != address_;
  if (is_other) {
    address_ = from;
    number_ = number;
    credit_bytes_ = 0;
    asked_us_.reset();
  }
  if (!is_proven()) credit_bytes_ += credit_factor * bytes;
  return is_other && !is_proven();
}

bool PathValidation::take_credit(std::size_t bytes) {
  if (is_proven()) return true;
  if (bytes > credit_bytes_) return false;
  credit_bytes_ -= bytes;
  return true;
}

std::optional<PathText> PathValidation::next_question(std::int64_t now_us) {
  if (is_proven() || (asked_us_ && now_us - *asked_us_ < repeat_us)) return std::nullopt;
  asked_us_ = now_us;
  base::ByteWriter number;
  number.u64(number_);
  return text_of(PathTextKind::Challenge, number.bytes());
}

void PathValidation::handle_answer(std::span<const std::byte> answer, Address from) {
  if (is_proven() || from != address_) return;
  if (base::ByteReader(answer.subspan(2)).u64() == number_) proven_ = address_;
}

}  // namespace jostle::net
