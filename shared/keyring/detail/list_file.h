#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::keyring {

// Text files whose first line names their format, followed by one entry per line. Empty lines and
// lines that begin with # are ignored.

/// Maximum size of a list in bytes; enough for some hundred thousand lines.
inline constexpr std::size_t max_list_bytes = 64U << 20;

/// One entry of a list.
struct ListLine {
  std::size_t number = 0;  // line number, counted from 1
  std::vector<std::string> words;
  // true for a last line without a newline or with zeros, because its writer was interrupted
  bool is_torn = false;
};

/// Returns the entries after the first line, which must be `head`. A missing or empty file counts
/// as an empty list. Errors name the file, the line and the problem.
base::Result<std::vector<ListLine>, std::string> read_list(net::Io& io, const std::string& path,
                                                           std::string_view head);
/// Appends one line. If the file is missing or empty, first writes `head` as its first line.
base::Result<base::Ok, std::string> add_to_list(net::Io& io, const std::string& path,
                                                std::string_view head, const std::string& line);
/// Replaces the whole list with `head` and `lines`.
base::Result<base::Ok, std::string> write_list(net::Io& io, const std::string& path,
                                               std::string_view head,
                                               const std::vector<std::string>& lines);

/// Returns an error text "'FILE': problem".
std::string fault_of(const std::string& path, net::IoError error);
/// Returns an error text "FILE:LINE: problem".
std::string fault_at(const std::string& path, const ListLine& line, std::string_view what);

}  // namespace jostle::keyring
