#include "tools/bench/json_object.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace jostle::bench {

void JsonObject::add(std::string_view name, const std::string& text) {
  begin(name);
  text_ += '"';
  for (const char c : text)
    text_ += c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  text_ += '"';
}

void JsonObject::add(std::string_view name, double value) {
  begin(name);
  if (!std::isfinite(value)) {
    text_ += "null";
    return;
  }
  std::array<char, 40> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*g", digits_, value);
  text_ += digits.data();
}

void JsonObject::add(std::string_view name, long long value) {
  begin(name);
  text_ += std::to_string(value);
}

void JsonObject::add_object(std::string_view name, const std::string& object) {
  begin(name);
  text_ += object;
}

std::string JsonObject::finish() const {
  return "{" + text_ + "}";
}

void JsonObject::begin(std::string_view name) {
  if (!text_.empty()) text_ += ", ";
  text_ += '"';
  text_ += name;
  text_ += "\": ";
}

}  // namespace jostle::bench
