#pragma once

#include "shared/base/result.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace jostle::load {

/// Another process of a program, whose standard output this one reads line by line and never waits
/// for.
class ChildProcess {
 public:
  ChildProcess() = default;
  /// Ends it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// The error says why it could not be started.
  base::Result<base::Ok, std::string> start(const std::string& program,
                                            const std::vector<std::string>& arguments);
  /// Whole lines that have come since the last call.
  std::vector<std::string> take_lines();
  /// Its output has ended and is taken.
  bool has_ended() const { return has_ended_; }

 private:
  pid_t child_ = -1;
  int output_ = -1;
  bool has_ended_ = false;
  std::string text_;
};

}  // namespace jostle::load
