#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace jostle::web {

/// A writer of JSON text (RFC 8259).
class JsonWriter {
 public:
  /// Opens an object or a list: '{' or '['.
  JsonWriter& open(char mark);
  /// Closes the innermost object or list: '}' or ']'.
  JsonWriter& close(char mark);
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  JsonWriter& flag(bool value);
  /// Numbers that are not finite become null.
  JsonWriter& number(double value);

  JsonWriter& field(std::string_view name, std::string_view value) { return key(name).text(value); }
  JsonWriter& field(std::string_view name, const char* value) { return key(name).text(value); }
  JsonWriter& field(std::string_view name, std::same_as<bool> auto value) {
    return key(name).flag(value);
  }
  template <typename T>
  requires(std::integral<T> || std::floating_point<T>) &&
      (!std::same_as<T, bool>)JsonWriter& field(std::string_view name, T value) {
    return key(name).number(static_cast<double>(value));
  }

  std::string take() { return std::move(out_); }

 private:
  void separate();

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace jostle::web
