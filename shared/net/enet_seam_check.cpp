#include "shared/net/enet_platform.h"

#include <enet/enet.h>

#include <utility>

namespace jostle::net {
namespace {

/// An Io whose clock never advances and whose sockets neither send nor receive.
class SilentIo final : public Io {
 public:
  std::int64_t now_us() override { return 1'000'000; }
  std::int64_t unix_time_s() override { return 0; }
  void fill_random(std::span<std::byte> bytes) override {
    for (std::byte& byte : bytes) {
      byte = std::byte{0x5A};
    }
  }
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override {
    return std::unique_ptr<DatagramSocket>(std::make_unique<SilentSocket>(local));
  }
  base::Result<std::vector<std::byte>, IoError> read_file(const std::string&,
                                                          std::size_t) override {
    return IoError::NotFound;
  }
  base::Result<base::Ok, IoError> write_file(const std::string&,
                                             std::span<const std::byte>) override {
    return IoError::NoSpace;
  }
  base::Result<base::Ok, IoError> create_file(const std::string&,
                                              std::span<const std::byte>) override {
    return IoError::NoSpace;
  }
  base::Result<base::Ok, IoError> append_file(const std::string&,
                                              std::span<const std::byte>) override {
    return IoError::NoSpace;
  }
  base::Result<std::vector<std::byte>, IoError> read_secret_file(const std::string&,
                                                                 std::size_t) override {
    return IoError::NotFound;
  }
  base::Result<base::Ok, IoError> write_secret_file(const std::string&,
                                                    std::span<const std::byte>) override {
    return IoError::NoSpace;
  }
  base::Result<base::Ok, IoError> create_secret_file(const std::string&,
                                                     std::span<const std::byte>) override {
    return IoError::NoSpace;
  }

 private:
  class SilentSocket final : public DatagramSocket {
   public:
    explicit SilentSocket(Address local) : local_(local) {}
    Address local_address() const override { return local_; }
    bool send(Address, std::span<const std::byte>) override { return true; }
    std::optional<Received> receive(std::span<std::byte>) override { return std::nullopt; }
    int native_handle() const override { return -1; }

   private:
    Address local_;
  };
};

constexpr std::uint16_t discard_port = 9;

/// Creates, services and destroys a host, so that ENet calls every function that a session needs.
void exercise(EnetContext& context) {
  const EnetContext::Scope scope(context);
  const ENetAddress here{.host = ENET_HOST_TO_NET_32(loopback_ip.v4()), .port = 0};
  ENetHost* const host = enet_host_create(&here, 1, 1, 0, 0);
  if (host == nullptr) return;
  const ENetAddress there{.host = ENET_HOST_TO_NET_32(loopback_ip.v4()), .port = discard_port};
  if (enet_host_connect(host, &there, 1, 0) != nullptr) {
    ENetEvent event{};
    (void)enet_host_service(host, &event, 0);
  }
  enet_host_destroy(host);
}

}  // namespace

std::optional<std::string> enet_seam_check() {
  if (!install_enet_memory()) return "ENet rejects the accounting allocator";
  // This project accesses fields of ENet's structures, so the header must match the library.
  if (enet_linked_version() != ENET_VERSION) {
    return "the ENet library has another version than the headers that jostle was built with";
  }
  SilentIo io;
  EnetContext context(io);
  exercise(context);

  const EnetCalls& calls = context.calls;
  const std::pair<const char*, std::uint64_t> needed[] = {
      {"enet_host_random_seed", calls.random_seed},
      {"enet_time_get", calls.time_get},
      {"enet_socket_create", calls.socket_create},
      {"enet_socket_bind", calls.socket_bind},
      {"enet_socket_get_address", calls.socket_get_address},
      {"enet_socket_set_option", calls.socket_set_option},
      {"enet_socket_send", calls.socket_send},
      {"enet_socket_receive", calls.socket_receive},
      {"enet_socket_destroy", calls.socket_destroy},
      {"malloc", context.memory.allocations},
  };
  std::string missing;
  for (const auto& [name, count] : needed) {
    if (count == 0) missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  if (missing.empty()) return std::nullopt;
  return "the replacement of ENet's platform functions is not in effect: ENet did not call " +
         missing + "; link jostle before ENet";
}

}  // namespace jostle::net
