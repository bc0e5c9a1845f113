#pragma once

#include "shared/journal/executor.h"
#include "shared/journal/segment_writer.h"
#include "shared/journal/spare_worlds.h"
#include "shared/record/recording.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::journal {

/// Records a running simulation in segments, each of which is a recording (record/recording.h).
///
/// A tick only encodes its commands; files are written by an executor. Ticks are passed on every 50
/// ms, so the end of the process loses at most that. A keyframe every 10 s costs the tick a copy of
/// the world. If a write fails or the queue is full, ticks are lost and counted, and every second
/// the journal tries to go on in another segment. If the file of a segment is removed, the journal
/// goes on in another one at once.
class Journal {
 public:
  /// `files`, `executor` and `builder` must outlive this object. `rules` are the names of the
  /// rules. `builder` builds the worlds that keyframes are copied into; null: begin() does.
  Journal(Files& files, Executor& executor, const SegmentOptions& options,
          std::vector<std::string> rules, Executor* builder = nullptr);
  /// Does not close the recording: see close().
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Begins the first segment from the current state, and waits until it is written. Returns the
  /// error, or an empty text. `scene_file` is the path of the loaded scene.
  std::string begin(const sim::Simulation& now, const std::string& scene_file);
  /// Adds a tick. Call it after each step. `hash` is that of `after`.
  void add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                const std::vector<record::RecordedFault>& faults, const record::TickHash& hash);
  /// Makes the next add_tick() begin a new segment, because another scene was loaded from
  /// `scene_file`. That tick is then part of the state with which the segment begins. `spares` are
  /// those of the scene (spare_builder()); if null, the state is saved within that tick.
  void begin_scene(std::string scene_file, std::shared_ptr<SpareWorlds::Pool> spares) {
    next_scene_file_ = std::move(scene_file);
    next_spares_ = std::move(spares);
  }
  /// Returns a function that prepares begin_scene() for a scene of `simulation`, on any thread.
  static SpareWorlds::Builder spare_builder(const sim::Simulation& simulation) {
    return SpareWorlds::builder_for(simulation);
  }
  /// Makes the next add_tick() begin a new segment.
  void begin_segment() { wants_segment_ = true; }
  /// Waits until the newest tick is durable. Returns false after `seconds`, or if the journal has
  /// failed.
  bool wait_durable(double seconds);
  /// Returns true if the tick before the newest one is durable. Does not wait.
  bool is_caught_up() const { return !is_degraded() && status().durable_tick + 1 >= newest_tick_; }
  /// Writes the last ticks, the final state and the index, and waits up to `seconds` for them.
  /// Returns false if they could not be written. Earlier ticks may be missing: see ticks_lost().
  bool close(const sim::Simulation& now, double seconds);

  WriterStatus status() const { return writer_->status(); }
  /// Returns the number of ticks that are in no segment.
  std::uint64_t ticks_lost() const { return ticks_lost_ + writer_->status().ticks_lost; }
  /// Returns the hash of the newest tick that was added.
  std::uint64_t newest_hash() const { return newest_hash_; }
  /// Returns true while ticks are lost.
  bool is_degraded() const { return is_lost_ || writer_->failed_id() == id_; }

 private:
  void start_segment(const sim::Simulation& now);
  Keyframe keyframe_of(const sim::Simulation& now, bool may_wait);
  void pass_on();
  void lose(std::uint32_t ticks);
  bool post(std::size_t bytes, std::function<void(SegmentWriter&)> job);

  Executor& executor_;
  std::shared_ptr<SegmentWriter> writer_;
  Durability durability_;
  std::vector<std::string> rules_;
  SpareWorlds spares_;
  std::string scene_file_;
  std::optional<std::string> next_scene_file_;
  std::shared_ptr<SpareWorlds::Pool> next_spares_;
  bool wants_segment_ = false;
  std::uint64_t id_ = 0;  // of the current segment

  base::ByteWriter ticks_;  // ticks that were not passed on yet
  std::uint32_t first_tick_ = 0, tick_count_ = 0;
  std::uint32_t pass_interval_ = 1;   // ticks
  std::uint32_t since_keyframe_ = 0;  // ticks
  bool is_lost_ = false;
  std::uint32_t since_retry_ = 0;  // ticks
  std::uint64_t ticks_lost_ = 0, newest_hash_ = 0;
  std::uint32_t newest_tick_ = 0;
};

}  // namespace jostle::journal
