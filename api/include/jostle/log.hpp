/// The log of the libraries: to stderr, to a function of the program, or nowhere.
#ifndef JOSTLE_LOG_HPP
#define JOSTLE_LOG_HPP

#include <jostle/error.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace jostle {

/// Receives a log line, as `event key=value ...` without its level and without a line feed. Calls
/// come from the threads that call the libraries and never overlap. Exceptions are ignored. The
/// function must not call functions of jostle.
using LogFunction = std::function<void(jostle_log_level level, std::string_view line)>;

namespace detail {

inline void call_log_function(void* user, jostle_log_level level, const char* line) {
  try {
    (*static_cast<LogFunction*>(user))(level, line);
  } catch (...) {  // a log must not end a tick
  }
}

}  // namespace detail

/// Sends the log lines from the level `lowest` on to a function, or to stderr if there is none, for
/// the whole process. The level JOSTLE_LOG_NONE turns the log off. When it returns, the former
/// function is not called any more.
inline void set_log(jostle_log_level lowest, LogFunction function = {}) {
  static std::mutex mutex;
  static std::unique_ptr<LogFunction> present;
  const std::scoped_lock lock(mutex);
  auto next = function ? std::make_unique<LogFunction>(std::move(function)) : nullptr;
  check(jostle_set_log(lowest, next ? &detail::call_log_function : nullptr, next.get()));
  present = std::move(next);
}

}  // namespace jostle

#endif
