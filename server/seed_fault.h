#pragma once

#include <string>

namespace jostle::server {

/// Returns what is wrong with the text of a --seed, or an empty string. CLI11 would silently
/// convert -1 and numbers that are too large.
std::string seed_fault(const std::string& text);

}  // namespace jostle::server
