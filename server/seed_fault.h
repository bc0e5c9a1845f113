#pragma once

#include <string>

namespace jostle::server {

/// Returns what is wrong with the value of --seed, or an empty string if it is valid. CLI11 alone
/// would silently convert -1 and numbers that are too large.
std::string seed_fault(const std::string& text);

}  // namespace jostle::server
