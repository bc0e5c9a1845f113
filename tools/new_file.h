#pragma once

#include <string>

namespace jostle::tools {

/// A file that is what it was until the new one is whole: it is written beside it as NAME.part,
/// which takes its place in the end or is gone. Into a device or a pipe it goes as it comes.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& written_path() const { return written_path_; }
  /// False where it cannot take the old one's place.
  bool finish();

 private:
  std::string path_, written_path_;
};

}  // namespace jostle::tools
