#pragma once

#include "shared/journal/files.h"
#include "shared/record/recording.h"
#include "shared/record/sections.h"
#include "shared/sim/simulation.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace jostle::journal {

/// When written ticks are made durable.
enum class Durability : std::uint8_t {
  None,    // never: they survive the end of the process, but not that of the machine
  Group,   // about every 50 ms
  Strict,  // after every tick; clients see a tick only when it is durable
};

/// The names and limits of segments: recordings that follow each other.
struct SegmentOptions {
  std::string folder;  // without a slash at the end; empty: the working directory
  std::string stem;    // the files are STEM.jrec, STEM-2.jrec, ...; empty: 00000001.jrec, ...
  std::uint64_t first_number = 1;  // the first number to try
  Durability durability = Durability::None;
  /// Size and length of a segment from which on the next one begins; 0: no limit.
  std::uint64_t most_segment_bytes = 0;
  std::uint32_t most_segment_ticks = 0;
  /// Limit on all segments together. Beyond it the oldest are deleted; the newest two stay. 0: no
  /// limit.
  std::uint64_t quota_bytes = 0;
  /// Segments of earlier runs that count, oldest first.
  std::vector<std::string> earlier{};
  /// With a stem: begin a new segment when the file of the current one was renamed or removed.
  /// Without one, that is an error, after which a new segment begins too.
  bool follows_rename = false;
};

/// A state from which a replay can start.
struct Keyframe {
  std::uint32_t first_tick = 0;  // first tick after the state
  /// A copy of the simulation; if null, the state is in the two members below.
  std::shared_ptr<const sim::Simulation> world;
  std::vector<std::byte> state;
  std::vector<record::BodyHash> bodies;
};

/// The progress of a SegmentWriter, for other threads.
struct WriterStatus {
  std::string path;                // file of the newest segment; empty before the first
  std::uint32_t written_tick = 0;  // newest tick that the system has received
  // newest tick that survives the end of the machine; 0 after its file was removed
  std::uint32_t durable_tick = 0;
  std::uint64_t ticks_lost = 0;   // ticks that were passed to a segment that had failed
  std::uint64_t segments = 0;     // segments that were begun
  std::string error;              // why the last segment failed; empty after a new one has begun
  std::size_t largest_state = 0;  // bytes of the largest keyframe
};

/// Writes recordings in segments. All functions except the const ones run on the thread of an
/// Executor. Errors are logged with the file and the cause; the owner then begins another segment.
class SegmentWriter {
 public:
  SegmentWriter(Files& files, SegmentOptions options);

  /// Closes the current segment and begins another one. `start` is record::recording_start(). The
  /// id, which rises, names the segment for failed_id().
  void begin(std::uint64_t id, const std::vector<std::byte>& start, const Keyframe& keyframe);
  /// Appends ticks that record::write_tick() has encoded.
  void append(std::uint64_t id, std::uint32_t first_tick, std::uint32_t count,
              const std::vector<std::byte>& ticks);
  void add_keyframe(std::uint64_t id, const Keyframe& keyframe);
  /// Writes the index, so that the segment counts as closed.
  void close(std::uint64_t id);
  /// Makes appended ticks durable, and looks whether the file still has its name.
  void end_batch();

  /// Returns the id of the newest segment that has failed; 0: none.
  std::uint64_t failed_id() const { return failed_id_.load(); }
  /// Returns true if the current segment should be followed by another one: it is long enough, or
  /// its file was renamed.
  bool wants_segment(std::uint64_t id) const { return full_id_.load() == id; }
  WriterStatus status() const;

 private:
  bool create();
  bool is_named_late() const;
  void fail(const char* what, int error);
  void lose_file();
  void give_up_file(const std::string& why);
  bool put(std::vector<std::byte> section);
  std::vector<std::byte> block_section(const Keyframe& keyframe);
  void put_waiting();
  bool sync();
  void finish_index();
  void apply_quota();
  std::string path_of(std::uint64_t number) const;
  template <typename Change>
  void update(Change&& change) {
    const std::lock_guard lock(mutex_);
    change(status_);
  }

  Files& files_;
  SegmentOptions options_;
  std::unique_ptr<AppendFile> file_;  // null if there is no healthy segment
  std::string path_;
  std::uint64_t id_ = 0;
  std::uint64_t next_number_;
  std::uint64_t bytes_ = 0;
  std::uint32_t ticks_ = 0, last_tick_ = 0;
  bool is_dirty_ = false;
  // Ticks of the current batch that are not in the file yet
  std::vector<std::byte> waiting_;
  std::uint32_t waiting_first_ = 0, waiting_count_ = 0;
  std::vector<record::IndexEntry> index_;
  struct Segment {
    std::string path;
    std::uint64_t bytes = 0;
  };
  std::deque<Segment> segments_;
  bool has_begun_ = false;     // a segment was begun
  bool has_failed_ = false;    // the last attempt failed; the next success is logged
  bool has_vanished_ = false;  // the file was removed; the next segment is logged

  std::atomic<std::uint64_t> failed_id_{0}, full_id_{0};
  mutable std::mutex mutex_;
  WriterStatus status_;
};

}  // namespace jostle::journal
