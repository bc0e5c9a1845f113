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
#include <optional>
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
  ShortWrite,         // one of 50 appends reports success and writes a part
  IgnoredWriteError,  // a failed append reports success
  IgnoredSyncError,   // a failed sync reports success
  StaleRead,          // a read misses the last quarter of a file
  NoEndOfBatch,       // nothing runs at the end of a batch, so nothing is synced
  InCode,             // an error in the code, see RunOptions::code_plant
};
inline constexpr std::size_t plant_count = 17;  // without InCode
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
  base::Result<std::vector<std::byte>, journal::FileError> read_front(
      const std::string& path, std::size_t most_bytes) override;
  base::Result<std::vector<std::string>, journal::FileError> list(
      const std::string& folder) override;
  base::Result<std::uint64_t, journal::FileError> size(const std::string& path) override;
  int remove(const std::string& path) override;
  int rename(const std::string& from, const std::string& to) override;
  int link(const std::string& from, const std::string& to) override;
  int cut(const std::string& path, std::uint64_t bytes) override;
  int make_folder(const std::string& /*path*/) override { return 0; }
  int sync_folder(const std::string& path) override;

  // Faults. Error numbers of the system; 0: none.

  void set_write_error(int error) { write_error_ = error; }
  void set_sync_error(int error) { sync_error_ = error; }
  /// Makes the next failing append leave a part of its bytes in the file.
  void set_leaves_parts(bool leaves_parts) { leaves_parts_ = leaves_parts; }
  void heal() { write_error_ = sync_error_ = 0; }
  /// Makes the machine lose its power within the `operations`-th change from now on: that one and
  /// all later ones fail with EIO and change nothing, until crash().
  void lose_power_after(std::uint32_t operations) { operations_left_ = operations; }
  /// Makes the machine lose its power as soon as a file has several appends that are not synced:
  /// the moment at which a power loss can damage more than the end of a file.
  void lose_power_at_unsynced_appends(bool does_it) { strikes_unsynced_ = does_it; }
  bool has_lost_power() const { return operations_left_ == 0; }
  bool is_losing_power() const { return operations_left_ != never; }
  bool is_failing() const { return write_error_ != 0 || sync_error_ != 0 || is_losing_power(); }
  /// Ends the machine: of bytes that were not synced, each append or each sector of 512 bytes is
  /// written, zero or missing at the end. Each name that was not synced names the file that it
  /// named before, the one that it names now, or none.
  void crash();
  /// A byte of a file.
  struct Place {
    std::string path;
    std::size_t byte = 0;
  };
  /// Flips a bit of the newest segment with at least 100 bytes. Returns nothing if there is none.
  std::optional<Place> rot();
  /// Opens an existing file, so that it grows.
  base::Result<std::unique_ptr<journal::AppendFile>, journal::FileError> open(
      const std::string& path);
  /// Removes the files of a folder, as an operator does.
  void clear(const std::string& folder);
  /// Returns the number of errors that were reported.
  std::uint64_t errors() const { return errors_; }

 private:
  struct Content {
    std::vector<std::byte> bytes;
    std::size_t synced = 0;                     // bytes that survive the end of the machine
    std::vector<std::size_t> unsynced_appends;  // where those since the last sync begin
    bool has_lost_bytes = false;  // a sync failed: later syncs report success and store nothing
  };
  using Names = std::map<std::string, std::shared_ptr<Content>>;
  class File;
  bool is_planted(Plant plant, std::uint32_t one_of);
  int append(Content& content, std::span<const std::byte> bytes);
  int sync(Content& content);
  bool spend_operation();
  void crash(Content& content);

  base::Random random_;
  Plant plant_;
  Names files_, safe_names_;     // the names, and those that survive the end of the machine
  std::vector<std::byte> held_;  // bytes of SwappedWrites
  int write_error_ = 0, sync_error_ = 0;
  bool leaves_parts_ = false, strikes_unsynced_ = false;
  std::uint32_t operations_left_ = never;
  static constexpr std::uint32_t never = 0xffffffff;
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
  bool has_jobs() const { return !jobs_.empty(); }
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
