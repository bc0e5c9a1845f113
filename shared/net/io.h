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
  PermissionDenied,
  IsDirectory,
  IsNoFile,
  NotFound,
  AlreadyExists,
  NoSpace,
  TooLarge,
  TooOpen,
  NoReader,
  Unknown,
};
std::string_view describe(IoError error);

/// System calls that a socket has made.
struct SocketCalls {
  std::uint64_t sends = 0, receives = 0;
  /// What those sends handed over: equally long datagrams to one address may go as one.
  std::uint64_t messages = 0;
};

/// An unconnected UDP socket. Never blocks.
class DatagramSocket {
 public:
  virtual ~DatagramSocket() = default;

  virtual Address local_address() const = 0;
  /// True when the network took it; a network may still lose it. False: nothing was sent (buffer
  /// full, or an address that this socket cannot reach).
  virtual bool send(Address to, std::span<const std::byte> bytes) = 0;
  /// The same, but it may wait for flush(), to go with others in one system call. True when it
  /// waits, too.
  virtual bool queue(Address to, std::span<const std::byte> bytes) { return send(to, bytes); }
  /// Sends what waits, in order; how many datagrams the network did not take.
  virtual std::size_t flush() { return 0; }

  struct Received {
    Address from;
    std::size_t bytes = 0;      // what was copied into the buffer
    bool is_truncated = false;  // the datagram was longer than the buffer
  };
  /// The next datagram that has arrived, or nothing. To be called until there is nothing, before
  /// one waits on the handle: a socket may have taken in more than one at once.
  virtual std::optional<Received> receive(std::span<std::byte> buffer) = 0;

  /// For an event loop to wait on; −1 when there is none (simulated sockets).
  virtual int native_handle() const = 0;
  /// Simulated sockets make none.
  virtual SocketCalls calls() const { return {}; }
};

/// Everything outside the process that the server, the clients and the tools touch. One real and
/// one simulated implementation exist; nothing else reads a clock, a socket, entropy or a file.
class Io {
 public:
  virtual ~Io() = default;

  /// Monotonic, microseconds since an arbitrary start.
  virtual std::int64_t now_us() = 0;

  /// Seconds since 1970, as the machine's owner has set them: for what people date, never for how
  /// long something takes.
  virtual std::int64_t unix_time_s() = 0;

  /// Bytes that a stranger cannot guess (simulated: seeded).
  virtual void fill_random(std::span<std::byte> bytes) = 0;

  /// Port 0 lets the system choose. A socket at :: carries IPv4, too; where the machine has no
  /// IPv6, it is one at 0.0.0.0, as its local_address() tells.
  virtual base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) = 0;

  /// The whole file; longer than `max_bytes` is IoError::TooLarge.
  virtual base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                                  std::size_t max_bytes) = 0;
  /// All or nothing: written beside it, synced, then renamed; through a link, what it leads to.
  /// Into a device or a pipe the bytes go as they are; a pipe that nobody reads is an error.
  virtual base::Result<base::Ok, IoError> write_file(const std::string& path,
                                                     std::span<const std::byte> bytes) = 0;
  /// Creates the file when it is missing.
  virtual base::Result<base::Ok, IoError> append_file(const std::string& path,
                                                      std::span<const std::byte> bytes) = 0;

  // Files that only their owner may read.

  /// As read_file; IoError::TooOpen when the file's group or others have any right to it.
  virtual base::Result<std::vector<std::byte>, IoError> read_secret_file(const std::string& path,
                                                                         std::size_t max_bytes) = 0;
  /// As write_file, readable by the owner alone from the first byte on (mode 0600). Folders that
  /// are missing on the way are made, for the owner alone (0700).
  virtual base::Result<base::Ok, IoError> write_secret_file(const std::string& path,
                                                            std::span<const std::byte> bytes) = 0;
  /// The same, where there is no such file yet: else IoError::AlreadyExists. Of several who do so
  /// at once one succeeds.
  virtual base::Result<base::Ok, IoError> create_secret_file(const std::string& path,
                                                             std::span<const std::byte> bytes) = 0;
};

}  // namespace jostle::net
