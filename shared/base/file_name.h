#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::base {

/// Returns the text with every byte other than an ASCII letter, a digit, '-' and '_' replaced by
/// '_', so that it is a valid part of a file name on every file system.
std::string file_name_part(std::string text);

/// Returns true if the name of the file is longer than `ending` and ends with it, in upper or lower
/// case. `ending` is in lower case, such as ".jrec".
bool has_ending(std::string_view path, std::string_view ending);

/// Formats a time in seconds since 1970 for the name of a file, in UTC: "20261123T221530Z".
std::string utc_stamp(std::int64_t unix_s);

}  // namespace jostle::base
