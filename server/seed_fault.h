#pragma once

#include <string>

namespace jostle::server {

/// What is wrong with a --seed, nothing when it is one: CLI11 would take −1 and what is too large
/// for some other number.
std::string seed_fault(const std::string& text);

}  // namespace jostle::server
