#pragma once

#include "client/settings/settings.h"
#include "shared/net/io.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::settings {

/// A user's settings file. No error in it, or in accessing it, ends the program.
class SettingsFile {
 public:
  /// Reads the file. `io` must outlive it.
  static SettingsFile open(net::Io& io, std::string path);

  const std::string& path() const { return path_; }
  bool is_there() const { return is_there_; }
  /// Returns the settings of the file; defaults if there is none.
  const Settings& settings() const { return settings_; }
  /// Returns the errors and remarks of the last read, one line each: "PATH:LINE:COLUMN: what is
  /// wrong".
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Writes the settings that differ between `before` and `after`, and keeps the rest of the file
  /// as it is now: another program may have changed it. Returns a message or nothing. If the file
  /// contained errors, it is copied to PATH.bad before it is first overwritten.
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
