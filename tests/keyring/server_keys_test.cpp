#include "shared/keyring/server_keys.h"

#include "shared/keyring/key_files.h"
#include "shared/net/system_io.h"
#include "tests/keyring/keyring_fixture.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

namespace jostle::keyring {
namespace {

using testing::HasSubstr;

struct ServerKeysTest : Machine {
  void copy(const std::string& from, const std::string& to) { write_secret(to, read(from)); }
};

TEST_F(ServerKeysTest, AreGeneratedOnceAndThenReused) {
  const auto first = server_keys(io, "keys");
  ASSERT_TRUE(first) << error_of(first);
  EXPECT_TRUE(first->is_new);
  const auto second = server_keys(io, "keys");
  ASSERT_TRUE(second) << error_of(second);
  EXPECT_FALSE(second->is_new);
  EXPECT_EQ(second->server.shown, first->server.shown);
  EXPECT_EQ(second->issuer, first->issuer);
  const auto issuer = issuer_keys(io, "keys");
  ASSERT_TRUE(issuer) << error_of(issuer);
  EXPECT_FALSE(issuer->is_new);
  EXPECT_EQ(issuer->server, first->server.shown);
  EXPECT_EQ(crypto::verify_key(issuer->issuer), first->issuer);
  const auto other = server_keys(io, "others");
  ASSERT_TRUE(other);
  EXPECT_NE(other->server.shown, first->server.shown);
}

TEST_F(ServerKeysTest, AreGeneratedByTheIssuerIfItRunsFirst) {
  const auto issuer = issuer_keys(io, "keys");
  ASSERT_TRUE(issuer) << error_of(issuer);
  EXPECT_TRUE(issuer->is_new);
  const auto server = server_keys(io, "keys");
  ASSERT_TRUE(server) << error_of(server);
  EXPECT_FALSE(server->is_new);
  EXPECT_EQ(server->server.shown, issuer->server);
}

TEST_F(ServerKeysTest, ServerAndIssuerCanBeOnSeparateMachines) {
  ASSERT_TRUE(server_keys(io, "all"));
  copy("all/server.key", "server/server.key");
  copy("all/issuer.pub", "server/issuer.pub");
  copy("all/issuer.key", "issuer/issuer.key");
  copy("all/server.pub", "issuer/server.pub");
  const auto server = server_keys(io, "server");
  ASSERT_TRUE(server) << error_of(server);
  EXPECT_FALSE(server->is_new);
  EXPECT_FALSE(is_there(io, "server/issuer.key"));
  const auto issuer = issuer_keys(io, "issuer");
  ASSERT_TRUE(issuer) << error_of(issuer);
  EXPECT_FALSE(is_there(io, "issuer/server.key"));
  EXPECT_EQ(issuer->server, server->server.shown);
  EXPECT_EQ(crypto::verify_key(issuer->issuer), server->issuer);
  EXPECT_EQ(read("server/server.pub"), read("all/server.pub"))
      << "derived again from the secret key";
  EXPECT_THAT(error_of(issuer_keys(io, "server")), HasSubstr("'server/issuer.key' is missing"));
}

struct BrokenCase {
  const char* name;
  const char* file;
  // new contents of the file; null: no such file; "open": unchanged, but readable by other users;
  // "other": the file of another key folder
  const char* text;
  const char* server_says;
  const char* issuer_says;
};

class BrokenKeyFolder : public ServerKeysTest, public testing::WithParamInterface<BrokenCase> {};

TEST_P(BrokenKeyFolder, IsRejectedByTheProgramsThatNeedTheFile) {
  const BrokenCase& row = GetParam();
  ASSERT_TRUE(server_keys(io, "other"));
  ASSERT_TRUE(server_keys(io, "all"));
  const std::string path = std::string("keys/") + row.file, good = std::string("all/") + row.file;
  for (const std::string file : {"server.key", "server.pub", "issuer.key", "issuer.pub"})
    if (row.text != nullptr || file != row.file) copy("all/" + file, "keys/" + file);
  const std::string text = row.text == nullptr ? "" : row.text;
  if (text == "open")
    write(path, read(good));
  else if (text == "other")
    copy(std::string("other/") + row.file, path);
  else if (row.text != nullptr)
    write_secret(path, text);
  EXPECT_THAT(error_of(server_keys(io, "keys")), HasSubstr(row.server_says));
  EXPECT_THAT(error_of(issuer_keys(io, "keys")), HasSubstr(row.issuer_says));
}

INSTANTIATE_TEST_SUITE_P(
    ServerKeys, BrokenKeyFolder,
    testing::Values(BrokenCase{"server_key_open", "server.key", "open",
                               "'keys/server.key': other users", "'keys/server.key': other users"},
                    BrokenCase{"server_key_gone", "server.key", nullptr,
                               "'keys/server.key' is missing", "none"},
                    BrokenCase{"server_key_torn", "server.key", "jostle-x25519-1 AAAA",
                               "keys/server.key:1:", "keys/server.key:1:"},
                    BrokenCase{"server_key_other", "server.key", "other",
                               "does not belong to 'keys/server.key'", "does not belong"},
                    BrokenCase{"server_pub_junk", "server.pub", "\xff\xfe",
                               "keys/server.pub:1:", "keys/server.pub:1:"},
                    BrokenCase{"server_pub_gone", "server.pub", nullptr, "none", "none"},
                    BrokenCase{"issuer_key_open", "issuer.key", "open", "none",
                               "'keys/issuer.key': other users"},
                    BrokenCase{"issuer_key_gone", "issuer.key", nullptr, "none",
                               "'keys/issuer.key' is missing"},
                    BrokenCase{"issuer_key_other", "issuer.key", "other", "none",
                               "does not belong to 'keys/issuer.key'"},
                    BrokenCase{"issuer_pub_wrong_kind", "issuer.pub",
                               "jostle-x25519-public-1 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                               "keys/issuer.pub:1:", "keys/issuer.pub:1:"},
                    BrokenCase{"issuer_pub_gone", "issuer.pub", nullptr, "none", "none"}),
    [](const auto& one) { return one.param.name; });

TEST_F(ServerKeysTest, AnIssuerWithoutServerKeyGeneratesNone) {
  ASSERT_TRUE(server_keys(io, "all"));
  copy("all/issuer.key", "issuer/issuer.key");
  EXPECT_THAT(error_of(issuer_keys(io, "issuer")), HasSubstr("'issuer/server.pub' is missing"));
  EXPECT_FALSE(is_there(io, "issuer/server.key"));
}

TEST_F(ServerKeysTest, ReportAFullDisk) {
  io.set_disk_capacity_bytes(100);
  EXPECT_THAT(error_of(server_keys(io, "keys")), HasSubstr("no space left"));
}

TEST(ServerKeysOnDisk, AreReadableByTheOwnerOnly) {
  std::string pattern = (std::filesystem::temp_directory_path() / "jostle_keys_XXXXXX").string();
  const std::string root = ::mkdtemp(pattern.data());
  net::SystemIo io;
  const std::string folder = root + "/jostle/server";
  const auto keys = server_keys(io, folder);
  EXPECT_TRUE(keys) << error_of(keys);
  for (const std::string name : {"", "/server.key", "/issuer.key", "/server.pub", "/issuer.pub"}) {
    struct stat status {};
    EXPECT_EQ(::stat((folder + name).c_str(), &status), 0) << name;
    EXPECT_EQ(status.st_mode & 0777U, name.empty() ? 0700U : 0600U) << name;
  }
  EXPECT_EQ(::chmod((folder + "/server.key").c_str(), 0640), 0);
  EXPECT_THAT(error_of(server_keys(io, folder)), HasSubstr("chmod 600"));
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace jostle::keyring
