#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace jostle::preview {

/// A temporary folder with files for one test.
class ScratchFolder : public testing::Test {
 protected:
  ScratchFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "jostle_preview_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ScratchFolder() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void save_in_place(const std::string& name, std::string_view text) const {
    std::ofstream(path(name)) << text;
  }
  /// Writes another file and renames it to `name`, as many editors do when they save.
  void save_by_rename(const std::string& name, std::string_view text) const {
    save_in_place(name + "~", text);
    std::filesystem::rename(path(name + "~"), path(name));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace jostle::preview
