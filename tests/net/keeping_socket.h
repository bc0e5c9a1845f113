#pragma once

#include "shared/net/io.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace jostle::net {

/// A socket that records what is sent, and never receives anything.
class KeepingSocket final : public DatagramSocket {
 public:
  struct Sent {
    Address to;
    std::vector<std::byte> bytes;
  };

  Address local_address() const override { return {.ip = 0x0A000001, .port = 7'777}; }
  bool send(Address to, std::span<const std::byte> bytes) override {
    sent_.push_back({to, {bytes.begin(), bytes.end()}});
    return true;
  }
  std::optional<Received> receive(std::span<std::byte>) override { return std::nullopt; }
  int native_handle() const override { return -1; }

  /// Returns and clears the recorded datagrams.
  std::vector<Sent> take() { return std::exchange(sent_, {}); }

 private:
  std::vector<Sent> sent_;
};

}  // namespace jostle::net
