#pragma once

#include "shared/journal/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::journal {

/// A disk in memory, with faults. A crash() keeps of each file what was synced, and of each folder
/// the names that were synced.
class MemoryFiles final : public Files {
 public:
  struct Content {
    std::vector<std::byte> bytes;
    std::size_t synced = 0;
    std::size_t unsynced_appends = 0;
    bool is_name_synced = false;
  };

  base::Result<std::unique_ptr<AppendFile>, FileError> create(const std::string& path,
                                                              bool /*is_secret*/) override {
    if (create_error != 0) return FileError{create_error};
    if (files.contains(path)) return FileError{EEXIST};
    auto content = files[path] = std::make_shared<Content>();
    ++created;
    return std::unique_ptr<AppendFile>(std::make_unique<File>(*this, path, content));
  }
  base::Result<std::vector<std::byte>, FileError> read(const std::string& path) override {
    const auto found = files.find(path);
    if (found == files.end()) return FileError{ENOENT};
    return found->second->bytes;
  }
  base::Result<std::vector<std::string>, FileError> list(const std::string& folder) override {
    std::vector<std::string> names;
    for (const auto& [path, content] : files) {
      if (path.starts_with(folder + "/")) names.push_back(path.substr(folder.size() + 1));
    }
    return names;
  }
  base::Result<std::uint64_t, FileError> size(const std::string& path) override {
    const auto found = files.find(path);
    if (found == files.end()) return FileError{ENOENT};
    return static_cast<std::uint64_t>(found->second->bytes.size());
  }
  int remove(const std::string& path) override { return files.erase(path) == 1 ? 0 : ENOENT; }
  int rename(const std::string& from, const std::string& to) override {
    if (!files.contains(from)) return ENOENT;
    files[to] = files[from];
    files.erase(from);
    return 0;
  }
  int cut(const std::string& path, std::uint64_t bytes) override {
    if (!files.contains(path)) return ENOENT;
    files[path]->bytes.resize(bytes);
    return 0;
  }
  int make_folder(const std::string& /*path*/) override { return 0; }
  int sync_folder(const std::string& folder) override {
    for (const auto& [path, content] : files) {
      if (path.starts_with(folder + "/")) content->is_name_synced = true;
    }
    return 0;
  }

  std::uint64_t used() const {
    std::uint64_t total = 0;
    for (const auto& [path, content] : files)
      total += content->bytes.size();
    return total;
  }
  void crash() {
    std::erase_if(files, [](const auto& entry) { return !entry.second->is_name_synced; });
    for (const auto& [path, content] : files)
      content->bytes.resize(content->synced);
  }

  std::map<std::string, std::shared_ptr<Content>> files;
  std::uint64_t capacity = 1ULL << 40;
  int create_error = 0, write_error = 0, sync_error = 0;
  std::size_t created = 0, failed_syncs = 0, syncs_after_failure = 0, most_unsynced_appends = 0;

 private:
  class File final : public AppendFile {
   public:
    File(MemoryFiles& disk, std::string path, std::shared_ptr<Content> content)
        : disk_(disk), path_(std::move(path)), content_(std::move(content)) {}
    int append(std::span<const std::byte> bytes) override {
      if (disk_.write_error != 0) return disk_.write_error;
      if (disk_.used() + bytes.size() > disk_.capacity) return ENOSPC;
      content_->bytes.insert(content_->bytes.end(), bytes.begin(), bytes.end());
      disk_.most_unsynced_appends =
          std::max(disk_.most_unsynced_appends, ++content_->unsynced_appends);
      return 0;
    }
    int sync() override {
      if (has_failed_) ++disk_.syncs_after_failure;
      if (disk_.sync_error != 0) {
        has_failed_ = true;
        ++disk_.failed_syncs;
        return disk_.sync_error;
      }
      content_->synced = content_->bytes.size();
      content_->unsynced_appends = 0;
      return 0;
    }
    bool is_named() override {
      const auto found = disk_.files.find(path_);
      return found != disk_.files.end() && found->second == content_;
    }

   private:
    MemoryFiles& disk_;
    std::string path_;
    std::shared_ptr<Content> content_;
    bool has_failed_ = false;
  };
};

}  // namespace jostle::journal
