// The list of used tokens grows with every token. No tick may pay for its length.
#include "server/access.h"
#include "shared/keyring/server_keys.h"
#include "shared/keyring/token_files.h"
#include "shared/net/virtual_network.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace jostle::server {
namespace {

/// Forwards all calls to a machine and counts those for files.
class CountingIo final : public net::Io {
 public:
  explicit CountingIo(net::Io& machine) : machine_(machine) {}
  std::int64_t now_us() override { return machine_.now_us(); }
  std::int64_t unix_time_s() override { return machine_.unix_time_s(); }
  void fill_random(std::span<std::byte> bytes) override { machine_.fill_random(bytes); }
  base::Result<std::unique_ptr<net::DatagramSocket>, net::IoError> open_datagram_socket(
      net::Address local) override {
    return machine_.open_datagram_socket(local);
  }
  base::Result<std::vector<std::byte>, net::IoError> read_file(const std::string& path,
                                                               std::size_t max_bytes) override {
    ++calls;
    return machine_.read_file(path, max_bytes);
  }
  base::Result<base::Ok, net::IoError> write_file(const std::string& path,
                                                  std::span<const std::byte> bytes) override {
    ++calls;
    return machine_.write_file(path, bytes);
  }
  base::Result<base::Ok, net::IoError> create_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override {
    ++calls;
    return machine_.create_file(path, bytes);
  }
  base::Result<base::Ok, net::IoError> append_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override {
    ++calls;
    return machine_.append_file(path, bytes);
  }
  base::Result<std::vector<std::byte>, net::IoError> read_secret_file(
      const std::string& path, std::size_t max_bytes) override {
    ++calls;
    return machine_.read_secret_file(path, max_bytes);
  }
  base::Result<base::Ok, net::IoError> write_secret_file(
      const std::string& path, std::span<const std::byte> bytes) override {
    ++calls;
    return machine_.write_secret_file(path, bytes);
  }
  base::Result<base::Ok, net::IoError> create_secret_file(
      const std::string& path, std::span<const std::byte> bytes) override {
    ++calls;
    return machine_.create_secret_file(path, bytes);
  }

  std::size_t calls = 0;

 private:
  net::Io& machine_;
};

/// Keeps its jobs until run(), as the thread for tokens does between two of its turns.
class LaterExecutor final : public journal::Executor {
 public:
  bool post(std::size_t, std::function<void()> job) override {
    jobs_.push_back(std::move(job));
    return true;
  }
  void at_end_of_batch(const void*, std::function<void()>) override {}
  void forget(const void*) override {}
  bool drain(double) override { return false; }
  void run() {
    for (const auto& job : std::exchange(jobs_, {}))
      job();
  }

 private:
  std::vector<std::function<void()>> jobs_;
};

secure::TokenId id_of(std::uint32_t number) {
  secure::TokenId id{std::byte{0xee}};
  for (std::size_t i = 0; i < 4; ++i)
    id[i + 1] = static_cast<std::byte>(number >> (8 * i));
  return id;
}

// Before, a tick read the whole list for each client with a new token.
TEST(UsedTokens, AHundredThousandCostNoTickAFileCall) {
  net::VirtualNetwork network{1};
  CountingIo io(network.node(0x0A000001));
  ASSERT_TRUE(keyring::server_keys(io, "k"));
  std::vector<keyring::UsedToken> used;
  constexpr std::uint32_t count = 100'000;
  const std::int64_t not_after_s = io.unix_time_s() + 86'400;
  for (std::uint32_t i = 0; i < count; ++i)
    used.push_back({.id = id_of(i), .not_after_s = not_after_s, .client = {std::byte{1}}});
  ASSERT_TRUE(keyring::write_used_tokens(io, "k", used));

  LaterExecutor executor;
  auto access = AccessControl::create(
      io, {.mode = secure::AccessMode::Token, .psk_path = {}, .keys_folder = "k"}, &executor);
  ASSERT_TRUE(access) << access.error();
  secure::TokenRegistry& tokens = *(*access)->security().tokens;
  ASSERT_EQ(tokens.uses().size(), count);
  const crypto::PublicKey ann{std::byte{1}}, bob{std::byte{2}};
  io.calls = 0;
  for (std::uint32_t i = 0; i < 100; ++i) {
    // A client with a new token, one that returns with its own, and one with a used token.
    const secure::Token fresh{.id = id_of(count + i), .not_after_s = not_after_s};
    const secure::Token spent{.id = id_of(i * 997), .not_after_s = not_after_s};
    ASSERT_TRUE(tokens.use(fresh, bob, io.unix_time_s()));
    EXPECT_EQ((*access)->ask(fresh.id, bob), TokenGate::Answer::Waiting);
    ASSERT_TRUE(tokens.use(spent, ann, io.unix_time_s()));
    EXPECT_EQ((*access)->ask(spent.id, ann), TokenGate::Answer::Stored);
    EXPECT_FALSE(tokens.use(spent, bob, io.unix_time_s()));
    tokens.forget_expired(io.unix_time_s());
    network.advance(1'000'000 / 60);
    (*access)->advance();
    EXPECT_EQ(io.calls, 0U) << "tick " << i;
  }
  // The thread for tokens does the work. It stores all uses, and reads the list of revoked tokens.
  executor.run();
  EXPECT_GE(io.calls, 100U);
  io.calls = 0;
  for (std::uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ((*access)->ask(id_of(count + i), bob), TokenGate::Answer::Stored);
  EXPECT_EQ(io.calls, 0U);
  EXPECT_EQ(keyring::read_used_tokens(io, "k").value().tokens.size(), count + 100);
}

}  // namespace
}  // namespace jostle::server
