#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

namespace jostle::tools {

/// A file that is replaced atomically. The content goes to NAME.part, which finish() renames to
/// NAME. Without finish(), the destructor removes NAME.part. Devices and pipes have no part file.
class NewFile {
 public:
  /// Opens the part file. error() tells whether that failed.
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Returns the first error of opening or writing the file; an empty code if there was none.
  std::error_code error() const { return error_; }
  void write(std::string_view bytes);
  /// Closes the part file and renames it to NAME. Returns the first error of all steps; an
  /// empty code if there was none.
  std::error_code finish();

 private:
  void note(bool is_good);

  std::string path_, written_path_;
  std::FILE* file_ = nullptr;
  std::error_code error_;
};

/// Returns the error message for an option whose file cannot be written.
std::string cannot_write(const char* option, const std::string& path, std::error_code error);

}  // namespace jostle::tools
