#include "shared/base/log.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

namespace jostle::base {
namespace {

std::atomic<LogLevel> threshold{LogLevel::Info};

std::string_view name(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return "debug";
    case LogLevel::Info:
      return "info";
    case LogLevel::Warn:
      return "warn";
    case LogLevel::Error:
      return "error";
  }
  return "?";
}

/// How many bytes there begin a character that may stand in a line: 0 for control characters, marks
/// that turn the direction of writing, and what is no UTF-8.
std::size_t printable_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = at(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  unsigned code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6) | (at(i) & 0x3FU);
  }
  const bool is_control = code < 0xA0;
  const bool turns_direction = code == 0x200E || code == 0x200F || code == 0x2028 ||
                               code == 0x2029 || (code >= 0x202A && code <= 0x202E) ||
                               (code >= 0x2066 && code <= 0x2069);
  return is_control || turns_direction ? 0 : length;
}

void append_value(std::string& line, std::string_view value) {
  std::string text;
  bool is_plain = !value.empty();
  while (!value.empty()) {
    const std::size_t bytes = printable_bytes(value);
    if (bytes == 0) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(value[0]));
      text += escaped;
      is_plain = false;
    } else {
      const char c = value[0];
      if (c == '"' || c == '\\') text += '\\';
      is_plain = is_plain && c != ' ' && c != '"' && c != '=' && c != '\\';
      text += value.substr(0, bytes);
    }
    value.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  line += is_plain ? text : '"' + text + '"';
}

}  // namespace

LogField::LogField(std::string_view k, double v) : key(k) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", v);
  value = text;
}

void set_log_threshold(LogLevel level) {
  threshold.store(level);
}

bool is_logged(LogLevel level) {
  return level >= threshold.load();
}

void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!is_logged(level)) return;
  std::string line(name(level));
  line += ' ';
  line += event;
  for (const LogField& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    append_value(line, field.value);
  }
  line += '\n';
  // One call, so that lines of several threads do not mix.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace jostle::base
