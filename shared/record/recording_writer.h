#pragma once

#include "shared/base/bytes.h"
#include "shared/record/recording.h"
#include "shared/record/sections.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace jostle::record {

/// A callback that receives the bytes of a recording in order. It returns false if they could not
/// be stored.
using RecordingSink = std::function<bool(std::span<const std::byte>)>;

/// A writer of a recording during a run. It passes a block to the sink when the block is full, at
/// `flush` and at `close`.
class RecordingWriter {
 public:
  /// Starts a recording from the current state of `simulation`. `rules` are the names of its rules.
  RecordingWriter(const sim::Simulation& simulation, const std::vector<std::string>& rules,
                  const std::string& scene_file, RecordingSink sink);

  /// Adds a tick after its step: its commands, faults and the resulting state.
  void add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                const std::vector<RecordedFault>& faults = {});

  /// Ends the current block, so that the sink has all ticks so far.
  void flush(const sim::Simulation& now);
  /// Writes the last block and the index. No further call may follow.
  void close(const sim::Simulation& now);

  /// Returns false if the sink has failed; the recording ends there.
  bool is_healthy() const { return is_healthy_; }
  std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  void begin_block(const sim::Simulation& now);
  void end_block();
  void put(std::span<const std::byte> bytes);

  RecordingSink sink_;
  bool is_healthy_ = true;
  std::uint64_t bytes_written_ = 0;
  std::vector<IndexEntry> index_;

  std::vector<std::byte> state_before_;
  std::vector<BodyHash> bodies_before_;
  base::ByteWriter ticks_;
  std::uint32_t first_tick_ = 0, tick_count_ = 0;
};

/// Returns a recording as the content of a file, with an index.
std::vector<std::byte> write_recording(const Recording& recording);

}  // namespace jostle::record
