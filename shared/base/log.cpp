#include "shared/base/log.h"

#include "shared/base/printable.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

namespace jostle::base {
namespace {

std::atomic<LogLevel> threshold{LogLevel::Info};
// Initialised before any code of the program runs, because a sink may be set that early.
constinit std::atomic<LogSink> sink{nullptr};

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

void append_value(std::string& line, std::string_view value) {
  std::string text;
  bool is_plain = !value.empty();
  while (!value.empty()) {
    const std::size_t bytes = printable_bytes(value);
    if (bytes == 0) {
      text += escape_of(value[0]);
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

void set_log_sink(LogSink new_sink) {
  sink.store(new_sink);
}

void write_to_stderr(LogLevel level, const std::string& line) {
  std::string text(name(level));
  text += ' ';
  text += line;
  text += '\n';
  // Write the line in one call, so that lines of several threads do not mix.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void set_log_threshold(LogLevel level) {
  threshold.store(level);
}

bool is_logged(LogLevel level) {
  return level >= threshold.load();
}

void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!is_logged(level)) return;
  std::string line(event);
  for (const LogField& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    append_value(line, field.value);
  }
  const LogSink receiver = sink.load();
  (receiver != nullptr ? receiver : write_to_stderr)(level, line);
}

}  // namespace jostle::base
