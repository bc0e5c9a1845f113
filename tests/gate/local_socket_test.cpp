#include "shared/gate_link/local_socket.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace jostle::gate_link {
namespace {

class LocalSocket : public testing::Test {
 protected:
  LocalSocket() {
    std::filesystem::create_directories(folder_);
    std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  }
  ~LocalSocket() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "a.sock").string(); }

  /// Connects in a child process with these ids. Returns "connected" if the listener accepted the
  /// connection, "refused" if it closed it, and "no" if the file is not accessible.
  std::string connect_as(LocalListener& listener, uid_t user, gid_t group) const {
    const pid_t child = ::fork();
    if (child == 0) {
      const int handle = ::socket(AF_UNIX, SOCK_STREAM, 0);
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
      if (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(user) != 0) ::_exit(9);
      if (::connect(handle, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) ::_exit(2);
      char byte = 0;
      ::_exit(::read(handle, &byte, 1) == 1 ? 0 : 1);
    }
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
      if (const auto connection = listener.accept()) {
        const std::array<std::byte, 1> byte{};
        (void)connection->write(byte);
        ::waitpid(child, &status, 0);
        break;
      }
      ::usleep(1'000);
    }
    const std::array<const char*, 3> words{"connected", "refused", "no"};
    const int code = WEXITSTATUS(status);
    return code < 3 ? words[static_cast<std::size_t>(code)] : "failed";
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("jostle_socket_" + std::to_string(::getpid()));
};

TEST_F(LocalSocket, IsOpenToItsOwnUserOnly) {
  auto listener = LocalListener::create({.path = path()});
  ASSERT_TRUE(listener);
  struct stat found {};
  ASSERT_EQ(::stat(path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  EXPECT_EQ(connect_as(**listener, ::getuid(), ::getgid()),
            ::getuid() == 0 ? "connected" : "failed");
  if (::getuid() != 0) return;  // only root can become another user
  EXPECT_EQ(connect_as(**listener, 54'321, 54'321), "no");
  // Even a file that is opened by mistake admits no other user.
  ASSERT_EQ(::chmod(path().c_str(), 0666), 0);
  EXPECT_EQ(connect_as(**listener, 54'321, 54'321), "refused");
  EXPECT_EQ((*listener)->refused(), 1U);
}

TEST_F(LocalSocket, AdmitsTheNamedUserAndNotTheRestOfItsGroup) {
  const passwd* const nobody = ::getpwnam("nobody");
  if (::getuid() != 0 || nobody == nullptr) GTEST_SKIP() << "needs root and the user `nobody`";
  const uid_t user = nobody->pw_uid;
  const gid_t group = nobody->pw_gid;
  auto listener = LocalListener::create({.path = path(), .user = "nobody"});
  ASSERT_TRUE(listener) << listener.error();
  struct stat found {};
  ASSERT_EQ(::stat(path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0660U);
  EXPECT_EQ(connect_as(**listener, user, group), "connected");
  EXPECT_EQ(connect_as(**listener, 54'321, group), "refused");
  EXPECT_EQ(connect_as(**listener, 54'321, 54'321), "no");
}

TEST_F(LocalSocket, ExplainsPathsThatCannotBeUsed) {
  std::ofstream(path()) << "a file";
  const auto file = LocalListener::create({.path = path()});
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().find("is not a socket"), std::string::npos);
  EXPECT_FALSE(LocalListener::create({.path = std::string(200, 'a')}));
  EXPECT_FALSE(LocalListener::create({.path = ""}));
  EXPECT_FALSE(LocalListener::create({.path = (folder_ / "none/a.sock").string()}));
  const auto user =
      LocalListener::create({.path = (folder_ / "b").string(), .user = "no-such-user"});
  ASSERT_FALSE(user);
  EXPECT_NE(user.error().find("no-such-user"), std::string::npos);
}

TEST_F(LocalSocket, ReplacesOnlyAFileWithoutAListener) {
  {
    auto first = LocalListener::create({.path = path()});
    ASSERT_TRUE(first);
    EXPECT_FALSE(LocalListener::create({.path = path()}));
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
  EXPECT_TRUE(LocalListener::create({.path = path()}));
}

}  // namespace
}  // namespace jostle::gate_link
