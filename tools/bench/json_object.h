#pragma once

#include <string>
#include <string_view>

namespace jostle::bench {

/// Builds a JSON object on one line, field by field. Names are not escaped, because they are
/// constants of this program. Quotes, backslashes and control characters in texts become
/// underscores; numbers that are not finite become null.
class JsonObject {
 public:
  /// `digits` is the number of significant digits of fractions.
  explicit JsonObject(int digits) : digits_(digits) {}

  void add(std::string_view name, const std::string& text);
  void add(std::string_view name, double value);
  void add(std::string_view name, long long value);
  /// Adds an object that is JSON text already.
  void add_object(std::string_view name, const std::string& object);
  std::string finish() const;

 private:
  void begin(std::string_view name);

  int digits_;
  std::string text_;
};

}  // namespace jostle::bench
