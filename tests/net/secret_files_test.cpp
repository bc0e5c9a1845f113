// Tests of files that only their owner may read, on the real and the simulated machine.
#include "shared/net/system_io.h"
#include "tests/net/net_fixture.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

namespace jostle::net {
namespace {

class SecretFiles : public testing::Test {
 protected:
  SecretFiles() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "jostle_secret_XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  ~SecretFiles() override { std::filesystem::remove_all(root_); }

  std::string path(const std::string& name) const { return root_ + "/" + name; }
  static unsigned mode_of(const std::string& at) {
    struct stat status {};
    EXPECT_EQ(::stat(at.c_str(), &status), 0) << at;
    return status.st_mode & 07777U;
  }
  std::string root_;
  SystemIo io_;
};

TEST_F(SecretFiles, AndTheirNewFoldersAreReadableByTheOwnerOnly) {
  const std::string at = path("config/server/key");
  ASSERT_TRUE(io_.write_secret_file(at, bytes_of("secret")));
  EXPECT_EQ(mode_of(at), 0600U);
  EXPECT_EQ(mode_of(path("config/server")), 0700U);
  EXPECT_EQ(mode_of(path("config")), 0700U);
  EXPECT_EQ(io_.read_secret_file(at, 6).value(), bytes_of("secret"));
  EXPECT_EQ(io_.read_secret_file(at, 5).error(), IoError::TooLarge);
  EXPECT_EQ(io_.read_secret_file(path("none"), 5).error(), IoError::NotFound);
  ASSERT_TRUE(io_.append_file(at, bytes_of("s")));
  EXPECT_EQ(mode_of(at), 0600U);
}

TEST_F(SecretFiles, WithPermissionsForOthersAreRejected) {
  const std::string at = path("key");
  for (const mode_t right : {0040U, 0020U, 0010U, 0004U, 0002U, 0001U}) {
    SCOPED_TRACE(right);
    ASSERT_TRUE(io_.write_secret_file(at, bytes_of("secret")));
    ASSERT_EQ(::chmod(at.c_str(), 0600U | right), 0);
    EXPECT_EQ(io_.read_secret_file(at, 10).error(), IoError::InsecurePermissions);
    EXPECT_TRUE(io_.read_file(at, 10));
  }
  EXPECT_NE(describe(IoError::InsecurePermissions).find("chmod 600"), std::string_view::npos);
  ASSERT_TRUE(io_.write_secret_file(at, bytes_of("new")))
      << "replaces the file that others could read";
  EXPECT_EQ(mode_of(at), 0600U);
  ASSERT_EQ(::chmod(at.c_str(), 0400), 0);
  EXPECT_TRUE(io_.read_secret_file(at, 10));
}

TEST_F(SecretFiles, DoNotChangeExistingFolders) {
  std::filesystem::create_directory(path("shared"));
  ASSERT_EQ(::chmod(path("shared").c_str(), 0755), 0);
  ASSERT_TRUE(io_.write_secret_file(path("shared/key"), bytes_of("x")));
  EXPECT_EQ(mode_of(path("shared")), 0755U);
  EXPECT_EQ(mode_of(path("shared/key")), 0600U);
  ASSERT_TRUE(io_.write_file(path("file"), bytes_of("x")));
  EXPECT_EQ(io_.write_secret_file(path("file/key"), bytes_of("x")).error(), IoError::NotFound);
}

TEST_F(SecretFiles, StayBelowTheConfiguredFolder) {
  SystemIo io(root_);
  ASSERT_TRUE(io.write_secret_file("a/b/key", bytes_of("secret")));
  EXPECT_EQ(mode_of(path("a/b/key")), 0600U);
  EXPECT_EQ(mode_of(path("a")), 0700U);
  EXPECT_TRUE(io.read_secret_file("a/b/key", 10));
  std::filesystem::create_symlink("/tmp", path("link"));
  for (const std::string& wrong : {path("key"), std::string("../key"), std::string("a/../key"),
                                   std::string("link/key"), std::string("link/folder/key")}) {
    SCOPED_TRACE(wrong);
    EXPECT_EQ(io.write_secret_file(wrong, bytes_of("x")).error(), IoError::PermissionDenied);
    EXPECT_EQ(io.read_secret_file(wrong, 10).error(), IoError::PermissionDenied);
  }
}

TEST(VirtualSecretFiles, AreDistinguishedFromPlainFiles) {
  VirtualNetwork network(1);
  VirtualNode& node = network.node(server_ip);
  EXPECT_EQ(node.read_secret_file("f", 10).error(), IoError::NotFound);
  ASSERT_TRUE(node.write_secret_file("f", bytes_of("abc")));
  EXPECT_EQ(node.read_secret_file("f", 10).value(), bytes_of("abc"));
  EXPECT_EQ(node.read_secret_file("f", 2).error(), IoError::TooLarge);
  ASSERT_TRUE(node.append_file("f", bytes_of("d")));
  EXPECT_EQ(node.read_secret_file("f", 10).value(), bytes_of("abcd"));
  ASSERT_TRUE(node.write_file("f", bytes_of("abc")));
  EXPECT_EQ(node.read_secret_file("f", 10).error(), IoError::InsecurePermissions);
  node.set_disk_capacity_bytes(4);
  EXPECT_EQ(node.write_secret_file("g", bytes_of("xy")).error(), IoError::NoSpace);
}

}  // namespace
}  // namespace jostle::net
