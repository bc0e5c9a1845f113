#pragma once

#include "shared/base/result.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::gate_link {

/// A connection of a Unix socket that never blocks. It is closed at the end of its life.
class LocalConnection {
 public:
  explicit LocalConnection(int handle) : handle_(handle) {}
  ~LocalConnection();
  LocalConnection(const LocalConnection&) = delete;
  LocalConnection& operator=(const LocalConnection&) = delete;

  /// Reads what has arrived, at most `buffer.size()` bytes. Returns the number of bytes; 0 if
  /// nothing has arrived; nothing if the connection has ended.
  std::optional<std::size_t> read(std::span<std::byte> buffer);
  /// Writes as much as the system accepts. Returns the number of bytes, or nothing if the
  /// connection has ended.
  std::optional<std::size_t> write(std::span<const std::byte> bytes);
  int handle() const { return handle_; }

 private:
  int handle_;
};

/// A Unix socket that accepts connections of chosen users. It never blocks. The file is removed at
/// the end of its life.
class LocalListener {
 public:
  struct Options {
    std::string path{};
    /// Name of a further user who may connect, such as that of a gate with a user of its own. The
    /// file then belongs to the user's group, of which this process must be a member. Empty: only
    /// this process's own user may connect.
    std::string user{};
  };
  /// Opens the socket with mode 0600, or 0660 if a user is given. Replaces the file of a program
  /// that has ended. The error is one sentence that names the path.
  static base::Result<std::unique_ptr<LocalListener>, std::string> create(const Options& options);
  ~LocalListener();
  LocalListener(const LocalListener&) = delete;
  LocalListener& operator=(const LocalListener&) = delete;

  /// Returns the next connection of an allowed user, or null. The kernel names the user of each
  /// connection (SO_PEERCRED). Connections of other users are closed and counted.
  std::unique_ptr<LocalConnection> accept();
  std::size_t refused() const { return refused_; }
  int handle() const { return handle_; }
  const std::string& path() const { return path_; }

 private:
  LocalListener(int handle, std::string path, std::vector<unsigned> users)
      : handle_(handle), path_(std::move(path)), users_(std::move(users)) {}
  int handle_;
  std::string path_;
  std::vector<unsigned> users_;  // ids of the users who may connect
  std::size_t refused_ = 0;
};

/// A set of handles that an event loop can wait for as one.
class HandleSet {
 public:
  HandleSet();
  ~HandleSet();
  HandleSet(const HandleSet&) = delete;
  HandleSet& operator=(const HandleSet&) = delete;

  /// Adds a handle that counts as ready when it can be read.
  void add(int handle);
  /// Sets whether an added handle also counts as ready when it can be written.
  void want_write(int handle, bool is_wanted);
  void remove(int handle);
  /// Returns a handle that can be read while one of the added handles is ready.
  int handle() const { return handle_; }

 private:
  int handle_;
};

}  // namespace jostle::gate_link
