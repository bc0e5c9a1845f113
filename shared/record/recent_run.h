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

/// Keeps the newest part of a run in memory, so that it can be written down after something has
/// happened that nobody expected.
class RecentRun {
 public:
  struct Options {
    /// So far back it reaches, where as much has been played, and up to a block further.
    std::uint32_t ticks = 3'600;
    /// Of whole blocks. The oldest go earlier where more would be held; the newest stays.
    std::size_t max_bytes = 256U << 20;
  };
  RecentRun(std::vector<std::string> rules, const Options& options)
      : rules_(std::move(rules)), options_(options) {}
  RecentRun(const RecentRun&) = delete;
  RecentRun& operator=(const RecentRun&) = delete;

  /// From here on, and of this scene; what was kept before is gone. Where another scene was loaded,
  /// it is to be called after the step with which that begins: a recording holds one scene.
  void begin(const sim::Simulation& simulation, const std::string& scene_file);
  /// After each step. Contract: it has begun.
  void add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                const std::vector<RecordedFault>& faults = {});

  struct Saved {
    std::vector<std::byte> bytes;  // a recording, closed
    std::uint32_t first_tick = 0, tick_count = 0;
  };
  /// What it holds, after which it goes on. No ticks: nothing was played yet.
  Saved save(const sim::Simulation& now);

  /// Of the whole blocks.
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
  std::uint32_t ticks_held_ = 0;     // of whole blocks
  std::uint32_t first_pending_ = 0;  // of the ticks that are in no whole block yet
  std::uint32_t pending_ = 0;        // how many
  std::unique_ptr<RecordingWriter> writer_;
};

}  // namespace jostle::record
