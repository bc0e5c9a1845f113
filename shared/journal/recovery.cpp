#include "shared/journal/recovery.h"

#include "shared/base/bytes.h"
#include "shared/base/counted.h"
#include "shared/base/planted.h"
#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"

#include <charconv>
#include <cstddef>
#include <utility>

namespace jostle::journal {
namespace {

/// Returns the number in a name such as 00000012.jrec; 0 for other names.
std::uint64_t number_of(const std::string& name) {
  constexpr std::string_view ending = ".jrec";
  if (name.size() < 9 + ending.size() - 1 || !name.ends_with(ending)) return 0;
  const char* const end = name.data() + name.size() - ending.size();
  std::uint64_t number = 0;
  const auto read = std::from_chars(name.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? number : 0;
}

/// Replays the ticks after the newest keyframe. Returns the error, or an empty text.
std::string replay_end(const record::Recording& recording, Restored& restored) {
  sim::Simulation& simulation = *restored.simulation;
  const record::RecordedBlock& last = recording.blocks.back();
  if (!recording.final_state.empty()) {
    base::ByteReader reader(recording.final_state);
    if (!simulation.restore(reader) || !reader.at_end() ||
        simulation.tick() != last.ticks.back().commands.tick)
      return "its final state cannot be restored";
  } else {
    if (!record::restore_block(last, simulation)) return "its newest state cannot be restored";
    for (const record::RecordedTick& tick : last.ticks) {
      if (base::is_planted("unreplayed-ticks")) break;
      if (base::is_planted("last-tick-left-out") && &tick == &last.ticks.back()) break;
      record::replay_tick(tick, simulation);
      ++restored.ticks_replayed;
      if (record::tick_hash_of(simulation.hash()) != tick.hash)
        return "tick " + std::to_string(tick.commands.tick.number) +
               " replays to another state than the recorded one: this is another build of jostle, "
               "or the file was changed";
    }
  }
  restored.hash = simulation.hash().total;
  if (base::is_planted("unreplayed-ticks") || base::is_planted("last-tick-left-out")) return {};
  if (restored.hash != last.ticks.back().hash.total)
    return "its final state has another hash than its last tick";
  return {};
}

/// Restores a recording that has only a state and no ticks.
base::Result<std::unique_ptr<sim::Simulation>, std::string> restore_state_only(
    const record::Recording& recording, const sim::RuleFactory& rules) {
  record::Recording alone;
  alone.header = recording.header;
  record::RecordedBlock block;
  block.state_before = recording.final_state;
  // start_replay() checks that a block's state is the one before its first tick.
  base::ByteReader reader(recording.final_state);
  (void)reader.u64();
  (void)reader.u32();
  block.ticks.emplace_back().commands.tick = {reader.u32() + 1};
  alone.blocks.push_back(std::move(block));
  return record::start_replay(alone, rules);
}

/// Result of an attempt to restore from one segment.
struct Attempt {
  std::unique_ptr<Restored> restored;  // null if the segment has no state
  std::string error;
};

Attempt restore_from(Files& files, const SegmentFile& segment, bool may_cut,
                     const sim::RuleFactory& rules, std::vector<std::string>& warnings) {
  const std::string name = "'" + segment.path + "'";
  const auto bytes = files.read(segment.path);
  if (!bytes) return {nullptr, name + " cannot be read: " + describe(bytes.error())};
  auto start = record::read_start(*bytes);
  if (!start) {
    // A crash before the first sync can leave a file without a header.
    constexpr std::size_t preamble_bytes = 8;
    const bool is_begun = bytes->size() > preamble_bytes && start.error().offset == 0;
    if (is_begun) return {nullptr, name + " " + start.error().text()};
    if (start.error().has_sections_after)
      return {nullptr, name + " is damaged " + start.error().text()};
    warnings.push_back(name + " has no complete state, so it is left out");
    return {};
  }
  if (start->has_sections_after_fault)
    return {nullptr, name + " is damaged " + start->fault->text()};
  if (start->valid_bytes < bytes->size()) {
    warnings.push_back(name + " ends with an incomplete section: its last " +
                       base::counted(bytes->size() - start->valid_bytes, "byte") +
                       (may_cut ? " are cut off" : " are left out"));
    if (may_cut) {
      if (const int error = files.cut(segment.path, start->valid_bytes); error != 0)
        return {nullptr, name + " cannot be cut: " + describe({error})};
    }
  }
  const record::Recording& recording = start->recording;
  if (recording.blocks.empty() && recording.final_state.empty()) {
    warnings.push_back(name + " has no complete state, so it is left out");
    return {};
  }
  auto simulation = recording.blocks.empty() ? restore_state_only(recording, rules)
                                             : record::start_replay(recording, rules);
  if (!simulation) return {nullptr, name + ": " + simulation.error()};
  auto restored = std::make_unique<Restored>();
  restored->simulation = *std::move(simulation);
  restored->scene_file = recording.header.scene_file;
  restored->hash = restored->simulation->hash().total;
  if (!recording.blocks.empty()) {
    if (const std::string why = replay_end(recording, *restored); !why.empty())
      return {nullptr, name + ": " + why};
  }
  return {std::move(restored), {}};
}

}  // namespace

base::Result<std::vector<SegmentFile>, FileError> segments_of(Files& files,
                                                              const std::string& folder) {
  const auto names = files.list(folder);
  if (!names) return names.error();
  std::vector<SegmentFile> segments;
  for (const std::string& name : *names) {
    if (const std::uint64_t number = number_of(name); number != 0)
      segments.push_back({folder + "/" + name, number});
  }
  return segments;
}

base::Result<std::unique_ptr<Restored>, std::string> restore(Files& files,
                                                             const std::string& folder,
                                                             bool may_cut,
                                                             const sim::RuleFactory& rules) {
  const auto segments = segments_of(files, folder);
  if (!segments) return "'" + folder + "' cannot be read: " + describe(segments.error());
  std::vector<std::string> warnings;
  if (base::is_planted("oldest-segment") && segments->size() > 1)
    return restore_from(files, segments->front(), may_cut, rules, warnings).restored;
  for (auto segment = segments->rbegin(); segment != segments->rend(); ++segment) {
    Attempt attempt = restore_from(files, *segment, may_cut, rules, warnings);
    if (!attempt.error.empty()) return attempt.error;
    if (attempt.restored == nullptr) continue;
    attempt.restored->warnings = std::move(warnings);
    return std::move(attempt.restored);
  }
  if (!segments->empty()) return "no segment in '" + folder + "' has a complete state";
  return std::unique_ptr<Restored>();
}

base::Result<JoinedRecording, std::string> read_joined(Files& files,
                                                       const std::vector<SegmentFile>& segments) {
  JoinedRecording joined;
  record::Recording& whole = joined.recording;
  for (const SegmentFile& segment : segments) {
    const auto bytes = files.read(segment.path);
    if (!bytes) return "'" + segment.path + "' cannot be read: " + describe(bytes.error());
    auto read = record::read_recording(*bytes);
    if (!read) return "'" + segment.path + "' " + read.error().text();
    if (read->blocks.empty()) {
      ++joined.next;
      continue;
    }
    if (!whole.blocks.empty()) {
      record::RecordingHeader header = read->header;
      // A later build may have continued the run.
      header.program = whole.header.program;
      const state::Tick next = whole.blocks.back().ticks.back().commands.tick + 1;
      if (header != whole.header || read->blocks.front().ticks.front().commands.tick != next) break;
    }
    if (whole.blocks.empty()) whole.header = std::move(read->header);
    for (record::RecordedBlock& block : read->blocks)
      whole.blocks.push_back(std::move(block));
    ++joined.next;
  }
  if (whole.blocks.empty()) return std::string("the journal has no ticks");
  whole.is_closed = true;
  return joined;
}

}  // namespace jostle::journal
