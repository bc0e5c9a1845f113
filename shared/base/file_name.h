#pragma once

#include <string>

namespace jostle::base {

/// Returns the text with every byte other than an ASCII letter, a digit, '-' and '_' replaced by
/// '_', so that it is a valid part of a file name on every file system.
std::string file_name_part(std::string text);

}  // namespace jostle::base
