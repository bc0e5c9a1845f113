#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace jostle::base {

/// Importance of a log line, in rising order. A line is written if its level is at or above the
/// threshold.
enum class LogLevel : std::uint8_t { Debug, Info, Warn, Error };

/// One `key=value` pair of a log line. A value is written in quotes if it is empty or contains a
/// space, a quote, a backslash, "=" or an unprintable byte. Quotes, backslashes and unprintable
/// bytes are escaped.
struct LogField {
  std::string_view key;
  std::string value;

  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  LogField(std::string_view k, const char* v) : key(k), value(v) {}
  LogField(std::string_view k, std::string v) : key(k), value(std::move(v)) {}
  LogField(std::string_view k, std::integral auto v) : key(k), value(std::to_string(v)) {}
  LogField(std::string_view k, double v);
};

/// Writes `level event key=value ...` as one line to stderr or to the sink, or nothing if the level
/// is below the threshold. Thread-safe. The line has no timestamp, because the process manager that
/// collects stderr adds one.
void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields);

/// Receives a line as `event key=value ...`, without its level and without a line feed.
using LogSink = void (*)(LogLevel level, const std::string& line);
/// Sets the function that receives all lines from now on; null: they go to stderr.
void set_log_sink(LogSink sink);
/// Writes a line, as a sink receives it, to stderr.
void write_to_stderr(LogLevel level, const std::string& line);

void set_log_threshold(LogLevel level);
/// Returns true if lines of this level are written.
bool is_logged(LogLevel level);

inline void error(std::string_view event, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::Error, event, fields);
}
inline void warn(std::string_view event, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::Warn, event, fields);
}
inline void info(std::string_view event, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::Info, event, fields);
}
inline void debug(std::string_view event, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::Debug, event, fields);
}

}  // namespace jostle::base
