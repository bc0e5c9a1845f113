#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::keyring {

// Text files with a first line that says what they hold, and then one line a thing. Empty lines and
// those that begin with # say nothing.

/// Some hundred thousand lines.
inline constexpr std::size_t max_list_bytes = 64U << 20;

/// A line that says something.
struct ListLine {
  std::size_t number = 0;  // from 1
  std::vector<std::string> words;
  bool is_torn = false;  // the last one, and nothing ends it: somebody was stopped as he wrote it
};

/// The lines behind the first one, which is `head`; none where there is no file. An error names
/// file, line and what is wrong.
base::Result<std::vector<ListLine>, std::string> read_list(net::Io& io, const std::string& path,
                                                           std::string_view head);
/// Writes one more line, and before it all that a new file begins with.
base::Result<base::Ok, std::string> add_to_list(net::Io& io, const std::string& path,
                                                std::string_view head, const std::string& line);
/// All of it anew.
base::Result<base::Ok, std::string> write_list(net::Io& io, const std::string& path,
                                               std::string_view head,
                                               const std::vector<std::string>& lines);

/// "FILE:LINE: what is wrong"
std::string fault_at(const std::string& path, const ListLine& line, std::string_view what);

}  // namespace jostle::keyring
