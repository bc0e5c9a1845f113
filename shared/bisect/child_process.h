#pragma once

#include "shared/base/result.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace jostle::bisect {

/// A child process. Its standard output is read line by line without blocking.
class ChildProcess {
 public:
  ChildProcess() = default;
  /// Terminates the process and waits for its end.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Starts a program; a name without a slash is searched for in PATH. The error says why it could
  /// not be started.
  base::Result<base::Ok, std::string> start(const std::string& program,
                                            const std::vector<std::string>& arguments);
  /// Returns the complete lines that arrived since the last call.
  std::vector<std::string> take_lines();
  /// Returns true if the output has ended and take_lines() has read all of it.
  bool has_ended() const { return has_ended_; }

 private:
  pid_t child_ = -1;
  int output_ = -1;
  bool has_ended_ = false;
  std::string text_;
};

}  // namespace jostle::bisect
