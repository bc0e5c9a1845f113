#pragma once

#include <functional>
#include <string_view>

namespace jostle::base {

/// A function that takes the lines of base::log(), each with its newline. It must be thread-safe.
using LogSink = std::function<void(std::string_view line)>;
/// Sets where log lines go; an empty function: to stderr, which is the default. Call it while no
/// other thread logs.
void set_log_sink(LogSink sink);

}  // namespace jostle::base
