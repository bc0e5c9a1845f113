#include "protocol/decode_error.h"

namespace jostle::protocol {

std::string_view describe(DecodeError error) {
  switch (error) {
    case DecodeError::TooLarge:
      return "the message exceeds its size limit";
    case DecodeError::Malformed:
      return "the message does not match the schema";
    case DecodeError::OutOfRange:
      return "a number is outside its limits";
    case DecodeError::NotFinite:
      return "a number is not finite";
    case DecodeError::UnknownBaseline:
      return "the baseline is not kept";
    case DecodeError::WrongRevision:
      return "the message is for another world revision";
  }
  return "unknown";
}

}  // namespace jostle::protocol
