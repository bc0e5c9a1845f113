#include "shared/journal/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <utility>

namespace jostle::journal {
namespace {

constexpr mode_t shared_mode = 0644, secret_mode = 0600, folder_mode = 0700;

int open_again(const char* path, int flags, mode_t mode = shared_mode) {
  int descriptor = -1;
  do {
    descriptor = ::open(path, flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// Closes a descriptor at the end of its scope.
struct Closer {
  int descriptor;
  ~Closer() { ::close(descriptor); }
};

class SystemAppendFile final : public AppendFile {
 public:
  explicit SystemAppendFile(int descriptor) : descriptor_(descriptor) {}
  ~SystemAppendFile() override { ::close(descriptor_); }
  SystemAppendFile(const SystemAppendFile&) = delete;
  SystemAppendFile& operator=(const SystemAppendFile&) = delete;

  int append(std::span<const std::byte> bytes) override {
    const auto before = static_cast<off_t>(size_);
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        const int error = written < 0 ? errno : EIO;
        // If this fails too, readers find the incomplete section by its checksum.
        if (::ftruncate(descriptor_, before) == 0) size_ = static_cast<std::uint64_t>(before);
        return error;
      }
      size_ += static_cast<std::uint64_t>(written);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
  }
  int sync() override { return ::fdatasync(descriptor_) == 0 ? 0 : errno; }
  bool is_named(const std::string& path) override {
    struct stat opened {
    }, named{};
    return ::fstat(descriptor_, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
  }

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

class SystemFiles final : public Files {
 public:
  base::Result<std::unique_ptr<AppendFile>, FileError> create(const std::string& path,
                                                              bool is_secret) override {
    const int descriptor = open_again(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND,
                                      is_secret ? secret_mode : shared_mode);
    if (descriptor < 0) return FileError{errno};
    return std::unique_ptr<AppendFile>(std::make_unique<SystemAppendFile>(descriptor));
  }

  base::Result<std::vector<std::byte>, FileError> read(const std::string& path) override {
    return read_front(path, std::numeric_limits<std::size_t>::max());
  }
  base::Result<std::vector<std::byte>, FileError> read_front(const std::string& path,
                                                             std::size_t most_bytes) override {
    const int descriptor = open_again(path.c_str(), O_RDONLY | O_NONBLOCK);
    if (descriptor < 0) return FileError{errno};
    const Closer closer{descriptor};
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return FileError{errno};
    if (!S_ISREG(status.st_mode)) return FileError{EINVAL};
    std::vector<std::byte> bytes(std::min(static_cast<std::size_t>(status.st_size), most_bytes));
    std::size_t length = 0;
    while (length < bytes.size()) {
      const ssize_t got = ::read(descriptor, bytes.data() + length, bytes.size() - length);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return FileError{errno};
      if (got == 0) break;
      length += static_cast<std::size_t>(got);
    }
    bytes.resize(length);
    return bytes;
  }

  base::Result<std::vector<std::string>, FileError> list(const std::string& folder) override {
    DIR* const opened = ::opendir(folder.c_str());
    if (opened == nullptr) return FileError{errno};
    std::vector<std::string> names;
    while (const dirent* const entry = ::readdir(opened)) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    ::closedir(opened);
    std::sort(names.begin(), names.end());
    return names;
  }

  base::Result<std::uint64_t, FileError> size(const std::string& path) override {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return FileError{errno};
    return static_cast<std::uint64_t>(status.st_size);
  }

  int remove(const std::string& path) override { return ::unlink(path.c_str()) == 0 ? 0 : errno; }
  int rename(const std::string& from, const std::string& to) override {
    return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  }
  int link(const std::string& from, const std::string& to) override {
    return ::link(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  }
  int cut(const std::string& path, std::uint64_t bytes) override {
    return ::truncate(path.c_str(), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  }
  int make_folder(const std::string& path) override {
    return ::mkdir(path.c_str(), folder_mode) == 0 || errno == EEXIST ? 0 : errno;
  }
  int sync_folder(const std::string& path) override {
    const int descriptor = open_again(path.c_str(), O_RDONLY | O_DIRECTORY);
    if (descriptor < 0) return errno;
    const Closer closer{descriptor};
    // Some file systems cannot sync folders; their renames are ordered.
    return ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  }
};

}  // namespace

std::unique_ptr<Files> system_files() {
  return std::make_unique<SystemFiles>();
}

base::Result<FolderLock, FileError> FolderLock::take(const std::string& folder) {
  const int descriptor = open_again((folder + "/lock").c_str(), O_RDWR | O_CREAT, secret_mode);
  if (descriptor < 0) return FileError{errno};
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const FileError error{errno};
    ::close(descriptor);
    return error;
  }
  return FolderLock(descriptor);
}

base::Result<bool, FileError> FolderLock::is_taken(const std::string& folder) {
  const int descriptor = open_again((folder + "/lock").c_str(), O_RDONLY);
  if (descriptor < 0 && errno == ENOENT) return false;
  if (descriptor < 0) return FileError{errno};
  const Closer closer{descriptor};
  if (::flock(descriptor, LOCK_SH | LOCK_NB) == 0) return false;
  if (errno == EWOULDBLOCK) return true;
  return FileError{errno};
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

}  // namespace jostle::journal
