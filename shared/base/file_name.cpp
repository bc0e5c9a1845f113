#include "shared/base/file_name.h"

#include <algorithm>

namespace jostle::base {

std::string file_name_part(std::string text) {
  const auto is_taken = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return !is_taken(c); }, '_');
  return text;
}

bool has_ending(std::string_view path, std::string_view ending) {
  if (path.size() <= ending.size() || path[path.size() - ending.size() - 1] == '/') return false;
  path.remove_prefix(path.size() - ending.size());
  return std::equal(path.begin(), path.end(), ending.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

}  // namespace jostle::base
