#pragma once

#include "shared/base/random.h"
#include "shared/journal/executor.h"
#include "shared/journal/files.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::simulate {

/// A deliberate error of the disk or of its use, to prove that a simulation finds it.
enum class Plant : std::uint8_t {
  None,
  SkippedSync,        // a sync does nothing and reports success
  SkippedFolderSync,  // the names in a folder are never synced
  LostWrite,          // one of 50 appends reports success and writes nothing
  SwappedWrites,      // one of 50 appends is written after the next one
  ChangedByte,        // one of 50 appends stores a changed byte
  ChangedState,       // one of 500 ticks changes a body behind the back of the journal
  LostTokens,         // reconnect tokens are not stored
  UnsafeRestart,      // a restart ignores the newest segment
  DroppedJob,         // one of 50 jobs of the writer does not run
  SwappedJobs,        // one of 50 jobs runs after the next one
  RepeatedJob,        // one of 50 jobs runs twice
};
inline constexpr std::size_t plant_count = 12;
/// Returns the name of a plant, such as "skipped-sync".
const char* name_of(Plant plant);

/// A disk in memory with faults from a seed. It remembers what was synced, so that a machine can
/// crash.
class VirtualDisk final : public journal::Files {
 public:
  VirtualDisk(std::uint64_t seed, Plant plant) : random_(seed), plant_(plant) {}

  base::Result<std::unique_ptr<journal::AppendFile>, journal::FileError> create(
      const std::string& path, bool is_secret) override;
  base::Result<std::vector<std::byte>, journal::FileError> read(const std::string& path) override;
  base::Result<std::vector<std::string>, journal::FileError> list(
      const std::string& folder) override;
  base::Result<std::uint64_t, journal::FileError> size(const std::string& path) override;
  int remove(const std::string& path) override;
  int rename(const std::string& from, const std::string& to) override;
  int cut(const std::string& path, std::uint64_t bytes) override;
  int make_folder(const std::string& /*path*/) override { return 0; }
  int sync_folder(const std::string& path) override;

  // Faults. Error numbers of the system; 0: none.

  void set_write_error(int error) { write_error_ = error; }
  void set_sync_error(int error) { sync_error_ = error; }
  /// Makes the next failing append leave a part of its bytes in the file.
  void set_leaves_parts(bool leaves_parts) { leaves_parts_ = leaves_parts; }
  void heal() { write_error_ = sync_error_ = 0; }
  /// Ends the machine: of bytes that were not synced, each sector of 512 bytes is written, zero or
  /// missing at the end; names that were not synced may be gone.
  void crash();
  /// Flips a bit of the newest file with at least 100 bytes. Returns false if there is none.
  bool rot();
  void clear() { files_.clear(); }
  /// Returns the number of errors that were reported.
  std::uint64_t errors() const { return errors_; }

 private:
  struct Content {
    std::vector<std::byte> bytes;
    std::vector<std::byte> synced;  // the content after the last sync
    bool is_name_synced = false;
  };
  class File;
  bool is_planted(Plant plant, std::uint32_t one_of);
  int append(Content& content, std::span<const std::byte> bytes);

  base::Random random_;
  Plant plant_;
  std::map<std::string, std::shared_ptr<Content>> files_;
  std::vector<std::byte> held_;  // bytes of SwappedWrites
  int write_error_ = 0, sync_error_ = 0;
  bool leaves_parts_ = false;
  std::uint64_t errors_ = 0;
};

/// A writer in virtual time: jobs run when run() is called, unless the disk stalls.
class VirtualWriter final : public journal::Executor {
 public:
  VirtualWriter(std::uint64_t seed, Plant plant) : random_(seed), plant_(plant) {}

  bool post(std::size_t bytes, std::function<void()> job) override;
  void at_end_of_batch(const void* owner, std::function<void()> function) override;
  void forget(const void* owner) override;
  bool drain(double seconds) override;

  void set_stalled(bool is_stalled) { is_stalled_ = is_stalled; }
  bool is_stalled() const { return is_stalled_; }
  /// Runs the queued jobs.
  void run();
  /// Discards the queued jobs, as the end of the process does.
  void kill();

 private:
  bool is_planted(Plant plant) { return plant_ == plant && random_.next() % 50 == 0; }

  base::Random random_;
  Plant plant_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::pair<const void*, std::function<void()>>> at_end_;
  bool is_stalled_ = false;
};

}  // namespace jostle::simulate
