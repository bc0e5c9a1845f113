#include "shared/net/detail/posix.h"
#include "shared/net/system_io.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace jostle::net {
namespace detail {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    (void)close();
    value_ = other.release();
  }
  return *this;
}

int FileDescriptor::release() {
  return std::exchange(value_, -1);
}

bool FileDescriptor::close() {
  if (value_ < 0) return true;
  // On Linux the descriptor is closed even if close() reports EINTR.
  return ::close(std::exchange(value_, -1)) == 0 || errno == EINTR;
}

IoError io_error_of(int error) {
  switch (error) {
    case EADDRINUSE:
      return IoError::AddressInUse;
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:  // an IPv6 address on a machine without IPv6
      return IoError::AddressUnavailable;
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
      return IoError::PermissionDenied;
    case EISDIR:
      return IoError::IsDirectory;
    case ENOENT:
    case ENOTDIR:
      return IoError::NotFound;
    case ENXIO:  // a pipe without a reader
      return IoError::PipeHasNoReader;
    case EEXIST:
      return IoError::AlreadyExists;
    case ENOSPC:
    case EDQUOT:
      return IoError::NoSpace;
    case EFBIG:
      return IoError::TooLarge;
    case ENAMETOOLONG:
      return IoError::NameTooLong;
    default:
      return IoError::Unknown;
  }
}

}  // namespace detail

namespace {

using detail::FileDescriptor;
using detail::io_error_of;

constexpr mode_t new_file_mode = 0644, secret_file_mode = 0600, secret_folder_mode = 0700;
constexpr mode_t rights_of_others = S_IRWXG | S_IRWXO;

int open_at(int folder, const std::string& name, int flags, mode_t mode = new_file_mode) {
  int descriptor = -1;
  do {
    descriptor = ::openat(folder, name.c_str(), flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// The open folder of a file, and the file's name in it.
struct Location {
  FileDescriptor folder;
  std::string name;
  int follow_flag = 0;  // O_NOFOLLOW if the Io is confined to a folder
};

/// Creates the missing folders of `path`. Returns 0, or the errno of the innermost folder if that
/// could not be created. Other errors are found when the path is opened.
int make_folders(const std::string& path) {
  int error = 0;
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const int made = ::mkdir(path.substr(0, slash).c_str(), secret_folder_mode);
    error = made == 0 || errno == EEXIST ? 0 : errno;
  }
  return error;
}

/// Policy of locate() for missing folders.
enum class Missing : std::uint8_t { IsError, IsMade };

/// Opens the folder of `path`. If `root` is not empty, every step of the path must stay below it.
base::Result<Location, IoError> locate(const std::string& root, const std::string& path,
                                       Missing missing) {
  Location at;
  if (root.empty()) {
    const int not_made = missing == Missing::IsMade ? make_folders(path) : 0;
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    at.folder = FileDescriptor(open_at(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY));
    at.name = slash == std::string::npos ? path : path.substr(slash + 1);
    if (!at.folder.is_open())
      return io_error_of(errno == ENOENT && not_made != 0 ? not_made : errno);
  } else {
    at.follow_flag = O_NOFOLLOW;
    at.folder = FileDescriptor(open_at(AT_FDCWD, root, O_RDONLY | O_DIRECTORY));
    if (!at.folder.is_open()) return io_error_of(errno);
    if (path.starts_with('/')) return IoError::PermissionDenied;
    std::size_t begin = 0;
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         begin = slash + 1, slash = path.find('/', begin)) {
      const std::string step = path.substr(begin, slash - begin);
      if (step.empty() || step == ".") continue;
      if (step == "..") return IoError::PermissionDenied;
      if (missing == Missing::IsMade)
        (void)::mkdirat(at.folder.get(), step.c_str(), secret_folder_mode);
      FileDescriptor next(open_at(at.folder.get(), step, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
      if (!next.is_open()) return errno == ENOTDIR ? IoError::PermissionDenied : io_error_of(errno);
      at.folder = std::move(next);
    }
    at.name = path.substr(begin);
  }
  if (at.name.empty()) return path.empty() ? IoError::NotFound : IoError::IsDirectory;
  if (at.name == "." || (at.name == ".." && root.empty())) return IoError::IsDirectory;
  if (at.name == "..") return IoError::PermissionDenied;
  return at;
}

/// Writes all bytes. Returns 0, or the errno of the write that failed.
int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Writes to a file that was opened with O_APPEND and has `size_before` bytes.
base::Result<base::Ok, IoError> append(int file, off_t size_before,
                                       std::span<const std::byte> bytes) {
  const int error = write_all(file, bytes);
  if (error == 0) return base::Ok{};
  // Remove the part that was written. If that fails too, readers of the file detect the incomplete
  // entry.
  if (::ftruncate(file, size_before) != 0) return IoError::Unknown;
  return io_error_of(error);
}

/// Opens a regular file. O_NONBLOCK prevents blocking on a pipe with that name.
base::Result<FileDescriptor, IoError> open_regular(const Location& at, int flags,
                                                   struct stat& status) {
  FileDescriptor file(open_at(at.folder.get(), at.name, flags | O_NONBLOCK | at.follow_flag));
  if (!file.is_open()) return io_error_of(errno);
  if (::fstat(file.get(), &status) != 0) return io_error_of(errno);
  if (S_ISDIR(status.st_mode)) return IoError::IsDirectory;
  if (!S_ISREG(status.st_mode)) return IoError::NotAFile;
  return file;
}

base::Result<std::vector<std::byte>, IoError> read(const Location& at, std::size_t max_bytes,
                                                   mode_t rights_refused) {
  struct stat status {};
  auto file = open_regular(at, O_RDONLY, status);
  if (!file) return file.error();
  if ((status.st_mode & rights_refused) != 0) return IoError::InsecurePermissions;
  if (static_cast<std::uint64_t>(status.st_size) > max_bytes) return IoError::TooLarge;

  // Read one byte more than the file's size, to detect a file that grows meanwhile.
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size) + 1);
  std::size_t length = 0;
  while (length < bytes.size()) {
    const ssize_t got = ::read(file->get(), bytes.data() + length, bytes.size() - length);
    if (got < 0) {
      if (errno == EINTR) continue;
      return io_error_of(errno);
    }
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
    if (length > max_bytes) return IoError::TooLarge;
    if (length == bytes.size()) bytes.resize(bytes.size() + bytes.size() / 2 + 1);
  }
  bytes.resize(length);
  return bytes;
}

/// Returns true if the path is a device or a pipe. Follows a symbolic link unless the Io is
/// confined to a folder.
bool is_stream(const Location& at) {
  struct stat status {};
  const int flags = at.follow_flag != 0 ? AT_SYMLINK_NOFOLLOW : 0;
  if (::fstatat(at.folder.get(), at.name.c_str(), &status, flags) != 0) return false;
  return S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode);
}

/// Writes directly to a device or a pipe, because a rename would replace it by a file. Fails if a
/// pipe has no reader; waits if the reader is slow.
base::Result<base::Ok, IoError> write_stream(const Location& at, std::span<const std::byte> bytes) {
  FileDescriptor stream(
      open_at(at.folder.get(), at.name, O_WRONLY | O_NONBLOCK | O_NOCTTY | at.follow_flag));
  if (!stream.is_open()) return io_error_of(errno);
  if (::fcntl(stream.get(), F_SETFL, O_WRONLY) != 0) return io_error_of(errno);
  const int error = write_all(stream.get(), bytes);
  if (error != 0) return io_error_of(error);
  return base::Ok{};
}

/// Returns the target of a symbolic link, so that a write replaces the target and not the link.
/// Returns the path itself if it is not a link.
std::string followed(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
  const std::unique_ptr<char, decltype(&std::free)> target(::realpath(path.c_str(), nullptr),
                                                           &std::free);
  return target ? target.get() : path;
}

/// Returns the name of the temporary file of write(). The process id keeps two programs that write
/// the same file from using the same temporary file.
std::string temporary_of(const Location& at) {
  return at.name + ".tmp" + std::to_string(::getpid());
}

/// Policy for an existing file.
enum class Standing : std::uint8_t { IsReplaced, Stays };

base::Result<base::Ok, IoError> write(const Location& at, std::span<const std::byte> bytes,
                                      mode_t mode, Standing standing = Standing::IsReplaced) {
  const std::string temporary = temporary_of(at);
  (void)::unlinkat(at.folder.get(), temporary.c_str(), 0);

  int error = 0;
  {
    FileDescriptor file(
        open_at(at.folder.get(), temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
    if (!file.is_open()) return io_error_of(errno);
    error = write_all(file.get(), bytes);
    if (error == 0 && ::fsync(file.get()) != 0) error = errno;
    if (!file.close() && error == 0) error = errno;
  }
  const int folder = at.folder.get();
  if (error == 0) {
    const bool is_replaced = standing == Standing::IsReplaced;
    const int failed = is_replaced
                           ? ::renameat(folder, temporary.c_str(), folder, at.name.c_str())
                           : ::linkat(folder, temporary.c_str(), folder, at.name.c_str(), 0);
    if (failed != 0) error = errno;
  }
  if (error != 0 || standing == Standing::Stays) (void)::unlinkat(folder, temporary.c_str(), 0);
  if (error != 0) return io_error_of(error);
  // The rename is durable only after the folder has been synced.
  if (::fsync(at.folder.get()) != 0 && errno != EINVAL) return io_error_of(errno);
  return base::Ok{};
}

/// A regular file that is locked until it is closed.
class LockedFile final : public OutputFile {
 public:
  LockedFile(Location at, FileDescriptor file, bool is_new)
      : at_(std::move(at)), file_(std::move(file)), is_new_(is_new) {}
  ~LockedFile() override {
    if (is_new_ && !has_begun_ && is_named(AT_SYMLINK_NOFOLLOW))
      (void)::unlinkat(at_.folder.get(), at_.name.c_str(), 0);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  /// Returns true if the path still names this file.
  bool is_named(int flags) const {
    struct stat opened {
    }, named{};
    return ::fstat(file_.get(), &opened) == 0 &&
           ::fstatat(at_.folder.get(), at_.name.c_str(), &named, flags) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
  }

  base::Result<base::Ok, IoError> write(std::span<const std::byte> bytes) override {
    if (!has_begun_ && ::ftruncate(file_.get(), 0) != 0) return io_error_of(errno);
    has_begun_ = true;
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) return io_error_of(errno);
    return append(file_.get(), status.st_size, bytes);
  }

 private:
  Location at_;
  FileDescriptor file_;
  bool is_new_, has_begun_ = false;
};

/// Opens and locks a regular file. Returns null if another program removed or replaced the file
/// meanwhile.
base::Result<std::unique_ptr<LockedFile>, IoError> open_locked(Location at) {
  struct stat status {};
  constexpr int flags = O_WRONLY | O_APPEND;
  auto file = open_regular(at, flags, status);
  const bool is_new = !file && file.error() == IoError::NotFound;
  if (is_new) file = open_regular(at, flags | O_CREAT, status);
  if (!file) return file.error();
  if (::flock(file->get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return IoError::FileInUse;
  const int follow = at.follow_flag != 0 ? AT_SYMLINK_NOFOLLOW : 0;
  auto locked = std::make_unique<LockedFile>(std::move(at), *std::move(file), is_new);
  if (!locked->is_named(follow)) locked.reset();
  return locked;
}

}  // namespace

base::Result<std::unique_ptr<OutputFile>, IoError> SystemIo::open_output(const std::string& path) {
  constexpr int attempts = 5;
  for (int i = 0; i < attempts; ++i) {
    auto at = locate(folder_, path, Missing::IsError);
    if (!at) return at.error();
    if (is_stream(*at)) {
      if (const auto written = write_stream(*at, {}); !written) return written.error();
      return Io::open_output(path);
    }
    if (folder_.empty()) at = locate(folder_, followed(path), Missing::IsError);
    if (!at) return at.error();
    auto locked = open_locked(*std::move(at));
    if (!locked) return locked.error();
    if (*locked != nullptr) return std::unique_ptr<OutputFile>(*std::move(locked));
  }
  return IoError::FileInUse;
}

base::Result<std::vector<std::byte>, IoError> SystemIo::read_file(const std::string& path,
                                                                  std::size_t max_bytes) {
  auto at = locate(folder_, path, Missing::IsError);
  if (!at) return at.error();
  return read(*at, max_bytes, 0);
}

base::Result<std::vector<std::byte>, IoError> SystemIo::read_secret_file(const std::string& path,
                                                                         std::size_t max_bytes) {
  auto at = locate(folder_, path, Missing::IsError);
  if (!at) return at.error();
  return read(*at, max_bytes, rights_of_others);
}

base::Result<base::Ok, IoError> SystemIo::write_file(const std::string& path,
                                                     std::span<const std::byte> bytes) {
  auto at = locate(folder_, path, Missing::IsError);
  if (!at) return at.error();
  if (is_stream(*at)) return write_stream(*at, bytes);
  if (folder_.empty()) at = locate(folder_, followed(path), Missing::IsError);
  if (!at) return at.error();
  return write(*at, bytes, new_file_mode);
}

base::Result<base::Ok, IoError> SystemIo::create_file(const std::string& path,
                                                      std::span<const std::byte> bytes) {
  auto at = locate(folder_, path, Missing::IsError);
  if (!at) return at.error();
  // Reserve the name with an empty file, which write() replaces. Unlike a hard link to a finished
  // file, this works on every file system.
  FileDescriptor reserved(
      open_at(at->folder.get(), at->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, new_file_mode));
  if (!reserved.is_open()) return io_error_of(errno);
  (void)reserved.close();
  const auto written = write(*at, bytes, new_file_mode);
  if (!written) (void)::unlinkat(at->folder.get(), at->name.c_str(), 0);
  return written;
}

base::Result<base::Ok, IoError> SystemIo::check_writable(const std::string& path) {
  auto at = locate(folder_, path, Missing::IsError);
  if (!at) return at.error();
  if (is_stream(*at)) return write_stream(*at, {});
  if (folder_.empty()) at = locate(folder_, followed(path), Missing::IsError);
  if (!at) return at.error();
  // Opening an existing file for appending shows whether append_file() may change it.
  struct stat status {};
  const auto file = open_regular(*at, O_WRONLY | O_APPEND, status);
  if (!file && file.error() != IoError::NotFound) return file.error();
  // write_file() needs a folder in which it can create its temporary file.
  const std::string temporary = temporary_of(*at);
  const FileDescriptor probe(open_at(at->folder.get(), temporary,
                                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, secret_file_mode));
  if (!probe.is_open()) return io_error_of(errno);
  (void)::unlinkat(at->folder.get(), temporary.c_str(), 0);
  return base::Ok{};
}

base::Result<base::Ok, IoError> SystemIo::write_secret_file(const std::string& path,
                                                            std::span<const std::byte> bytes) {
  auto at = locate(folder_, path, Missing::IsMade);
  if (!at) return at.error();
  if (is_stream(*at)) return IoError::NotAFile;
  return write(*at, bytes, secret_file_mode);
}

base::Result<base::Ok, IoError> SystemIo::create_secret_file(const std::string& path,
                                                             std::span<const std::byte> bytes) {
  auto at = locate(folder_, path, Missing::IsMade);
  if (!at) return at.error();
  return write(*at, bytes, secret_file_mode, Standing::Stays);
}

base::Result<base::Ok, IoError> SystemIo::append_file(const std::string& path,
                                                      std::span<const std::byte> bytes) {
  auto at = locate(folder_, path, Missing::IsError);
  if (!at) return at.error();
  if (is_stream(*at)) return write_stream(*at, bytes);
  struct stat status {};
  auto file = open_regular(*at, O_WRONLY | O_APPEND | O_CREAT, status);
  if (!file) return file.error();
  if (const auto written = append(file->get(), status.st_size, bytes); !written)
    return written.error();
  if (::fdatasync(file->get()) != 0) return io_error_of(errno);
  if (!file->close()) return io_error_of(errno);
  return base::Ok{};
}

}  // namespace jostle::net
