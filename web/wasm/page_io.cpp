#include "web/wasm/page_io.h"

#include "web/wasm/imports.h"

namespace jostle::web {

using net::IoError;

std::int64_t PageIo::now_us() {
  return static_cast<std::int64_t>(page_now_us());
}
std::int64_t PageIo::unix_time_s() {
  return static_cast<std::int64_t>(page_unix_time_s());
}
void PageIo::fill_random(std::span<std::byte> bytes) {
  page_random(bytes.data(), bytes.size());
}

base::Result<std::unique_ptr<net::DatagramSocket>, IoError> PageIo::open_datagram_socket(
    net::Address) {
  return IoError::AddressUnavailable;
}
base::Result<std::vector<std::byte>, IoError> PageIo::read_file(const std::string&, std::size_t) {
  return IoError::NotFound;
}
base::Result<base::Ok, IoError> PageIo::write_file(const std::string&, std::span<const std::byte>) {
  return IoError::PermissionDenied;
}
base::Result<base::Ok, IoError> PageIo::create_file(const std::string&,
                                                    std::span<const std::byte>) {
  return IoError::PermissionDenied;
}
base::Result<base::Ok, IoError> PageIo::append_file(const std::string&,
                                                    std::span<const std::byte>) {
  return IoError::PermissionDenied;
}
base::Result<std::vector<std::byte>, IoError> PageIo::read_secret_file(const std::string&,
                                                                       std::size_t) {
  return IoError::NotFound;
}
base::Result<base::Ok, IoError> PageIo::write_secret_file(const std::string&,
                                                          std::span<const std::byte>) {
  return IoError::PermissionDenied;
}
base::Result<base::Ok, IoError> PageIo::create_secret_file(const std::string&,
                                                           std::span<const std::byte>) {
  return IoError::PermissionDenied;
}

PageIo& page_io() {
  static PageIo io;
  return io;
}

}  // namespace jostle::web
