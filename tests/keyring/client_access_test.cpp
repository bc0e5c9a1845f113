#include "shared/keyring/client_access.h"

#include "shared/crypto/encode.h"
#include "shared/keyring/key_files.h"
#include "shared/keyring/known_servers.h"
#include "tests/keyring/keyring_fixture.h"

namespace jostle::keyring {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct ClientAccessTest : Machine {
  const crypto::PublicKey key = crypto::key_pair(seeded(1)).shown;
  const crypto::PublicKey other_key = crypto::key_pair(seeded(2)).shown;
  const crypto::Ed25519Seed issuer = crypto::random_secret<32>(seeded(3));
  const ServerTarget far{"192.0.2.7", {net::Ip(0xC0000207), 7777}};
  const ServerTarget here{"localhost", {net::loopback_ip, 7777}};

  std::string token(std::uint8_t id) const {
    return secure::token_text(
        secure::encode_token({.id = {std::byte{id}}, .server = key, .not_after_s = 1}, issuer));
  }
  base::Result<ClientAccess, std::string> create(const ClientAccessOptions& options,
                                                 const ServerTarget& server) {
    return ClientAccess::create(io, options, server, "config");
  }
};

TEST_F(ClientAccessTest, StoresTheKeyOfARemoteServerOnFirstUse) {
  auto first = create({}, far);
  ASSERT_TRUE(first) << error_of(first);
  EXPECT_FALSE(first->security(0).server);
  const auto words = first->meet(io, key);
  ASSERT_TRUE(words);
  EXPECT_THAT(*words, StartsWith("192.0.2.7:7777 is a new server"));
  EXPECT_THAT(*words, HasSubstr(crypto::fingerprint(key)));
  EXPECT_THAT(*words, HasSubstr("config/known_servers"));
  EXPECT_FALSE(first->meet(io, key)) << "reported only once";
  EXPECT_EQ(read("config/known_servers"),
            "jostle-known-servers-1\n192.0.2.7:7777 " + crypto::to_base64(key) + "\n");

  auto second = create({}, far);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->security(0).server, key);
  EXPECT_THAT(second->security(0).server_source, HasSubstr("config/known_servers:2"));
  EXPECT_FALSE(second->meet(io, key));
  ServerTarget other_port = far;
  other_port.address.port = 7778;
  EXPECT_FALSE(create({}, other_port)->security(0).server) << "another server";
}

TEST_F(ClientAccessTest, StoresKeysOfLocalServersOnlyInANamedFile) {
  auto unasked = create({}, here);
  ASSERT_TRUE(unasked);
  EXPECT_FALSE(unasked->meet(io, key));
  EXPECT_FALSE(is_there(io, "config/known_servers"));
  auto asked = create({.known_path = "mine"}, here);
  ASSERT_TRUE(asked);
  EXPECT_TRUE(asked->meet(io, key));
  EXPECT_EQ(create({.known_path = "mine"}, here)->security(0).server, key);
}

TEST_F(ClientAccessTest, ReportsAKeyThatCannotBeStoredAndContinues) {
  auto homeless = ClientAccess::create(io, {}, far, std::nullopt);
  ASSERT_TRUE(homeless);
  EXPECT_THAT(homeless->meet(io, key).value_or(""), HasSubstr("not stored: neither"));
  io.set_disk_capacity_bytes(5);
  auto full = create({}, far);
  ASSERT_TRUE(full);
  EXPECT_THAT(full->meet(io, key).value_or(""), HasSubstr("known_servers': no space left"));
}

TEST_F(ClientAccessTest, ATokenContainsTheExpectedServerKey) {
  auto access = create({.token = "\n" + token(1) + " \n"}, far);
  ASSERT_TRUE(access) << error_of(access);
  EXPECT_EQ(access->security(0).server, key);
  EXPECT_EQ(access->security(0).server_source, ", as named by the token (--token)");
  EXPECT_EQ(secure::token_text(access->security(0).token), token(1));
  EXPECT_FALSE(access->meet(io, key));
  EXPECT_FALSE(is_there(io, "config/known_servers"));
}

TEST_F(ClientAccessTest, ClientsUseTheTokensOfAFileInTurn) {
  write("t", token(1) + "\n\n" + token(2) + "\r\n" + token(3));
  const auto access = create({.token = "@t"}, here);
  ASSERT_TRUE(access) << error_of(access);
  EXPECT_EQ(access->token_count(), 3U);
  for (const std::size_t client : {0U, 1U, 2U, 3U, 100U})
    EXPECT_EQ(secure::token_text(access->security(client).token),
              token(static_cast<std::uint8_t>(client % 3 + 1)));
}

TEST_F(ClientAccessTest, TheEnvironmentVariableIsUsedWithoutOtherCredentials) {
  const auto there = create({.token_there = token(2)}, here);
  ASSERT_TRUE(there);
  EXPECT_EQ(secure::token_text(there->security(0).token), token(2));
  EXPECT_EQ(there->security(0).server_source, ", as named by the token (JOSTLE_TOKEN)");
  const auto both = create({.token = token(1), .token_there = "junk"}, here);
  ASSERT_TRUE(both) << error_of(both);
  EXPECT_EQ(secure::token_text(both->security(0).token), token(1));
  ASSERT_TRUE(write_psk(io, "psk", {}));
  const auto psk = create({.psk_path = "psk", .token_there = "junk"}, here);
  ASSERT_TRUE(psk) << error_of(psk);
  EXPECT_TRUE(psk->security(0).psk);
  EXPECT_TRUE(psk->security(0).token.empty());
}

TEST_F(ClientAccessTest, TheClientsOwnKeyIsUsedWithAndWithoutToken) {
  const crypto::KeyPair own = crypto::key_pair(seeded(7));
  ASSERT_TRUE(write_key_pair(io, "own", own));
  EXPECT_EQ(create({.key_path = "own"}, here)->security(0).key->shown, own.shown);
  EXPECT_EQ(create({.token = token(1), .key_path = "own"}, here)->security(0).key->shown,
            own.shown);
}

TEST_F(ClientAccessTest, ReportsWhatIsWrong) {
  ASSERT_TRUE(write_psk(io, "psk", {}));
  write("open", "jostle-psk-1 " + std::string(43, 'A') + "\n");
  write("junk", token(1) + "\nhello\n");
  write("empty", "\n\n");
  const auto error = [&](const ClientAccessOptions& options) {
    return error_of(create(options, far));
  };
  EXPECT_THAT(error({.token = token(1), .psk_path = "psk"}), HasSubstr("exclude each other"));
  EXPECT_THAT(error({.token = "hello"}), StartsWith("--token: not a token"));
  EXPECT_THAT(error({.token_there = "hello"}), StartsWith("JOSTLE_TOKEN: not a token"));
  EXPECT_THAT(error({.token = "@junk"}), StartsWith("--token: junk:2: not a token"));
  EXPECT_THAT(error({.token = "@empty"}), HasSubstr("'empty': contains no token"));
  EXPECT_THAT(error({.token = "@none"}), HasSubstr("'none': no such file"));
  EXPECT_THAT(error({.token = "@"}), StartsWith("--token: '': no such file"));
  EXPECT_THAT(error({.psk_path = "open"}), HasSubstr("--psk: 'open': other users have access"));
  EXPECT_THAT(error({.key_path = "psk"}), HasSubstr("--key: psk:1: expected the line"));
  // No truncated token may be accepted.
  const std::string whole = token(1);
  EXPECT_EQ(token_fault(whole.substr(0, whole.size() - 1)), "the token is truncated or mistyped");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(token_fault(whole.substr(0, length)), "") << length;
  EXPECT_EQ(token_fault(whole), "");
  EXPECT_EQ(token_fault("@file"), "");
  EXPECT_NE(token_fault("@"), "");
}

TEST_F(ClientAccessTest, AnInvalidKnownServersFileIsAnError) {
  const std::string good = "192.0.2.7:7777 " + crypto::to_base64(key) + "\n";
  for (const std::string line :
       {"192.0.2.7:7777\n", "192.0.2.7:7777 abc\n", "192.0.2.7:7777 a b\n", "\x01\n"}) {
    SCOPED_TRACE(line);
    write("config/known_servers", "jostle-known-servers-1\n" + good + line);
    EXPECT_THAT(error_of(create({}, far)), StartsWith("config/known_servers:3: "));
  }
  write("config/known_servers", good);
  EXPECT_THAT(error_of(create({}, far)),
              StartsWith("config/known_servers:1: expected the first line"));
  write("config/known_servers", "jostle-known-servers-1\n" + good + "192.0.2.7:7777 " +
                                    crypto::to_base64(other_key) + "\n");
  EXPECT_EQ(create({}, far)->security(0).server, key) << "the first line counts";
}

TEST_F(ClientAccessTest, AnInvalidFileThatTheUserNamedIsReportedWithItsOption) {
  write("named", "junk\n");
  ClientAccessOptions options;
  options.known_path = "named";
  EXPECT_THAT(error_of(create(options, far)),
              StartsWith("--known-servers: named:1: expected the first line"));
}

TEST(KnownServers, NamesAreNormalised) {
  EXPECT_EQ(server_name("Play.Example.ORG", 7777), "play.example.org:7777");
  EXPECT_EQ(server_name("192.0.2.7", 1), "192.0.2.7:1");
  EXPECT_EQ(server_name("2001:DB8:0::1", 7777), "[2001:db8::1]:7777");
}

}  // namespace
}  // namespace jostle::keyring
