#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

namespace jostle::tools {

/// A file that is replaced atomically. The content goes to a part file beside it, NAME.part or
/// NAME.part1 and so on, which finish() renames to NAME. Without finish(), the destructor removes
/// the part file; so does a signal that ends the program. A symbolic link is followed, so that the
/// file it names is replaced and the link stays. Devices, pipes and open files of this process,
/// such as /dev/stdout, are written directly.
class NewFile {
 public:
  /// Opens the part file, which did not exist before. error() tells whether that failed.
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Returns the first error of opening or writing the file; an empty code if there was none.
  std::error_code error() const { return error_; }
  /// Returns true if the path names a device, a pipe or an open file.
  bool is_stream() const { return is_stream_; }
  void write(std::string_view bytes);
  /// Closes the part file and renames it to NAME. Returns the first error of all steps; an
  /// empty code if there was none.
  std::error_code finish();

 private:
  void note(bool is_good);
  void open_part();

  std::string target_, part_;
  std::FILE* file_ = nullptr;
  bool is_stream_ = false;
  std::error_code error_;
};

/// Returns the error message for an option whose file cannot be written.
std::string cannot_write(const char* option, const std::string& path, std::error_code error);

}  // namespace jostle::tools
