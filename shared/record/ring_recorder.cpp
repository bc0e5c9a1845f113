#include "shared/record/ring_recorder.h"

#include "shared/base/assert.h"

namespace jostle::record {

void RingRecorder::begin(const sim::Simulation& simulation, const std::string& scene_file) {
  writer_.reset();
  head_.clear();
  blocks_.clear();
  bytes_held_ = 0;
  ticks_held_ = pending_ = 0;
  writer_ = std::make_unique<RecordingWriter>(simulation, rules_, scene_file,
                                              [this](std::span<const std::byte> bytes) {
                                                take(bytes);
                                                return true;
                                              });
}

/// Receives the writer's output: before the first tick it is the preamble and header, then one
/// block at a time.
void RingRecorder::take(std::span<const std::byte> bytes) {
  if (pending_ == 0) {
    head_.insert(head_.end(), bytes.begin(), bytes.end());
    return;
  }
  blocks_.push_back({{bytes.begin(), bytes.end()}, first_pending_, pending_});
  bytes_held_ += bytes.size();
  ticks_held_ += std::exchange(pending_, 0);
  while (blocks_.size() > 1 && (ticks_held_ - blocks_.front().tick_count >= options_.ticks ||
                                bytes_held_ > options_.max_bytes))
    drop_oldest();
}

void RingRecorder::drop_oldest() {
  bytes_held_ -= blocks_.front().section.size();
  ticks_held_ -= blocks_.front().tick_count;
  blocks_.pop_front();
}

void RingRecorder::add_tick(const state::TickCommands& commands, const sim::Simulation& after,
                            const std::vector<RecordedFault>& faults) {
  JOSTLE_ASSERT(writer_ != nullptr);
  if (pending_ == 0) first_pending_ = commands.tick.number;
  ++pending_;
  writer_->add_tick(commands, after, faults);
}

RingRecorder::Saved RingRecorder::save(const sim::Simulation& now) {
  JOSTLE_ASSERT(writer_ != nullptr);
  writer_->flush(now);
  Saved saved{.bytes = head_};
  std::vector<IndexEntry> index;
  for (const Block& block : blocks_) {
    index.push_back({saved.bytes.size(), block.first_tick, block.tick_count});
    saved.bytes.insert(saved.bytes.end(), block.section.begin(), block.section.end());
    saved.tick_count += block.tick_count;
  }
  if (!blocks_.empty()) saved.first_tick = blocks_.front().first_tick;
  const std::vector<std::byte> end = index_section(index);
  saved.bytes.insert(saved.bytes.end(), end.begin(), end.end());
  return saved;
}

}  // namespace jostle::record
