#include "shared/net/system_io.h"

#include "shared/net/io.h"
#include "tests/net/net_fixture.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jostle::net {
namespace {

/// A temporary folder that is deleted at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "jostle_io_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  const std::string& root() const { return path_; }

 private:
  std::string path_;
};

TEST(IoText, DescribesEveryErrorDifferently) {
  std::set<std::string_view> texts;
  for (int i = 0; i <= static_cast<int>(IoError::Unknown); ++i) {
    texts.insert(describe(static_cast<IoError>(i)));
  }
  EXPECT_EQ(texts.size(), static_cast<std::size_t>(IoError::Unknown) + 1);
}

TEST(SystemIo, ReadsTheMonotonicClock) {
  const auto monotonic_us = [] {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
  };
  SystemIo io;
  const std::int64_t before = monotonic_us();
  const std::int64_t read = io.now_us();
  EXPECT_LE(before, read);
  EXPECT_LE(read, monotonic_us());
}

TEST(SystemIo, RandomBytesDiffer) {
  SystemIo io;
  std::set<std::vector<std::byte>> seen;
  for (int i = 0; i < 100; ++i) {
    std::vector<std::byte> bytes(16);
    io.fill_random(bytes);
    EXPECT_TRUE(seen.insert(bytes).second);
  }
  io.fill_random({});
}

TEST(SystemIo, WritesFilesAtomicallyAndLimitsReads) {
  const TemporaryFolder folder;
  SystemIo io;
  const std::string path = folder.path("state");
  EXPECT_EQ(io.read_file(path, 10).error(), IoError::NotFound);
  ASSERT_TRUE(io.write_file(path, bytes_of("first")));
  ASSERT_TRUE(io.write_file(path, bytes_of("second")));
  EXPECT_EQ(io.read_file(path, 6).value(), bytes_of("second"));
  EXPECT_EQ(io.read_file(path, 5).error(), IoError::TooLarge);
  ASSERT_TRUE(io.write_file(path, {}));
  EXPECT_TRUE(io.read_file(path, 0).value().empty());
  // No temporary file may be left.
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.root())) {
    EXPECT_EQ(entry.path().filename(), "state");
    ++entries;
  }
  EXPECT_EQ(entries, 1U);
  std::vector<std::byte> large(3'000'000);
  for (std::size_t i = 0; i < large.size(); ++i)
    large[i] = static_cast<std::byte>(i * 7);
  ASSERT_TRUE(io.write_file(path, large));
  EXPECT_EQ(io.read_file(path, large.size()).value(), large);
}

TEST(SystemIo, AppendCreatesAMissingFileButNoFolder) {
  const TemporaryFolder folder;
  SystemIo io;
  EXPECT_TRUE(io.append_file(folder.path("log"), bytes_of("a")));
  EXPECT_TRUE(io.append_file(folder.path("log"), bytes_of("bc")));
  EXPECT_EQ(io.read_file(folder.path("log"), 3).value(), bytes_of("abc"));
  EXPECT_EQ(io.append_file(folder.path("missing/log"), bytes_of("a")).error(), IoError::NotFound);
  EXPECT_EQ(io.write_file(folder.path("missing/log"), bytes_of("a")).error(), IoError::NotFound);
}

TEST(SystemIo, CreatesAFileOnlyIfNothingHasItsName) {
  const TemporaryFolder folder;
  SystemIo io;
  ASSERT_TRUE(io.create_file(folder.path("new"), bytes_of("first")));
  EXPECT_EQ(io.create_file(folder.path("new"), bytes_of("second")).error(), IoError::AlreadyExists);
  EXPECT_EQ(io.read_file(folder.path("new"), 10).value(), bytes_of("first"));
  std::filesystem::create_symlink(folder.path("none"), folder.path("dangling"));
  EXPECT_EQ(io.create_file(folder.path("dangling"), bytes_of("a")).error(), IoError::AlreadyExists);
  EXPECT_FALSE(io.create_file(folder.path("missing/new"), bytes_of("a")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.root()), {}), 2);
}

TEST(SystemIo, ChecksThatAFileCanBeWrittenWithoutChangingAnything) {
  const TemporaryFolder folder;
  SystemIo io;
  ASSERT_TRUE(io.write_file(folder.path("old"), bytes_of("kept")));
  EXPECT_TRUE(io.check_writable(folder.path("old")));
  EXPECT_TRUE(io.check_writable(folder.path("new")));
  EXPECT_TRUE(io.check_writable("/dev/null"));
  EXPECT_EQ(io.check_writable(folder.path("missing/new")).error(), IoError::NotFound);
  EXPECT_EQ(io.check_writable(folder.root()).error(), IoError::IsDirectory);
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(io.check_writable(folder.path("pipe")).error(), IoError::PipeHasNoReader);
  // The file system /proc contains no new files, not even of the superuser.
  EXPECT_FALSE(io.check_writable("/proc/jostle"));

  EXPECT_EQ(io.read_file(folder.path("old"), 10).value(), bytes_of("kept"));
  std::filesystem::remove(folder.path("pipe"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.root()), {}), 1);
}

TEST(SystemIo, LocksAnOutputFileWhileItIsOpen) {
  const TemporaryFolder folder;
  SystemIo first, second;
  auto one = first.open_output(folder.path("log"));
  ASSERT_TRUE(one);
  EXPECT_EQ(second.open_output(folder.path("log")).error(), IoError::FileInUse);
  std::filesystem::create_symlink(folder.path("log"), folder.path("link"));
  EXPECT_EQ(second.open_output(folder.path("link")).error(), IoError::FileInUse);
  EXPECT_TRUE((*one)->write(bytes_of("a")));
  EXPECT_TRUE((*one)->write(bytes_of("bc")));
  EXPECT_EQ(first.read_file(folder.path("log"), 10).value(), bytes_of("abc"));
  one->reset();
  EXPECT_TRUE(second.open_output(folder.path("log")));
}

TEST(SystemIo, KeepsTheContentOfAnOutputFileUntilTheFirstWrite) {
  const TemporaryFolder folder;
  SystemIo io;
  ASSERT_TRUE(io.write_file(folder.path("old"), bytes_of("kept")));
  EXPECT_TRUE(io.open_output(folder.path("old")));
  EXPECT_EQ(io.read_file(folder.path("old"), 10).value(), bytes_of("kept"));
  EXPECT_TRUE(io.open_output(folder.path("new")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("new")));
  EXPECT_TRUE((*io.open_output(folder.path("old")))->write({}));
  EXPECT_EQ(std::filesystem::file_size(folder.path("old")), 0U);
  EXPECT_TRUE((*io.open_output(folder.path("new")))->write({}));
  EXPECT_TRUE(std::filesystem::exists(folder.path("new")));
}

TEST(SystemIo, SharesDevicesAsOutputFiles) {
  SystemIo io;
  auto one = io.open_output("/dev/null"), other = io.open_output("/dev/null");
  ASSERT_TRUE(one);
  ASSERT_TRUE(other);
  EXPECT_TRUE((*one)->write(bytes_of("a")));
  EXPECT_EQ((*io.open_output("/dev/full"))->write(bytes_of("a")).error(), IoError::NoSpace);
}

TEST(SystemIo, ReadsRegularFilesOnly) {
  const TemporaryFolder folder;
  SystemIo io;
  EXPECT_EQ(io.read_file("/dev/zero", 100).error(), IoError::NotAFile);
  for (const std::string& path : {folder.root(), folder.root() + "/", std::string("."),
                                  std::string(".."), std::string("/")}) {
    SCOPED_TRACE(path);
    EXPECT_EQ(io.read_file(path, 100).error(), IoError::IsDirectory);
    EXPECT_EQ(io.append_file(path, {}).error(), IoError::IsDirectory);
    EXPECT_EQ(io.write_file(path, {}).error(), IoError::IsDirectory);
  }
  EXPECT_EQ(io.read_file("", 100).error(), IoError::NotFound);
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(io.read_file(folder.path("pipe"), 100).error(), IoError::NotAFile);
  EXPECT_FALSE(io.write_file(folder.path("pipe") + "/", bytes_of("x")));
}

TEST(SystemIo, WritesToPipesAndDevicesWithoutReplacingThem) {
  const TemporaryFolder folder;
  SystemIo io;
  EXPECT_TRUE(io.write_file("/dev/null", bytes_of("x")));
  EXPECT_TRUE(io.append_file("/dev/null", bytes_of("x")));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));

  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  // Writing to a pipe without a reader must fail and must not block.
  EXPECT_FALSE(io.write_file(pipe, bytes_of("x")));
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(io.write_file(pipe, bytes_of("ab")));
  EXPECT_TRUE(io.append_file(pipe, bytes_of("c")));
  char got[8] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 3);
  EXPECT_STREQ(got, "abc");
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  // Secrets must not be written to pipes.
  EXPECT_EQ(io.write_secret_file(pipe, bytes_of("x")).error(), IoError::NotAFile);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(SystemIo, WritesThroughSymbolicLinks) {
  const TemporaryFolder folder, other;
  SystemIo io;
  ASSERT_TRUE(io.write_file(other.path("file"), bytes_of("old")));
  std::filesystem::create_symlink(other.path("file"), folder.path("link"));
  ASSERT_TRUE(io.write_file(folder.path("link"), bytes_of("new")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(io.read_file(other.path("file"), 10).value(), bytes_of("new"));
  // Writing to a link whose target is missing must also succeed.
  std::filesystem::create_symlink(other.path("missing"), folder.path("loose"));
  ASSERT_TRUE(io.write_file(folder.path("loose"), bytes_of("x")));
  EXPECT_EQ(io.read_file(folder.path("loose"), 10).value(), bytes_of("x"));
}

TEST(SystemIo, UndoesAWriteThatFailsHalfWay) {
  const TemporaryFolder folder;
  SystemIo io;
  ASSERT_TRUE(io.append_file(folder.path("log"), bytes_of("whole")));
  ASSERT_TRUE(io.write_file(folder.path("state"), bytes_of("old")));
  // A limit on the file size stands in for a full disk: the kernel writes up to it and then fails.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler_before = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 1'000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto appended = io.append_file(folder.path("log"), std::vector<std::byte>(2'000));
  const auto written = io.write_file(folder.path("state"), std::vector<std::byte>(2'000));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler_before);

  EXPECT_EQ(appended.error(), IoError::TooLarge);
  EXPECT_EQ(written.error(), IoError::TooLarge);
  EXPECT_EQ(io.read_file(folder.path("log"), 5'000).value(), bytes_of("whole"));
  EXPECT_EQ(io.read_file(folder.path("state"), 5'000).value(), bytes_of("old"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.root()), {}), 2);
}

TEST(SystemIo, StaysBelowItsConfiguredFolder) {
  const TemporaryFolder outside;
  const TemporaryFolder folder;
  SystemIo free_io;
  ASSERT_TRUE(free_io.write_file(outside.path("secret"), bytes_of("s")));
  std::filesystem::create_directory(folder.path("sub"));
  std::filesystem::create_symlink(outside.root(), folder.path("link"));
  std::filesystem::create_symlink(outside.path("secret"), folder.path("file_link"));

  SystemIo io(folder.root());
  EXPECT_TRUE(io.write_file("a", bytes_of("1")));
  EXPECT_TRUE(io.write_file("sub/b", bytes_of("2")));
  EXPECT_TRUE(io.append_file("./sub//b", bytes_of("3")));
  EXPECT_EQ(io.read_file("sub/b", 10).value(), bytes_of("23"));
  for (const std::string& path :
       {outside.path("secret"), std::string("../") + "x", std::string("sub/../a"),
        std::string("link/secret"), std::string("file_link"), std::string(".."),
        std::string("sub/..")}) {
    SCOPED_TRACE(path);
    EXPECT_EQ(io.read_file(path, 10).error(), IoError::PermissionDenied);
    EXPECT_FALSE(io.append_file(path, bytes_of("x")));
  }
  EXPECT_FALSE(io.write_file("link/secret", bytes_of("x")));
  EXPECT_FALSE(io.write_file("../x", bytes_of("x")));
  // If file access is confined to a folder, write_file() replaces a link and leaves the link's
  // target unchanged.
  EXPECT_TRUE(io.write_file("file_link", bytes_of("x")));
  EXPECT_EQ(free_io.read_file(outside.path("secret"), 10).value(), bytes_of("s"));
}

}  // namespace
}  // namespace jostle::net
