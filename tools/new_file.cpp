#include "tools/new_file.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>

namespace jostle::tools {
namespace {

namespace fs = std::filesystem;

/// Follows symbolic links, also to files that do not exist, except those of /proc.
fs::path target_of(fs::path path) {
  constexpr int max_links = 40;
  std::error_code error;
  for (int i = 0; i < max_links && fs::is_symlink(path, error); ++i) {
    if (path.string().starts_with("/proc/")) break;
    const fs::path link = fs::read_symlink(path, error);
    if (error) break;
    path = link.is_absolute() ? link : path.parent_path() / link;
  }
  return path;
}

/// Returns the file descriptor that a path such as /dev/stdout or /dev/fd/3 names.
std::optional<int> descriptor_of(const fs::path& path) {
  const std::string folder = path.parent_path().string(), name = path.filename().string();
  if (folder != "/dev/fd" && folder != "/proc/self/fd") return std::nullopt;
  int descriptor = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), descriptor);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return descriptor;
}

bool is_device_or_pipe(const fs::path& path) {
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// Paths of the part files that are open; null: free. A signal handler reads them.
constexpr std::size_t max_open_parts = 8;
std::array<std::atomic<const char*>, max_open_parts> open_parts;

/// Removes the part files and ends the program as the signal would have done.
void remove_parts(int signal) {
  for (const std::atomic<const char*>& part : open_parts)
    if (const char* const path = part.load()) ::unlink(path);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Makes the signals that end a program remove the part files. Ignored signals stay ignored.
void handle_end_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, remove_parts) == SIG_IGN) std::signal(signal, SIG_IGN);
}

/// Replaces one path of `open_parts` by another.
void replace_part(const char* before, const char* after) {
  for (std::atomic<const char*>& part : open_parts) {
    const char* expected = before;
    if (part.compare_exchange_strong(expected, after)) return;
  }
}

}  // namespace

NewFile::NewFile(const std::string& path) : target_(target_of(path).string()) {
  const std::optional<int> descriptor = descriptor_of(target_);
  is_stream_ = descriptor || is_device_or_pipe(target_);
  if (descriptor) {
    file_ = ::fdopen(::dup(*descriptor), "wb");
    note(file_ != nullptr);
  } else if (is_stream_) {
    file_ = std::fopen(target_.c_str(), "wb");
    note(file_ != nullptr);
  } else {
    open_part();
  }
}

NewFile::~NewFile() {
  if (file_ != nullptr) std::fclose(file_);
  std::error_code ignored;
  if (part_.empty()) return;
  fs::remove(part_, ignored);
  replace_part(part_.c_str(), nullptr);
}

void NewFile::open_part() {
  constexpr int max_names = 100;
  for (int i = 0; i < max_names; ++i) {
    const std::string name = target_ + ".part" + (i == 0 ? "" : std::to_string(i));
    file_ = std::fopen(name.c_str(), "wbx");
    if (file_ != nullptr) {
      part_ = name;
      handle_end_signals();
      replace_part(nullptr, part_.c_str());
    }
    if (file_ != nullptr || errno != EEXIST) break;
  }
  note(file_ != nullptr);
}

void NewFile::note(bool is_good) {
  if (!is_good && !error_) error_ = std::error_code(errno, std::generic_category());
}

void NewFile::write(std::string_view bytes) {
  if (!error_) note(std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size());
}

std::error_code NewFile::finish() {
  if (file_ != nullptr) note(std::fclose(std::exchange(file_, nullptr)) == 0);
  if (!error_ && !part_.empty()) fs::rename(part_, target_, error_);
  if (!error_ && !part_.empty()) {
    replace_part(part_.c_str(), nullptr);
    part_.clear();
  }
  return error_;
}

std::string cannot_write(const char* option, const std::string& path, std::error_code error) {
  std::string reason = error.message();
  reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  return std::string(option) + ": cannot write '" + path + "': " + reason;
}

}  // namespace jostle::tools
