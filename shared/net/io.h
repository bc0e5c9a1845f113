#pragma once

#include "shared/base/result.h"
#include "shared/net/address.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::net {

enum class IoError : std::uint8_t {
  AddressInUse,
  AddressUnavailable,
  FileInUse,
  PermissionDenied,
  IsDirectory,
  NotAFile,
  NotFound,
  AlreadyExists,
  NoSpace,
  TooLarge,
  NameTooLong,
  InsecurePermissions,
  PipeHasNoReader,
  Unknown,
};
std::string_view describe(IoError error);

/// Number of system calls that a socket has made.
struct SocketCalls {
  std::uint64_t sends = 0, receives = 0;
  /// Number of messages that the sends passed to the kernel. Datagrams of equal length to one
  /// address may be joined into one message.
  std::uint64_t messages = 0;
};

/// An unconnected UDP socket. It never blocks.
class DatagramSocket {
 public:
  virtual ~DatagramSocket() = default;

  virtual Address local_address() const = 0;
  /// Sends a datagram. Returns true if the system accepted it; the network may still lose it.
  /// Returns false if nothing was sent: the buffer is full, or this socket cannot reach the
  /// address.
  virtual bool send(Address to, std::span<const std::byte> bytes) = 0;
  /// Sends a datagram, but may defer it until flush() to send several in one system call. Also
  /// returns true if it was deferred.
  virtual bool queue(Address to, std::span<const std::byte> bytes) { return send(to, bytes); }
  /// Sends the deferred datagrams in order. Returns the number of datagrams that the system
  /// rejected.
  virtual std::size_t flush() { return 0; }

  struct Received {
    Address from;
    std::size_t bytes = 0;      // number of bytes copied into the buffer
    bool is_truncated = false;  // the datagram was longer than the buffer
  };
  /// Returns the next datagram that has arrived, or nothing. Call it until it returns nothing
  /// before you wait on the handle, because a socket may have buffered several datagrams.
  virtual std::optional<Received> receive(std::span<std::byte> buffer) = 0;

  /// Returns a handle for an event loop, or −1 if there is none (simulated sockets).
  virtual int native_handle() const = 0;
  /// Returns the number of system calls; zeros for simulated sockets.
  virtual SocketCalls calls() const { return {}; }
};

/// A file that one program writes over a longer time. A new file that was never written is removed
/// at the end.
class OutputFile {
 public:
  virtual ~OutputFile() = default;
  /// Appends to the file. The first call replaces the content that the file had before.
  virtual base::Result<base::Ok, IoError> write(std::span<const std::byte> bytes) = 0;
};

/// The interface to everything outside the process: clocks, entropy, UDP sockets and files.
/// SystemIo is the real implementation, VirtualNode the simulated one for tests.
class Io {
 public:
  virtual ~Io() = default;

  /// Returns the monotonic time in microseconds since an arbitrary start.
  virtual std::int64_t now_us() = 0;

  /// Returns the wall-clock time in seconds since 1970. Users can set this clock, so use it for
  /// dates and never for durations.
  virtual std::int64_t unix_time_s() = 0;

  /// Fills the buffer with cryptographically secure random bytes (simulated: from a seed).
  virtual void fill_random(std::span<std::byte> bytes) = 0;

  /// Opens a UDP socket. For port 0 the system chooses one. A socket bound to :: is dual-stack. On
  /// a machine without IPv6 it is bound to 0.0.0.0 instead, as local_address() shows.
  virtual base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) = 0;

  /// Reads the whole file. A file longer than `max_bytes` is IoError::TooLarge.
  virtual base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                                  std::size_t max_bytes) = 0;
  /// Writes the whole file atomically: to a temporary file, which is synced and renamed. Symbolic
  /// links are followed. For a device or a pipe, the bytes are written directly; a pipe without a
  /// reader is an error.
  virtual base::Result<base::Ok, IoError> write_file(const std::string& path,
                                                     std::span<const std::byte> bytes) = 0;
  /// Like write_file(), but returns IoError::AlreadyExists if the path exists. If several processes
  /// create it concurrently, exactly one succeeds.
  virtual base::Result<base::Ok, IoError> create_file(const std::string& path,
                                                      std::span<const std::byte> bytes) = 0;
  /// Appends to the file, and creates it if it is missing.
  virtual base::Result<base::Ok, IoError> append_file(const std::string& path,
                                                      std::span<const std::byte> bytes) = 0;

  /// Opens a file for writing over a longer time. Until the result is destroyed, other programs get
  /// IoError::FileInUse for the same file; devices and pipes may be shared. The content of an
  /// existing file stays until the first write. This implementation, for simulated files, locks
  /// nothing. This object must outlive the result.
  virtual base::Result<std::unique_ptr<OutputFile>, IoError> open_output(const std::string& path);

  /// Returns the error with which write_file() and append_file() would reject this path, and
  /// changes nothing. This implementation, for simulated files, accepts every path.
  virtual base::Result<base::Ok, IoError> check_writable(const std::string& /*path*/) {
    return base::Ok{};
  }

  // Files that only their owner may read.

  /// Like read_file(), but returns IoError::InsecurePermissions if the file's group or other users
  /// have any permission.
  virtual base::Result<std::vector<std::byte>, IoError> read_secret_file(const std::string& path,
                                                                         std::size_t max_bytes) = 0;
  /// Like write_file(), but the file is readable by its owner only (mode 0600) from the start.
  /// Missing folders are created with mode 0700.
  virtual base::Result<base::Ok, IoError> write_secret_file(const std::string& path,
                                                            std::span<const std::byte> bytes) = 0;
  /// Like write_secret_file(), but returns IoError::AlreadyExists if the file exists. If several
  /// processes create it concurrently, exactly one succeeds.
  virtual base::Result<base::Ok, IoError> create_secret_file(const std::string& path,
                                                             std::span<const std::byte> bytes) = 0;
};

}  // namespace jostle::net
