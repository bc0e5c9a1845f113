#pragma once

#include "shared/net/io.h"

namespace jostle::net::detail {

/// An owned file descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { (void)close(); }

  bool is_open() const { return value_ >= 0; }
  int get() const { return value_; }
  int release();
  /// Closes the descriptor. Returns false if the system reports that written data may be lost.
  bool close();

 private:
  int value_ = -1;
};

/// Maps an errno to an IoError.
IoError io_error_of(int error);

}  // namespace jostle::net::detail
