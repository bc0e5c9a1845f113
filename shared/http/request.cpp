#include "shared/http/request.h"

#include <optional>

namespace jostle::http {
namespace {

std::optional<int> hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return std::nullopt;
}

bool has_parent_segment(std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    if (path.substr(0, end) == "..") return true;
    if (end == std::string_view::npos) return false;
    path.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

Response text_response(int status, const std::string& line) {
  return {.status = status, .body = std::make_shared<const std::string>(line + "\n")};
}

std::string decode_path(std::string_view target) {
  target = target.substr(0, target.find('?'));
  if (target.empty() || target.front() != '/') return {};
  std::string path;
  for (std::size_t i = 0; i < target.size(); ++i) {
    char letter = target[i];
    if (letter == '%') {
      if (i + 2 >= target.size()) return {};
      const auto high = hex_digit(target[i + 1]), low = hex_digit(target[i + 2]);
      if (!high || !low) return {};
      letter = static_cast<char>(*high * 16 + *low);
      i += 2;
    }
    if (letter == '\0' || letter == '\\') return {};
    path += letter;
  }
  return has_parent_segment(path) ? std::string() : path;
}

}  // namespace jostle::http
