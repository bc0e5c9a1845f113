#include "protocol/decode_error.h"

namespace jostle::protocol {

std::string_view describe(DecodeError error) {
  switch (error) {
    case DecodeError::TooLarge:
      return "longer than its limit";
    case DecodeError::Malformed:
      return "not what the schema says";
    case DecodeError::OutOfRange:
      return "a number outside its limits";
    case DecodeError::NotFinite:
      return "a number that is not finite";
    case DecodeError::UnknownBaseline:
      return "a baseline that is not held";
    case DecodeError::WrongRevision:
      return "of another world revision";
  }
  return "unknown";
}

}  // namespace jostle::protocol
