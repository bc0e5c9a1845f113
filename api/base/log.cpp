#include "shared/base/log.h"

#include "api/base/checks.h"

#include <jostle/base.h>

#include <mutex>
#include <string>

namespace jostle::api {
namespace {

constexpr int level_offset = JOSTLE_LOG_DEBUG - static_cast<int>(base::LogLevel::Debug);
static_assert(static_cast<int>(base::LogLevel::Error) + level_offset == JOSTLE_LOG_ERROR);

/// The receiver of the log lines. A recursive mutex, because the function may call
/// jostle_set_log().
struct LogReceiver {
  std::recursive_mutex mutex;
  jostle_log_level lowest = JOSTLE_LOG_INFO;
  jostle_log_function function = nullptr;
  void* user = nullptr;
  bool is_calling = false;
};

LogReceiver& receiver() {
  // Never destroyed, so that destructors of static objects can still log.
  static auto* const the_only_one = new LogReceiver;
  return *the_only_one;
}

}  // namespace
}  // namespace jostle::api

// Both libraries export these two functions, and the dynamic linker binds the calls of both to one
// of them, so that one setting applies to both. They are weak, so that no compiler inlines them.

extern "C" JOSTLE_API __attribute__((weak)) void jostle_keep_log_receiver(
    jostle_log_level lowest, jostle_log_function function, void* user) {
  jostle::api::LogReceiver& to = jostle::api::receiver();
  const std::scoped_lock lock(to.mutex);
  to.lowest = lowest;
  to.function = function;
  to.user = user;
}

extern "C" JOSTLE_API __attribute__((weak)) void jostle_send_log_line(jostle_log_level level,
                                                                      const char* line) {
  jostle::api::LogReceiver& to = jostle::api::receiver();
  const std::scoped_lock lock(to.mutex);
  if (level < to.lowest || to.is_calling) return;
  if (to.function == nullptr) {
    jostle::base::write_to_stderr(
        static_cast<jostle::base::LogLevel>(level - jostle::api::level_offset), line);
    return;
  }
  to.is_calling = true;
  to.function(to.user, level, line);
  to.is_calling = false;
}

namespace jostle::api {
namespace {

/// Sends all lines of this library to the receiver, which knows the lowest level.
[[maybe_unused]] const bool is_sink_set = [] {
  base::set_log_threshold(base::LogLevel::Debug);
  base::set_log_sink([](base::LogLevel level, const std::string& line) {
    jostle_send_log_line(static_cast<jostle_log_level>(level) + level_offset, line.c_str());
  });
  return true;
}();

}  // namespace
}  // namespace jostle::api

jostle_result jostle_set_log(jostle_log_level lowest, jostle_log_function function, void* user) {
  using namespace jostle::api;
  return guard("jostle_set_log", [&] {
    require_integer(lowest, JOSTLE_LOG_DEBUG, JOSTLE_LOG_NONE, "lowest");
    jostle_keep_log_receiver(lowest, function, user);
  });
}
