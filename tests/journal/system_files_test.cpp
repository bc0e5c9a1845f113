#include "shared/journal/files.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace jostle::journal {
namespace {

class SystemFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "jostle_files_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
  std::unique_ptr<Files> files_ = system_files();
};

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST_F(SystemFilesTest, AppendsToANewFileOnly) {
  auto file = files_->create(path("a"), true);
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->append(bytes_of("one")), 0);
  EXPECT_EQ((*file)->append(bytes_of("two")), 0);
  EXPECT_EQ((*file)->sync(), 0);
  EXPECT_EQ(*files_->read(path("a")), bytes_of("onetwo"));
  EXPECT_EQ(files_->create(path("a"), false).error().number, EEXIST);
  struct stat status {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(files_->create(path("none/a"), false).error().number, ENOENT);
  EXPECT_EQ(*files_->size(path("a")), 6U);
  EXPECT_EQ(files_->cut(path("a"), 3), 0);
  EXPECT_EQ(*files_->read(path("a")), bytes_of("one"));
}

TEST_F(SystemFilesTest, NoticesThatItsFileWasRenamed) {
  auto file = files_->create(path("a"), false);
  ASSERT_TRUE(file);
  EXPECT_TRUE((*file)->is_named(path("a")));
  EXPECT_EQ(files_->rename(path("a"), path("b")), 0);
  EXPECT_FALSE((*file)->is_named(path("a")));
  EXPECT_TRUE((*file)->is_named(path("b")));
  EXPECT_EQ(*files_->list(folder_), std::vector<std::string>{"b"});
}

TEST_F(SystemFilesTest, AFileCanBeReadInPartAndHaveTwoNames) {
  auto file = files_->create(path("a"), false);
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->append(bytes_of("one two")), 0);
  EXPECT_EQ(*files_->read_front(path("a"), 3), bytes_of("one"));
  EXPECT_EQ(*files_->read_front(path("a"), 30), bytes_of("one two"));
  EXPECT_EQ(files_->link(path("a"), path("b")), 0);
  EXPECT_EQ(files_->link(path("a"), path("b")), EEXIST);
  EXPECT_EQ(files_->remove(path("a")), 0);
  EXPECT_EQ(*files_->read(path("b")), bytes_of("one two"));
}

TEST_F(SystemFilesTest, AskingForALockTakesAndCreatesNothing) {
  EXPECT_FALSE(*FolderLock::is_taken(folder_));
  EXPECT_TRUE(files_->list(folder_)->empty());
  {
    const auto lock = FolderLock::take(folder_);
    ASSERT_TRUE(lock);
    EXPECT_TRUE(*FolderLock::is_taken(folder_));
  }
  EXPECT_FALSE(*FolderLock::is_taken(folder_));
  EXPECT_EQ(FolderLock::is_taken(path("none/a")).has_value(), true) << "no lock in no folder";
}

TEST_F(SystemFilesTest, AnIncompleteWriteIsTakenBack) {
  auto file = files_->create(path("a"), false);
  ASSERT_TRUE(file);
  ASSERT_EQ((*file)->append(std::vector<std::byte>(600)), 0);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 1'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const int error = (*file)->append(std::vector<std::byte>(600));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, EFBIG);
  EXPECT_EQ(*files_->size(path("a")), 600U);
}

TEST_F(SystemFilesTest, OneHolderAtATimeHasTheLock) {
  {
    auto first = FolderLock::take(folder_);
    ASSERT_TRUE(first);
    EXPECT_EQ(FolderLock::take(folder_).error().number, EWOULDBLOCK);
  }
  EXPECT_TRUE(FolderLock::take(folder_));
  EXPECT_EQ(FolderLock::take(path("none")).error().number, ENOENT);
}

}  // namespace
}  // namespace jostle::journal
