#include "tools/new_file.h"

#include <cctype>
#include <cerrno>
#include <filesystem>
#include <utility>

namespace jostle::tools {

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path_, ignored);
  const bool is_special =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  written_path_ = is_special ? path_ : path_ + ".part";
  file_ = std::fopen(written_path_.c_str(), "wb");
  note(file_ != nullptr);
}

NewFile::~NewFile() {
  if (file_ != nullptr) std::fclose(file_);
  std::error_code ignored;
  if (written_path_ != path_) std::filesystem::remove(written_path_, ignored);
}

void NewFile::note(bool is_good) {
  if (!is_good && !error_) error_ = std::error_code(errno, std::generic_category());
}

void NewFile::write(std::string_view bytes) {
  if (!error_) note(std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size());
}

std::error_code NewFile::finish() {
  if (file_ != nullptr) note(std::fclose(std::exchange(file_, nullptr)) == 0);
  if (!error_ && written_path_ != path_) std::filesystem::rename(written_path_, path_, error_);
  return error_;
}

std::string cannot_write(const char* option, const std::string& path, std::error_code error) {
  std::string reason = error.message();
  reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  return std::string(option) + ": cannot write '" + path + "': " + reason;
}

}  // namespace jostle::tools
