#include "shared/net/io.h"

#include <charconv>

namespace jostle::net {

std::string to_string(Address address) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += std::to_string((address.ip >> shift) & 0xFFU);
    text += shift == 0 ? ':' : '.';
  }
  return text + std::to_string(address.port);
}

std::optional<std::uint32_t> parse_ip(std::string_view text) {
  std::uint32_t ip = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (at == end || *at != '.') return std::nullopt;
      ++at;
    }
    // A leading zero means octal to some readers and decimal to others: refuse it.
    const bool has_leading_zero = end - at >= 2 && at[0] == '0' && at[1] >= '0' && at[1] <= '9';
    unsigned value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value > 255 || has_leading_zero) return std::nullopt;
    ip = (ip << 8) | value;
    at = next;
  }
  if (at != end) return std::nullopt;
  return ip;
}

std::string_view describe(IoError error) {
  switch (error) {
    case IoError::AddressInUse:
      return "the address is already in use";
    case IoError::AddressUnavailable:
      return "the address does not belong to this machine";
    case IoError::PermissionDenied:
      return "permission denied";
    case IoError::IsDirectory:
      return "it is a directory";
    case IoError::NotFound:
      return "no such file or directory";
    case IoError::AlreadyExists:
      return "it already exists";
    case IoError::NoSpace:
      return "no space left";
    case IoError::TooLarge:
      return "larger than allowed";
    case IoError::Unknown:
      break;
  }
  return "an unexpected system error";
}

}  // namespace jostle::net
