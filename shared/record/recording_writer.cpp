#include "shared/record/recording_writer.h"

#include "shared/base/assert.h"

#include <utility>

namespace jostle::record {
RecordingWriter::RecordingWriter(const sim::Simulation& simulation,
                                 const std::vector<std::string>& rules,
                                 const std::string& scene_file, RecordingSink sink)
    : sink_(std::move(sink)) {
  put(recording_start(simulation, rules, scene_file));
  begin_block(simulation);
}

void RecordingWriter::add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                               const std::vector<RecordedFault>& faults) {
  JOSTLE_ASSERT(commands.tick == after.tick());
  if (tick_count_ == 0) first_tick_ = commands.tick.number;
  write_tick(ticks_, commands, faults, tick_hash_of(after.hash()));
  ++tick_count_;
  if (tick_count_ == ticks_per_block) flush(after);
}

void RecordingWriter::flush(const sim::Simulation& now) {
  if (tick_count_ == 0) return;
  end_block();
  begin_block(now);
}

void RecordingWriter::close(const sim::Simulation& now) {
  flush(now);
  put(index_section(index_));
}

void RecordingWriter::begin_block(const sim::Simulation& now) {
  base::ByteWriter state;
  now.save(state);
  state_before_ = state.take();
  bodies_before_ = body_hashes_of(now);
  ticks_ = {};
  tick_count_ = 0;
}

void RecordingWriter::end_block() {
  index_.push_back({bytes_written_, first_tick_, tick_count_});
  put(section_of(SectionType::Block, block_bytes(first_tick_, state_before_, bodies_before_,
                                                 tick_count_, ticks_.bytes())));
}

std::vector<std::byte> write_recording(const Recording& recording) {
  std::vector<std::byte> bytes = recording_start(recording.header);
  std::vector<IndexEntry> index;
  const auto add = [&](std::span<const std::byte> section) {
    bytes.insert(bytes.end(), section.begin(), section.end());
  };
  for (const RecordedBlock& block : recording.blocks) {
    const std::uint32_t first = block.ticks.front().commands.tick.number;
    const auto count = static_cast<std::uint32_t>(block.ticks.size());
    base::ByteWriter ticks;
    for (const RecordedTick& tick : block.ticks)
      write_tick(ticks, tick.commands, tick.faults, tick.hash);
    index.push_back({bytes.size(), first, count});
    add(section_of(SectionType::Block, block_bytes(first, block.state_before, block.bodies_before,
                                                   count, ticks.bytes())));
  }
  add(index_section(index));
  return bytes;
}

void RecordingWriter::put(std::span<const std::byte> bytes) {
  if (!is_healthy_) return;
  is_healthy_ = sink_(bytes);
  if (is_healthy_) bytes_written_ += bytes.size();
}

}  // namespace jostle::record
