#include "server/access.h"
#include "shared/keyring/key_files.h"
#include "shared/keyring/server_keys.h"
#include "shared/keyring/token_files.h"
#include "shared/net/virtual_network.h"

#include <gmock/gmock.h>

#include <functional>
#include <utility>
#include <vector>

namespace jostle::server {
namespace {

using secure::Admission;
using testing::HasSubstr;

struct AccessTest : testing::Test {
  net::VirtualNetwork network{1};
  net::VirtualNode& io = network.node(0x0A000001);
  const AccessOptions with_tokens{
      .mode = secure::AccessMode::Token, .psk_path = {}, .keys_folder = "k"};
  const crypto::PublicKey ann{std::byte{1}}, bob{std::byte{2}};

  std::unique_ptr<AccessControl> create(const AccessOptions& options) {
    auto access = AccessControl::create(io, options);
    EXPECT_TRUE(access) << access.error();
    return *std::move(access);
  }
  secure::Token token(std::uint8_t id) {
    const auto keys = keyring::issuer_keys(io, "k");
    return {.id = {std::byte{id}},
            .server = keys.value().server,
            .not_after_s = io.unix_time_s() + 600};
  }
  /// A client joins with the token and is welcomed.
  bool join(AccessControl& access, const secure::Token& token, const crypto::PublicKey& by) {
    return access.security().tokens->use(token, by, io.unix_time_s()) &&
           access.ask(token.id, by) == TokenGate::Answer::Stored;
  }
  Admission shown(AccessControl& access, const secure::Token& token, const crypto::PublicKey& by) {
    const auto bytes = encode_token(token, keyring::issuer_keys(io, "k").value().issuer);
    return access.security().tokens->check(bytes, by, io.unix_time_s());
  }
};

TEST_F(AccessTest, HasNoKeyAndNothingToPrintWithoutAKeyFolder) {
  const auto access = create({});
  EXPECT_FALSE(access->security().key);
  EXPECT_TRUE(access->startup_messages().empty());
}

TEST_F(AccessTest, PrintsTheFingerprintAndHowToIssueTokens) {
  auto words = create(with_tokens)->startup_messages();
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[0], "created new keys in k");
  EXPECT_THAT(words[1], HasSubstr("fingerprint is "));
  EXPECT_THAT(words[2], HasSubstr("jostle token issue --keys k"));
  EXPECT_EQ(create(with_tokens)->startup_messages().size(), 2U) << "the keys exist now";
}

TEST_F(AccessTest, RemembersUsedTokensAfterARestart) {
  auto access = create(with_tokens);
  const secure::Token once = token(1);
  EXPECT_EQ(shown(*access, once, ann), Admission::Accepted);
  ASSERT_TRUE(join(*access, once, ann));
  access = create(with_tokens);
  EXPECT_EQ(shown(*access, once, bob), Admission::TokenUsed);
  EXPECT_EQ(shown(*access, once, ann), Admission::Accepted) << "the same client may reconnect";
}

TEST_F(AccessTest, TwoServersWithTheSameFolderAcceptATokenOnlyOnce) {
  const auto one = create(with_tokens), two = create(with_tokens);
  const secure::Token once = token(1);
  ASSERT_TRUE(join(*one, once, ann));
  EXPECT_FALSE(join(*two, once, bob));
  two->security().tokens->leave(once.id, io.unix_time_s());
  EXPECT_TRUE(join(*two, once, ann));
}

TEST_F(AccessTest, RejectsATokenWhoseUseCannotBeSaved) {
  const auto access = create(with_tokens);
  io.set_disk_capacity_bytes(0);
  EXPECT_FALSE(join(*access, token(1), ann));
  EXPECT_FALSE(access->security().tokens->is_spent(token(1).id));
  io.set_disk_capacity_bytes(1U << 20);
  EXPECT_EQ(access->ask(token(1).id, ann), TokenGate::Answer::Stored);
}

/// An executor that runs its jobs when a test says so, like a disk that stalls.
class StalledExecutor final : public journal::Executor {
 public:
  bool post(std::size_t, std::function<void()> job) override {
    jobs.push_back(std::move(job));
    return true;
  }
  void at_end_of_batch(const void*, std::function<void()>) override {}
  void forget(const void*) override {}
  bool drain(double) override { return false; }
  void run() {
    for (const auto& job : std::exchange(jobs, {}))
      job();
  }
  std::vector<std::function<void()>> jobs;
};

// Before, a tick read the whole list for each new token, and waited for the disk.
TEST_F(AccessTest, ATokenWaitsForTheDiskWithoutBlockingTicks) {
  StalledExecutor executor;
  auto created = AccessControl::create(io, with_tokens, &executor);
  ASSERT_TRUE(created);
  AccessControl& access = **created;
  ASSERT_TRUE(access.security().tokens->use(token(1), ann, io.unix_time_s()));
  EXPECT_EQ(access.ask(token(1).id, ann), TokenGate::Answer::Waiting);
  EXPECT_EQ(access.ask(token(1).id, ann), TokenGate::Answer::Waiting);
  EXPECT_EQ(executor.jobs.size(), 1U);
  EXPECT_TRUE(keyring::read_used_tokens(io, "k").value().tokens.empty());
  executor.run();
  EXPECT_EQ(access.ask(token(1).id, ann), TokenGate::Answer::Stored);
  EXPECT_EQ(keyring::read_used_tokens(io, "k").value().tokens.size(), 1U);
  // The list of revoked tokens is read there too.
  ASSERT_TRUE(keyring::add_revoked_token(io, "k", token(9).id));
  network.advance(2'000'000);
  access.advance();
  EXPECT_EQ(shown(access, token(9), ann), Admission::Accepted);
  executor.run();
  access.advance();
  EXPECT_EQ(shown(access, token(9), ann), Admission::TokenRevoked);
}

// Another server with the same folder removed expired tokens, so the file is shorter than before.
TEST_F(AccessTest, NoticesThatTheListOfUsedTokensWasRewritten) {
  const auto one = create(with_tokens);
  ASSERT_TRUE(join(*one, token(1), ann));
  ASSERT_TRUE(join(*one, token(2), ann));
  secure::TokenRegistry rewritten{{}, {}};
  rewritten.remember(token(3).id, bob, io.unix_time_s() + 600);
  ASSERT_TRUE(keyring::write_used_tokens(io, "k", rewritten));
  EXPECT_FALSE(join(*one, token(3), ann));
}

TEST_F(AccessTest, DropsUsesOfTokensThatExpiredLongAgo) {
  EXPECT_TRUE(join(*create(with_tokens), token(1), ann));
  io.set_unix_clock(700);
  (void)create(with_tokens);
  EXPECT_EQ(keyring::read_used_tokens(io, "k").value().tokens.size(), 1U);
  io.set_unix_clock(2 * 86'400);
  (void)create(with_tokens);
  EXPECT_TRUE(keyring::read_used_tokens(io, "k").value().tokens.empty());
}

TEST_F(AccessTest, RemovesAnIncompleteLastLineOfUsedTokens) {
  EXPECT_TRUE(join(*create(with_tokens), token(1), ann));
  const std::string torn = secure::to_string(token(2).id) + " 18";
  ASSERT_TRUE(io.append_file("k/tokens.used", std::as_bytes(std::span(torn))));
  const auto access = create(with_tokens);
  ASSERT_TRUE(join(*access, token(3), ann));
  const auto used = keyring::read_used_tokens(io, "k");
  ASSERT_TRUE(used) << used.error();
  EXPECT_EQ(used->tokens.size(), 2U);
  EXPECT_EQ(used->torn_line, 0U);
}

TEST_F(AccessTest, AppliesRevocationsWithinTwoSeconds) {
  const auto access = create(with_tokens);
  const secure::Token taken = token(1);
  const auto look = [&] {
    network.advance(2'000'000);
    access->advance();
    return shown(*access, taken, ann);
  };
  EXPECT_EQ(look(), Admission::Accepted);
  ASSERT_TRUE(keyring::add_revoked_token(io, "k", token(7).id));
  EXPECT_EQ(look(), Admission::Accepted);
  // An invalid line in the file, for example during an edit, changes nothing: known revocations
  // still apply, and the server keeps running.
  const std::string junk = "junk";
  ASSERT_TRUE(io.append_file("k/tokens.revoked", std::as_bytes(std::span(junk))));
  EXPECT_EQ(look(), Admission::Accepted);
  EXPECT_EQ(shown(*access, token(7), ann), Admission::TokenRevoked);
  ASSERT_TRUE(io.write_file("k/tokens.revoked", {}));
  ASSERT_TRUE(keyring::add_revoked_token(io, "k", taken.id));
  EXPECT_EQ(look(), Admission::TokenRevoked);
  EXPECT_EQ(shown(*access, token(7), ann), Admission::TokenRevoked);
}

TEST_F(AccessTest, FailsToStartWithInvalidFiles) {
  (void)create(with_tokens);
  const std::string junk = "jostle-tokens-used-1\njunk\n";
  ASSERT_TRUE(io.write_file("k/tokens.used", std::as_bytes(std::span(junk))));
  const auto refused = AccessControl::create(io, with_tokens);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "--keys: k/tokens.used:2: expected a line 'ID EXPIRY CLIENT'");
  const auto no_psk = AccessControl::create(
      io, {.mode = secure::AccessMode::SharedKey, .psk_path = "psk", .keys_folder = {}});
  ASSERT_FALSE(no_psk);
  EXPECT_EQ(no_psk.error(), "--psk: 'psk': no such file or directory");
}

}  // namespace
}  // namespace jostle::server
