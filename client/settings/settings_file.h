#pragma once

#include "client/settings/settings.h"
#include "shared/net/io.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::settings {

/// A user's file. Nothing in it, or in the way of it, is an error that ends a program.
class SettingsFile {
 public:
  /// Reads it. `io` must outlive it.
  static SettingsFile open(net::Io& io, std::string path);

  const std::string& path() const { return path_; }
  bool is_there() const { return is_there_; }
  /// What it holds; all that begins, where there is none.
  const Settings& settings() const { return settings_; }
  /// "PATH:LINE:COLUMN: what is wrong", one line each.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Writes what differs between the two into it, and leaves the rest as it is there now: another
  /// program may have written it since. What is to be said of it, or nothing. The first time that
  /// a file is overwritten in which something was not understood, it is kept beside it, as
  /// PATH.bad.
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
