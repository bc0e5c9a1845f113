#pragma once

#include <string>
#include <system_error>

namespace jostle::tools {

/// Replaces a file atomically: the content is written to NAME.part, which is renamed to NAME at the
/// end or removed on failure. Devices and pipes are written directly.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& written_path() const { return written_path_; }
  /// Renames the part file to its final name. Returns the error if that fails.
  std::error_code finish();

 private:
  std::string path_, written_path_;
};

}  // namespace jostle::tools
