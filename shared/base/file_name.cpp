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

}  // namespace jostle::base
