#pragma once

#include <string>
#include <system_error>

namespace jostle::tools {

/// A file that is replaced atomically. The caller writes the content to written_path(), which is
/// NAME.part. finish() renames it to NAME; without finish() the destructor removes it. Devices and
/// pipes have no part file: written_path() is NAME.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& written_path() const { return written_path_; }
  /// Renames the part file to NAME. Returns the error if that fails.
  std::error_code finish();

 private:
  std::string path_, written_path_;
};

}  // namespace jostle::tools
