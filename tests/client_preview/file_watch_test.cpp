#include "client/preview/file_watch.h"

#include "tests/client_preview/scratch_folder.h"

namespace jostle::preview {
namespace {

class FileWatchTest : public ScratchFolder {
 protected:
  /// Returns the number of changes that five calls report.
  static int changes(FileWatch& watch) {
    int count = 0;
    for (int i = 0; i < 5; ++i)
      count += watch.take_change() ? 1 : 0;
    return count;
  }
};

TEST_F(FileWatchTest, ReportsNothingWhileTheFileStaysTheSame) {
  save_in_place("a", "one");
  FileWatch watch(path("a"));
  EXPECT_EQ(changes(watch), 0);
}

TEST_F(FileWatchTest, ReportsAFileSavedInPlaceOnce) {
  save_in_place("a", "one");
  FileWatch watch(path("a"));
  save_in_place("a", "three");
  EXPECT_EQ(changes(watch), 1);
}

TEST_F(FileWatchTest, ReportsAFileReplacedByARenameOnce) {
  save_in_place("a", "one");
  FileWatch watch(path("a"));
  save_by_rename("a", "three");
  EXPECT_EQ(changes(watch), 1);
  save_by_rename("a", "three and more");
  EXPECT_EQ(changes(watch), 1);
}

TEST_F(FileWatchTest, ReportsAFileOfTheSameSizeWithAnotherTime) {
  save_in_place("a", "one");
  FileWatch watch(path("a"));
  save_in_place("a", "two");
  std::filesystem::last_write_time(
      path("a"), std::filesystem::last_write_time(path("a")) + std::chrono::seconds(1));
  EXPECT_EQ(changes(watch), 1);
}

TEST_F(FileWatchTest, ReportsAFileThatAppearsAndOneThatDisappears) {
  FileWatch watch(path("a"));
  EXPECT_EQ(changes(watch), 0);
  save_in_place("a", "one");
  EXPECT_EQ(changes(watch), 1);
  std::filesystem::remove(path("a"));
  EXPECT_EQ(changes(watch), 1);
}

TEST_F(FileWatchTest, WaitsUntilAFileIsNoLongerWritten) {
  save_in_place("a", "");
  FileWatch watch(path("a"));
  std::string text;
  for (int i = 0; i < 5; ++i) {
    text += "more";
    save_in_place("a", text);
    EXPECT_FALSE(watch.take_change()) << "its size differs from that at the last call";
  }
  EXPECT_TRUE(watch.take_change());
}

}  // namespace
}  // namespace jostle::preview
