#pragma once

#include "shared/crypto/x25519.h"
#include "shared/net/virtual_network.h"
#include "tests/secure/seeded_random.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

namespace jostle::keyring {

using secure::seeded;

/// A simulated machine, with helpers that access its files as text.
struct Machine : testing::Test {
  net::VirtualNetwork network{1};
  net::VirtualNode& io = network.node(0x0A000001);

  std::string read(const std::string& path) {
    const auto bytes = io.read_file(path, 1U << 20);
    if (!bytes) return std::string(net::describe(bytes.error()));
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  }
  void write(const std::string& path, std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    EXPECT_TRUE(io.write_file(path, bytes));
  }
  void write_secret(const std::string& path, std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    EXPECT_TRUE(io.write_secret_file(path, bytes));
  }
};

/// Returns the error of a result, or "none".
template <typename T>
std::string error_of(const base::Result<T, std::string>& result) {
  return result ? "none" : result.error();
}

}  // namespace jostle::keyring
