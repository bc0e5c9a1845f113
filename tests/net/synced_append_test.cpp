// A use of a token is durable before its client is welcomed, so append_file() must sync.
#include "shared/net/system_io.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

namespace {

int syncs = 0, sync_error = 0;

}  // namespace

/// Takes the place of the C library's function in this program.
extern "C" int fdatasync(int descriptor) {
  ++syncs;
  if (sync_error != 0) {
    errno = sync_error;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

namespace jostle::net {
namespace {

TEST(SyncedAppend, AppendedBytesAreDurable) {
  std::string folder = (std::filesystem::temp_directory_path() / "jostle_append_XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  SystemIo io;
  const std::string text = "used\n";
  const int before = syncs;
  EXPECT_TRUE(io.append_file(folder + "/list", std::as_bytes(std::span(text))));
  EXPECT_EQ(syncs, before + 1);
  sync_error = ENOSPC;
  const auto failed = io.append_file(folder + "/list", std::as_bytes(std::span(text)));
  sync_error = 0;
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error(), IoError::NoSpace);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace jostle::net
