#pragma once

#include "client/settings/settings.h"
#include "shared/net/io.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::settings {

/// A user's settings file. Errors in the file, or in accessing it, are reported as warnings.
class SettingsFile {
 public:
  /// Reads the file at `path`. `io` must outlive the returned object.
  static SettingsFile open(net::Io& io, std::string path);

  const std::string& path() const { return path_; }
  bool is_there() const { return is_there_; }
  /// Returns the settings of the file, or the defaults if there is no file.
  const Settings& settings() const { return settings_; }
  /// Returns the errors and remarks of the last read, one line each: "PATH:LINE:COLUMN: what is
  /// wrong", or "PATH: why" if the file cannot be read.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Reads the file again, because another program may have changed it, and sets the settings that
  /// differ between `before` and `after` to those of `after`. Then rewrites the whole file, without
  /// its comments. A file with errors is first copied to PATH.bad. Returns a message for the user,
  /// or null if there is nothing to report.
  std::optional<std::string> save_changes(const Settings& before, const Settings& after);

 private:
  SettingsFile(net::Io& io, std::string path) : io_(&io), path_(std::move(path)) {}
  void read();

  net::Io* io_;
  std::string path_;
  bool is_there_ = false, is_readable_ = true, has_faults_ = false;
  std::vector<std::byte> bytes_;
  Settings settings_;
  std::vector<std::string> warnings_;
};

}  // namespace jostle::settings
