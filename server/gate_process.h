#pragma once

#include "shared/base/result.h"

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace jostle::server {

/// A running `jostle-gate`. The process ends with this object, and with this process: it stops at
/// the end of its standard input, a pipe that this object holds open.
class GateProcess {
 public:
  /// Starts jostle-gate with arguments. The program is the one that the environment variable
  /// JOSTLE_GATE names, the one beside this process's program, or else the first one in PATH. The
  /// error is one sentence.
  static base::Result<std::unique_ptr<GateProcess>, std::string> start(
      const std::vector<std::string>& arguments);
  ~GateProcess();
  GateProcess(const GateProcess&) = delete;
  GateProcess& operator=(const GateProcess&) = delete;

  /// Returns true if the process runs. Does not wait.
  bool is_running();
  pid_t id() const { return child_; }

 private:
  GateProcess(pid_t child, int pipe) : child_(child), pipe_(pipe) {}
  pid_t child_;
  int pipe_;
};

/// A new folder that only this user can read, for the socket of a gate. It is removed with this
/// object, with the files in it.
class PrivateFolder {
 public:
  /// Creates the folder in XDG_RUNTIME_DIR or, if it is not set, in the folder for temporary files.
  static base::Result<std::unique_ptr<PrivateFolder>, std::string> create();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace jostle::server
