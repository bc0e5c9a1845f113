#include "server/seed_fault.h"

#include <charconv>
#include <cstdint>

namespace jostle::server {

std::string seed_fault(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size();
  return is_whole ? std::string() : "'" + text + "' is not a whole number from 0 to 2^64 - 1";
}

}  // namespace jostle::server
