#include "tools/simulate/virtual_disk.h"

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace jostle::simulate {
namespace {

constexpr std::size_t sector_bytes = 512;
constexpr std::size_t most_jobs = 4'096;

}  // namespace

const char* name_of(Plant plant) {
  constexpr const char* names[plant_count + 1] = {
      "none",          "skipped-sync",        "skipped-folder-sync",
      "lost-write",    "swapped-writes",      "changed-byte",
      "changed-state", "lost-tokens",         "unsafe-restart",
      "dropped-job",   "swapped-jobs",        "repeated-job",
      "short-write",   "ignored-write-error", "ignored-sync-error",
      "stale-read",    "no-end-of-batch",     "in-code"};
  return names[static_cast<std::size_t>(plant)];
}

class VirtualDisk::File final : public journal::AppendFile {
 public:
  File(VirtualDisk& disk, std::shared_ptr<Content> content)
      : disk_(disk), content_(std::move(content)) {}
  int append(std::span<const std::byte> bytes) override { return disk_.append(*content_, bytes); }
  int sync() override { return disk_.sync(*content_); }
  bool is_named(const std::string& path) override {
    const auto found = disk_.files_.find(path);
    return found != disk_.files_.end() && found->second == content_;
  }

 private:
  VirtualDisk& disk_;
  std::shared_ptr<Content> content_;
};

bool VirtualDisk::is_planted(Plant plant, std::uint32_t one_of) {
  return plant_ == plant && random_.next() % one_of == 0;
}

/// Counts a change of the disk. Returns false if the machine has no power any more.
bool VirtualDisk::spend_operation() {
  if (operations_left_ == never) return true;
  if (operations_left_ > 0) --operations_left_;
  return operations_left_ > 0;
}

int VirtualDisk::sync(Content& content) {
  if (!spend_operation()) return EIO;
  content.unsynced_appends.clear();
  if (sync_error_ != 0) {
    ++errors_;
    content.has_lost_bytes = true;
    return plant_ == Plant::IgnoredSyncError ? 0 : sync_error_;
  }
  if (plant_ != Plant::SkippedSync && !content.has_lost_bytes)
    content.synced = content.bytes.size();
  return 0;
}

int VirtualDisk::append(Content& content, std::span<const std::byte> bytes) {
  if (!spend_operation()) return EIO;
  const auto add = [&](std::span<const std::byte> more) {
    content.bytes.insert(content.bytes.end(), more.begin(), more.end());
  };
  content.unsynced_appends.push_back(content.bytes.size());
  constexpr std::size_t several = 2;
  const bool is_struck = strikes_unsynced_ && content.unsynced_appends.size() >= several;
  if (write_error_ != 0) {
    ++errors_;
    if (leaves_parts_ && !bytes.empty()) add(bytes.first(random_.next() % bytes.size()));
    return plant_ == Plant::IgnoredWriteError ? 0 : write_error_;
  }
  if (is_planted(Plant::LostWrite, 50)) return 0;
  if (is_planted(Plant::ShortWrite, 50)) return add(bytes.first(bytes.size() / 2)), 0;
  if (held_.empty() && is_planted(Plant::SwappedWrites, 50)) {
    held_.assign(bytes.begin(), bytes.end());
    return 0;
  }
  add(bytes);
  if (is_struck) operations_left_ = 0;
  if (!held_.empty()) add(std::exchange(held_, {}));
  if (!bytes.empty() && is_planted(Plant::ChangedByte, 50))
    content.bytes[content.bytes.size() - 1 - random_.next() % bytes.size()] ^= std::byte{4};
  return 0;
}

base::Result<std::unique_ptr<journal::AppendFile>, journal::FileError> VirtualDisk::create(
    const std::string& path, bool /*is_secret*/) {
  if (!spend_operation()) return journal::FileError{EIO};
  if (files_.contains(path)) return journal::FileError{EEXIST};
  auto content = std::make_shared<Content>();
  files_[path] = content;
  return std::unique_ptr<journal::AppendFile>(std::make_unique<File>(*this, content));
}

base::Result<std::unique_ptr<journal::AppendFile>, journal::FileError> VirtualDisk::open(
    const std::string& path) {
  const auto found = files_.find(path);
  if (found == files_.end()) return journal::FileError{ENOENT};
  return std::unique_ptr<journal::AppendFile>(std::make_unique<File>(*this, found->second));
}

base::Result<std::vector<std::byte>, journal::FileError> VirtualDisk::read(
    const std::string& path) {
  const auto found = files_.find(path);
  if (found == files_.end()) return journal::FileError{ENOENT};
  std::vector<std::byte> bytes = found->second->bytes;
  if (plant_ == Plant::StaleRead) bytes.resize(bytes.size() - bytes.size() / 4);
  return bytes;
}

base::Result<std::vector<std::byte>, journal::FileError> VirtualDisk::read_front(
    const std::string& path, std::size_t most_bytes) {
  auto bytes = read(path);
  if (bytes && bytes->size() > most_bytes) bytes->resize(most_bytes);
  return bytes;
}

base::Result<std::vector<std::string>, journal::FileError> VirtualDisk::list(
    const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& [path, content] : files_) {
    if (path.starts_with(folder + "/")) names.push_back(path.substr(folder.size() + 1));
  }
  return names;
}

base::Result<std::uint64_t, journal::FileError> VirtualDisk::size(const std::string& path) {
  const auto found = files_.find(path);
  if (found == files_.end()) return journal::FileError{ENOENT};
  return static_cast<std::uint64_t>(found->second->bytes.size());
}

int VirtualDisk::remove(const std::string& path) {
  if (!spend_operation()) return EIO;
  return files_.erase(path) == 1 ? 0 : ENOENT;
}

int VirtualDisk::rename(const std::string& from, const std::string& to) {
  if (!spend_operation()) return EIO;
  const auto found = files_.find(from);
  if (found == files_.end()) return ENOENT;
  files_[to] = found->second;
  files_.erase(from);
  return 0;
}

int VirtualDisk::link(const std::string& from, const std::string& to) {
  if (!spend_operation()) return EIO;
  const auto found = files_.find(from);
  if (found == files_.end()) return ENOENT;
  return files_.emplace(to, found->second).second ? 0 : EEXIST;
}

int VirtualDisk::cut(const std::string& path, std::uint64_t bytes) {
  const auto found = files_.find(path);
  if (found == files_.end()) return ENOENT;
  if (!spend_operation()) return EIO;
  found->second->bytes.resize(bytes);
  found->second->synced = std::min<std::size_t>(found->second->synced, bytes);
  return 0;
}

int VirtualDisk::sync_folder(const std::string& path) {
  if (!spend_operation()) return EIO;
  if (plant_ == Plant::SkippedFolderSync) return 0;
  const auto is_in_folder = [&](const auto& entry) { return entry.first.starts_with(path + "/"); };
  std::erase_if(safe_names_, is_in_folder);
  std::copy_if(files_.begin(), files_.end(), std::inserter(safe_names_, safe_names_.end()),
               is_in_folder);
  return 0;
}

void VirtualDisk::crash() {
  held_.clear();
  operations_left_ = never;
  Names left;
  for (const Names* const names : {&safe_names_, &files_}) {
    for (const auto& [path, content] : *names) {
      const auto safe = safe_names_.find(path), now = files_.find(path);
      const bool is_safe =
          safe != safe_names_.end() && now != files_.end() && safe->second == now->second;
      if (is_safe || (!left.contains(path) && random_.next() % 2 == 0)) left[path] = content;
    }
  }
  // A name whose replacement was not synced names the earlier or the later file.
  for (const auto& [path, content] : safe_names_) {
    if (files_.contains(path)) left.try_emplace(path, content);
  }
  files_ = std::move(left);
  for (const auto& [path, content] : files_)
    crash(*content);
  safe_names_ = files_;
}

void VirtualDisk::crash(Content& content) {
  std::vector<std::byte>& bytes = content.bytes;
  const std::size_t safe = std::min(content.synced, bytes.size());
  const std::size_t unsafe = bytes.size() - safe;
  // The size of the file may be durable before its content is.
  const std::size_t kept =
      safe + (random_.next() % 2 == 0 ? unsafe : random_.next() % (unsafe + 1));
  bytes.resize(kept);
  const auto lose = [&](std::size_t from, std::size_t end) {
    if (from >= end || random_.next() % 4 != 0) return;
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(from),
              bytes.begin() + static_cast<std::ptrdiff_t>(end), std::byte{0});
  };
  // Either sectors are lost or, as writes are reordered, whole appends.
  std::vector<std::size_t> appends = std::exchange(content.unsynced_appends, {});
  if (random_.next() % 2 == 0) appends.clear();
  for (std::size_t at = safe; at < kept && appends.empty();
       at = (at / sector_bytes + 1) * sector_bytes)
    lose(at, std::min((at / sector_bytes + 1) * sector_bytes, kept));
  for (std::size_t i = 0; i < appends.size(); ++i)
    lose(std::max(appends[i], safe),
         i + 1 < appends.size() ? std::min(appends[i + 1], kept) : kept);
  content.synced = kept;
  content.has_lost_bytes = false;
}

std::optional<VirtualDisk::Place> VirtualDisk::rot() {
  for (auto entry = files_.rbegin(); entry != files_.rend(); ++entry) {
    if (!entry->first.ends_with(".jrec") || entry->second->bytes.size() < 100) continue;
    std::vector<std::byte>& bytes = entry->second->bytes;
    const std::size_t at = random_.next() % bytes.size();
    bytes[at] ^= static_cast<std::byte>(1U << random_.next() % 8);
    return Place{entry->first, at};
  }
  return std::nullopt;
}

void VirtualDisk::clear(const std::string& folder) {
  const auto is_in_folder = [&](const auto& entry) {
    return entry.first.starts_with(folder + "/");
  };
  std::erase_if(files_, is_in_folder);
  std::erase_if(safe_names_, is_in_folder);
}

bool VirtualWriter::post(std::size_t /*bytes*/, std::function<void()> job) {
  if (jobs_.size() >= most_jobs) return false;
  jobs_.push_back(std::move(job));
  return true;
}

void VirtualWriter::at_end_of_batch(const void* owner, std::function<void()> function) {
  at_end_.emplace_back(owner, std::move(function));
}

void VirtualWriter::forget(const void* owner) {
  std::erase_if(at_end_, [owner](const auto& entry) { return entry.first == owner; });
}

bool VirtualWriter::drain(double /*seconds*/) {
  if (is_stalled_) return false;
  run();
  return true;
}

void VirtualWriter::run() {
  if (is_stalled_ || jobs_.empty()) return;
  while (!jobs_.empty()) {
    if (jobs_.size() > 1 && is_planted(Plant::SwappedJobs)) std::swap(jobs_[0], jobs_[1]);
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    if (is_planted(Plant::DroppedJob)) continue;
    job();
    if (is_planted(Plant::RepeatedJob)) job();
  }
  if (plant_ == Plant::NoEndOfBatch) return;
  const auto at_end = at_end_;
  for (const auto& [owner, function] : at_end)
    function();
}

void VirtualWriter::kill() {
  jobs_.clear();
}

}  // namespace jostle::simulate
