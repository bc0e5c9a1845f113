#pragma once

#include <string>
#include <string_view>

namespace jostle::bench {

/// A JSON object on one line, field after field. Names need no escapes: they come from this
/// program. What JSON has no words for is replaced: quotes and backslashes of texts by underscores,
/// numbers that are not finite by null.
class JsonObject {
 public:
  /// Fractions get so many significant digits.
  explicit JsonObject(int digits) : digits_(digits) {}

  void add(std::string_view name, const std::string& text);
  void add(std::string_view name, double value);
  void add(std::string_view name, long long value);
  /// `object` is JSON already.
  void add_object(std::string_view name, const std::string& object);
  std::string finish() const;

 private:
  void begin(std::string_view name);

  int digits_;
  std::string text_;
};

}  // namespace jostle::bench
