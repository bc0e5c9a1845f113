#include "tools/new_file.h"

#include <filesystem>
#include <utility>

namespace jostle::tools {

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path_, ignored);
  const bool is_special =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  written_path_ = is_special ? path_ : path_ + ".part";
}

NewFile::~NewFile() {
  std::error_code ignored;
  if (written_path_ != path_) std::filesystem::remove(written_path_, ignored);
}

std::error_code NewFile::finish() {
  std::error_code error;
  if (written_path_ != path_) std::filesystem::rename(written_path_, path_, error);
  return error;
}

}  // namespace jostle::tools
