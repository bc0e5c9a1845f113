#pragma once

#include "shared/record/recording_writer.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::record {

/// Ring buffer of the newest ticks of a run, so that a recording can be saved after an unexpected
/// event.
class RingRecorder {
 public:
  struct Options {
    /// Minimum number of ticks in a saved recording, once that many have been simulated. A
    /// recording may hold up to one block more.
    std::uint32_t ticks = 3'600;
    /// Limit on the size of complete blocks. The oldest are dropped earlier if it is exceeded; the
    /// newest is always kept.
    std::size_t max_bytes = 256U << 20;
  };
  RingRecorder(std::vector<std::string> rules, const Options& options)
      : rules_(std::move(rules)), options_(options) {}
  RingRecorder(const RingRecorder&) = delete;
  RingRecorder& operator=(const RingRecorder&) = delete;

  /// Starts recording from the current state and drops everything kept so far. After another scene
  /// is loaded, call it after the first step of that scene, because a recording holds one scene.
  void begin(const sim::Simulation& simulation, const std::string& scene_file);
  /// Adds a tick. Call it after each step. Contract: begin() was called.
  void add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                const std::vector<RecordedFault>& faults = {});

  struct Saved {
    std::vector<std::byte> bytes;  // a complete recording with its index
    std::uint32_t first_tick = 0, tick_count = 0;
  };
  /// Returns the kept ticks as a recording, and continues to record. The recording has no ticks if
  /// none was added yet.
  Saved save(const sim::Simulation& now);

  /// Returns the size of the complete blocks in bytes.
  std::size_t bytes_held() const { return bytes_held_; }

 private:
  struct Block {
    std::vector<std::byte> section;
    std::uint32_t first_tick = 0, tick_count = 0;
  };
  void take(std::span<const std::byte> bytes);
  void drop_oldest();

  std::vector<std::string> rules_;
  Options options_;
  std::vector<std::byte> head_;
  std::deque<Block> blocks_;
  std::size_t bytes_held_ = 0;
  std::uint32_t ticks_held_ = 0;     // number of ticks in complete blocks
  std::uint32_t first_pending_ = 0;  // first tick that is not in a complete block
  std::uint32_t pending_ = 0;        // number of ticks that are not in a complete block
  std::unique_ptr<RecordingWriter> writer_;
};

}  // namespace jostle::record
