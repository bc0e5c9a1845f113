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

/// Takes the bytes of a recording in order. False: they could not be kept.
using RecordingSink = std::function<bool(std::span<const std::byte>)>;

/// Writes a run down as it happens. A block reaches the sink when it is full, at `flush` and at
/// `close`.
class RecordingWriter {
 public:
  /// `simulation` stands where the recording starts.
  RecordingWriter(const sim::Simulation& simulation, const std::vector<std::string>& rules,
                  const std::string& scene_file, RecordingSink sink);

  /// After each step: what was done in it, and the simulation as it left it.
  void add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                const std::vector<RecordedFault>& faults = {});

  /// Ends the current block here, so that the sink has all ticks so far.
  void flush(const sim::Simulation& now);
  /// The last block and the index. Nothing may follow.
  void close(const sim::Simulation& now);

  /// False once the sink refused bytes: the recording ends there.
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

}  // namespace jostle::record
