#pragma once

#include <cstdint>
#include <string_view>

namespace jostle::protocol {

/// Reason for which a received message was rejected. A server counts rejected messages against the
/// sender.
enum class DecodeError : std::uint8_t {
  TooLarge,         // longer than the limit of the message; not decoded
  Malformed,        // does not match the schema
  OutOfRange,       // a count, enum or number is outside its limits
  NotFinite,        // NaN or infinity
  UnknownBaseline,  // refers to a state that the receiver does not keep; not the sender's fault
  WrongRevision,    // encoded for another world revision than the given one
};
std::string_view describe(DecodeError error);

}  // namespace jostle::protocol
