#include "shared/scene/detail/value_place.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>

namespace jostle::scene::detail {
namespace {

/// A search that reads the text from left to right up to the value.
class ValueSearch {
 public:
  explicit ValueSearch(std::string_view text) : lexer_(text) { advance(); }

  TextPlace find(std::string_view path) {
    TextPlace place = token_.place;
    while (!path.empty() && (path[0] == '[' ? enter_list(path) : enter_table(path)))
      place = token_.place;
    return place;
  }

 private:
  void advance() { token_ = lexer_.next(); }
  bool is_at_end() const { return token_.kind == TokenKind::End || token_.kind == TokenKind::Bad; }

  /// Advances to the list entry whose index is at the start of the path, and removes the index from
  /// the path. Returns false if there is no such entry.
  bool enter_list(std::string_view& path) {
    std::size_t index = 0;
    std::from_chars(path.data() + 1, path.data() + path.size(), index);
    path.remove_prefix(std::min(path.find(']'), path.size() - 1) + 1);
    if (!token_.is('[')) return false;
    advance();
    for (std::size_t i = 0; i < index && !token_.is(']') && !is_at_end(); ++i)
      skip_entry();
    return !token_.is(']') && !is_at_end();
  }

  /// Advances to the value of the field whose name is at the start of the path, and removes the
  /// name from the path. Returns false if there is no such field.
  bool enter_table(std::string_view& path) {
    if (path[0] == '.') path.remove_prefix(1);
    const std::string_view name = path.substr(0, path.find_first_of(".["));
    path.remove_prefix(name.size());
    if (!token_.is('{')) return false;
    advance();
    while (!token_.is('}') && !is_at_end()) {
      const bool is_found = unescaped(token_.source) == name;
      advance();
      advance();  // the colon
      if (is_found) return true;
      skip_entry();
    }
    return false;
  }

  /// Skips a value and the comma after it.
  void skip_entry() {
    int depth = 0;
    do {
      if (token_.is('{') || token_.is('[')) ++depth;
      if (token_.is('}') || token_.is(']')) --depth;
      advance();
    } while (depth > 0 && !is_at_end());
    if (token_.is(',')) advance();
  }

  JsonLexer lexer_;
  Token token_;
};

}  // namespace

TextPlace place_of_value(std::string_view text, std::string_view path) {
  return ValueSearch(text).find(path);
}

}  // namespace jostle::scene::detail
