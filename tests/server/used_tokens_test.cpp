// The list of used tokens grows with every token. No tick may pay for its length.
#include "server/access.h"
#include "shared/keyring/server_keys.h"
#include "shared/keyring/token_files.h"
#include "shared/net/forwarding_io.h"
#include "shared/net/virtual_network.h"
#include "tests/journal/late_executor.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace jostle::server {
namespace {

/// Forwards all calls to a machine and counts those for files.
class CountingIo final : public net::ForwardingIo {
 public:
  using ForwardingIo::ForwardingIo;
  base::Result<std::vector<std::byte>, net::IoError> read_file(const std::string& path,
                                                               std::size_t max_bytes) override {
    ++calls;
    return ForwardingIo::read_file(path, max_bytes);
  }
  base::Result<base::Ok, net::IoError> write_file(const std::string& path,
                                                  std::span<const std::byte> bytes) override {
    ++calls;
    if (fails_to_write) return net::IoError::NoSpace;
    return ForwardingIo::write_file(path, bytes);
  }
  base::Result<base::Ok, net::IoError> create_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override {
    ++calls;
    return ForwardingIo::create_file(path, bytes);
  }
  base::Result<base::Ok, net::IoError> append_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override {
    ++calls;
    const auto appended = ForwardingIo::append_file(path, bytes);
    return fails_to_sync ? net::IoError::Unknown : appended;
  }
  base::Result<std::vector<std::byte>, net::IoError> read_secret_file(
      const std::string& path, std::size_t max_bytes) override {
    ++calls;
    return ForwardingIo::read_secret_file(path, max_bytes);
  }
  base::Result<base::Ok, net::IoError> write_secret_file(
      const std::string& path, std::span<const std::byte> bytes) override {
    ++calls;
    if (fails_to_write) return net::IoError::NoSpace;
    return ForwardingIo::write_secret_file(path, bytes);
  }
  base::Result<base::Ok, net::IoError> create_secret_file(
      const std::string& path, std::span<const std::byte> bytes) override {
    ++calls;
    return ForwardingIo::create_secret_file(path, bytes);
  }

  std::size_t calls = 0;
  bool fails_to_sync = false;   // append_file() appends, but reports an error
  bool fails_to_write = false;  // write_file() and write_secret_file() do nothing
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

  journal::LateExecutor executor;
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

/// A machine with keys, of which servers are started.
struct KeyFolder {
  KeyFolder() { EXPECT_TRUE(keyring::server_keys(io, "k")); }
  std::unique_ptr<AccessControl> start() {
    return *AccessControl::create(
        io, {.mode = secure::AccessMode::Token, .psk_path = {}, .keys_folder = "k"});
  }
  /// Asks for a use in a new session of the client.
  TokenGate::Answer use(AccessControl& access, const crypto::PublicKey& client) {
    EXPECT_TRUE(access.security().tokens->use(token, client, io.unix_time_s()));
    return access.ask(token.id, client);
  }

  net::VirtualNetwork network{1};
  CountingIo io{network.node(0x0A000001)};
  secure::Token token{.id = id_of(1), .not_after_s = io.unix_time_s() + 86'400};
  crypto::PublicKey ann{std::byte{1}};
};

// A sync that has failed leaves the line in the file until the power is lost.
TEST(UsedTokens, AUseThatCouldNotBeSyncedIsWrittenAgainByTheNextServer) {
  KeyFolder folder;
  folder.io.fails_to_sync = true;
  EXPECT_EQ(folder.use(*folder.start(), folder.ann), TokenGate::Answer::Refused);
  ASSERT_EQ(keyring::read_used_tokens(folder.io, "k").value().tokens.size(), 1U);

  // The next server cannot write the list again, so it cannot trust the line either.
  folder.io.fails_to_write = true;
  const auto second = folder.start();
  EXPECT_EQ(folder.use(*second, folder.ann), TokenGate::Answer::Refused);
  folder.io.fails_to_write = false;
  EXPECT_EQ(folder.use(*second, folder.ann), TokenGate::Answer::Stored);
  // From now on the use is known to be stored.
  folder.io.calls = 0;
  EXPECT_EQ(folder.use(*second, folder.ann), TokenGate::Answer::Stored);
  EXPECT_EQ(folder.io.calls, 0U);
  // A server that can write the list does so at its start.
  const auto third = folder.start();
  folder.io.calls = 0;
  EXPECT_EQ(folder.use(*third, folder.ann), TokenGate::Answer::Stored);
  EXPECT_EQ(folder.io.calls, 0U);
}

TEST(UsedTokens, AUseThatAnotherServerCouldNotSyncIsWrittenAgain) {
  KeyFolder folder;
  const auto first = folder.start(), second = folder.start();
  folder.io.fails_to_sync = true;
  EXPECT_EQ(folder.use(*first, folder.ann), TokenGate::Answer::Refused);
  folder.io.fails_to_write = true;
  EXPECT_EQ(folder.use(*second, folder.ann), TokenGate::Answer::Refused);
  folder.io.fails_to_write = false;
  EXPECT_EQ(folder.use(*second, folder.ann), TokenGate::Answer::Stored);
}

}  // namespace
}  // namespace jostle::server
