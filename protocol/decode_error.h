#pragma once

#include <cstdint>
#include <string_view>

namespace jostle::protocol {

/// Why bytes off the wire were refused. The caller counts it against the sender.
enum class DecodeError : std::uint8_t {
  TooLarge,         // longer than the message's limit: not looked at
  Malformed,        // not what the schema says
  OutOfRange,       // a count, an enum or a number outside its limits
  NotFinite,        // NaN or infinity
  UnknownBaseline,  // refers to a snapshot that is not held (any more): not the sender's fault
  WrongRevision,    // of another world revision than the one given
};
std::string_view describe(DecodeError error);

}  // namespace jostle::protocol
