#pragma once

#include "shared/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jostle::journal {

/// Error number of the operating system (errno); 0: no error.
struct FileError {
  int number = 0;

  bool operator==(const FileError&) const = default;
};
/// Returns the system's description of the error, such as "No space left on device".
std::string describe(FileError error);
/// Returns the folder of a path: "." for a name alone.
std::string folder_of(const std::string& path);

/// A file to which one program appends. All functions return 0, or the system's error number.
class AppendFile {
 public:
  virtual ~AppendFile() = default;
  /// Appends all bytes. After an error, the file has the length that it had before, if the system
  /// still allows that.
  virtual int append(std::span<const std::byte> bytes) = 0;
  /// Makes the appended bytes durable. After an error the content is unknown: use another file.
  virtual int sync() = 0;
  /// Returns true if `path` names this file.
  virtual bool is_named(const std::string& path) = 0;
};

/// The file operations of recorders and of the state folder. Paths are those of the process. The
/// functions may block; a server calls them on its writer thread (WriterThread).
class Files {
 public:
  virtual ~Files() = default;
  /// Creates a file. The error is EEXIST if the path exists, also as a symbolic link or a device.
  /// A secret file is readable by its owner only.
  virtual base::Result<std::unique_ptr<AppendFile>, FileError> create(const std::string& path,
                                                                      bool is_secret) = 0;
  virtual base::Result<std::vector<std::byte>, FileError> read(const std::string& path) = 0;
  /// Returns the first `most_bytes` bytes of a file, or all of a shorter one.
  virtual base::Result<std::vector<std::byte>, FileError> read_front(const std::string& path,
                                                                     std::size_t most_bytes) = 0;
  /// Returns the names of the files in a folder, sorted.
  virtual base::Result<std::vector<std::string>, FileError> list(const std::string& folder) = 0;
  virtual base::Result<std::uint64_t, FileError> size(const std::string& path) = 0;

  // These functions return 0, or the system's error number.

  virtual int remove(const std::string& path) = 0;
  /// Replaces the file `to`, if there is one.
  virtual int rename(const std::string& from, const std::string& to) = 0;
  /// Gives the file `from` the second name `to`. The error is EEXIST if `to` exists.
  virtual int link(const std::string& from, const std::string& to) = 0;
  /// Cuts a file to its first `bytes` bytes.
  virtual int cut(const std::string& path, std::uint64_t bytes) = 0;
  /// Creates a folder that only its owner may use; no error if it exists. Its parent must exist.
  virtual int make_folder(const std::string& path) = 0;
  /// Makes the names in a folder durable.
  virtual int sync_folder(const std::string& path) = 0;
};

/// Creates a folder and those around it that are missing, and makes their names durable. Returns 0,
/// or the system's error number.
int make_folders(Files& files, const std::string& path);

/// Returns the files of the operating system.
std::unique_ptr<Files> system_files();

/// A lock on a file, held until the destructor or the end of the process.
class FolderLock {
 public:
  /// Locks FOLDER/lock, which is created if it is missing. The error is EWOULDBLOCK if another
  /// process holds the lock.
  static base::Result<FolderLock, FileError> take(const std::string& folder);
  /// Returns whether a process holds the lock. Creates and changes nothing.
  static base::Result<bool, FileError> is_taken(const std::string& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace jostle::journal
