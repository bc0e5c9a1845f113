#pragma once

#include <string>

namespace jostle::base {

/// Of any text, what every file system takes as a part of a file's name: ASCII letters, digits, '-'
/// and '_'; each byte that is none of them becomes '_'.
std::string file_name_part(std::string text);

}  // namespace jostle::base
