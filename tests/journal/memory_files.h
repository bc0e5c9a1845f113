#pragma once

#include "shared/journal/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jostle::journal {

/// A disk in memory, with faults. A crash() keeps of each file what was synced, and of each folder
/// the names that were synced, also those that were removed since.
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
    if (!may_change()) return FileError{EIO};
    if (create_error != 0) return FileError{create_error};
    if (!has_folder(path)) return FileError{ENOENT};
    if (files.contains(path)) return FileError{EEXIST};
    auto content = files[path] = std::make_shared<Content>();
    ++created;
    return std::unique_ptr<AppendFile>(std::make_unique<File>(*this, content));
  }
  base::Result<std::vector<std::byte>, FileError> read(const std::string& path) override {
    const auto found = files.find(path);
    if (found == files.end()) return FileError{ENOENT};
    return found->second->bytes;
  }
  base::Result<std::vector<std::byte>, FileError> read_front(const std::string& path,
                                                             std::size_t most_bytes) override {
    auto bytes = read(path);
    if (bytes && bytes->size() > most_bytes) bytes->resize(most_bytes);
    return bytes;
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
  int remove(const std::string& path) override {
    if (!may_change()) return EIO;
    return files.erase(path) == 1 ? 0 : ENOENT;
  }
  int link(const std::string& from, const std::string& to) override {
    if (!may_change()) return EIO;
    if (!has_links) return EPERM;
    if (!files.contains(from)) return ENOENT;
    return files.emplace(to, files[from]).second ? 0 : EEXIST;
  }
  int rename(const std::string& from, const std::string& to) override {
    if (!may_change()) return EIO;
    if (!files.contains(from)) return ENOENT;
    files[to] = files[from];
    files.erase(from);
    return 0;
  }
  int cut(const std::string& path, std::uint64_t bytes) override {
    if (!may_change()) return EIO;
    if (!files.contains(path)) return ENOENT;
    files[path]->bytes.resize(bytes);
    return 0;
  }
  int make_folder(const std::string& path) override {
    removed_folders.erase(path);
    return 0;
  }
  int sync_folder(const std::string& folder) override {
    if (!may_change()) return EIO;
    std::erase_if(synced_names,
                  [&](const auto& entry) { return entry.first.starts_with(folder + "/"); });
    for (const auto& [path, content] : files) {
      if (!path.starts_with(folder + "/")) continue;
      content->is_name_synced = true;
      synced_names[path] = content;
    }
    return 0;
  }
  /// Removes a folder with its files, as an operator does.
  void remove_folder(const std::string& folder) {
    std::erase_if(files, [&](const auto& entry) { return entry.first.starts_with(folder + "/"); });
    removed_folders.insert(folder);
  }

  std::uint64_t used() const {
    std::uint64_t total = 0;
    for (const auto& [path, content] : files)
      total += content->bytes.size();
    return total;
  }
  void crash() {
    files = synced_names;
    for (const auto& [path, content] : files)
      content->bytes.resize(content->synced);
    changes_left = never;
  }

  std::map<std::string, std::shared_ptr<Content>> files, synced_names;
  std::uint64_t capacity = 1ULL << 40;
  int create_error = 0, write_error = 0, sync_error = 0;
  std::set<std::string> removed_folders;
  bool has_links = true;  // false: as on a file system with one name per file
  /// Changes after which the disk does nothing more, as after a kill; each then fails with EIO.
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  std::size_t changes_left = never;
  std::size_t created = 0, failed_syncs = 0, syncs_after_failure = 0, most_unsynced_appends = 0;

 private:
  bool may_change() {
    if (changes_left == never) return true;
    if (changes_left > 0) --changes_left;
    return changes_left > 0;
  }
  bool has_folder(const std::string& path) const {
    return !removed_folders.contains(folder_of(path));
  }
  class File final : public AppendFile {
   public:
    File(MemoryFiles& disk, std::shared_ptr<Content> content)
        : disk_(disk), content_(std::move(content)) {}
    int append(std::span<const std::byte> bytes) override {
      if (!disk_.may_change()) return EIO;
      if (disk_.write_error != 0) return disk_.write_error;
      if (disk_.used() + bytes.size() > disk_.capacity) return ENOSPC;
      content_->bytes.insert(content_->bytes.end(), bytes.begin(), bytes.end());
      disk_.most_unsynced_appends =
          std::max(disk_.most_unsynced_appends, ++content_->unsynced_appends);
      return 0;
    }
    int sync() override {
      if (!disk_.may_change()) return EIO;
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
    bool is_named(const std::string& path) override {
      const auto found = disk_.files.find(path);
      return found != disk_.files.end() && found->second == content_;
    }

   private:
    MemoryFiles& disk_;
    std::shared_ptr<Content> content_;
    bool has_failed_ = false;
  };
};

}  // namespace jostle::journal
