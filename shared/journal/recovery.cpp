#include "shared/journal/recovery.h"

#include "shared/base/bytes.h"
#include "shared/base/counted.h"
#include "shared/base/log.h"
#include "shared/base/planted.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/record/replay.h"

#include <cstddef>
#include <utility>

namespace jostle::journal {
namespace {

using Kind = RestoreError::Kind;
using RestoredResult = base::Result<std::unique_ptr<Restored>, RestoreError>;

/// Result of the replay of the end of a segment.
struct Replay {
  std::string fault;             // empty: it has the recorded hashes
  std::uint32_t differs_at = 0;  // the tick with another hash; 0: none
};

/// Replays the ticks after the newest keyframe.
Replay replay_end(const record::Recording& recording, Restored& restored) {
  sim::Simulation& simulation = *restored.simulation;
  const record::RecordedBlock& last = recording.blocks.back();
  if (!recording.final_state.empty()) {
    base::ByteReader reader(recording.final_state);
    if (!simulation.restore(reader) || !reader.at_end() ||
        simulation.tick() != last.ticks.back().commands.tick)
      return {"its final state cannot be restored"};
  } else {
    if (!record::restore_block(last, simulation)) return {"its newest state cannot be restored"};
    for (const record::RecordedTick& tick : last.ticks) {
      if (base::is_planted("unreplayed-ticks")) break;
      if (base::is_planted("last-tick-left-out") && &tick == &last.ticks.back()) break;
      record::replay_tick(tick, simulation);
      ++restored.ticks_replayed;
      const std::uint32_t number = tick.commands.tick.number;
      if (record::tick_hash_of(simulation.hash()) != tick.hash)
        return {"tick " + std::to_string(number) +
                    " replays to another state than the recorded one: another build of jostle has "
                    "written the file, or it was changed",
                number};
    }
  }
  restored.hash = simulation.hash().total;
  if (base::is_planted("unreplayed-ticks") || base::is_planted("last-tick-left-out")) return {};
  if (restored.hash != last.ticks.back().hash.total)
    return {"its final state has another hash than its last tick"};
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

/// Returns the error for a tick that replays to another state.
RestoreError other_result(const std::string& text, const record::ReadableStart& start,
                          std::uint32_t tick) {
  RestoreError error{text, Kind::OtherResult, start.recording.header.program};
  for (const record::ReadableStart::Cut& cut : start.cuts) {
    if (cut.next_tick > tick) break;
    error.kept_tick = cut.next_tick - 1;
    error.kept_bytes = cut.bytes;
  }
  error.ticks_given_up =
      start.recording.blocks.back().ticks.back().commands.tick.number - error.kept_tick;
  return error;
}

/// Returns the error for a segment of which not even the header can be read; null if it may be the
/// result of a crash before the first sync.
std::unique_ptr<RestoreError> header_error(const std::string& path,
                                           const record::RecordingError& error, std::size_t bytes) {
  const std::string name = "'" + path + "'";
  if (error.is_other_format)
    return std::make_unique<RestoreError>(
        RestoreError{name + " cannot be read: " + error.message, Kind::OtherProgram});
  constexpr std::size_t preamble_bytes = 8;
  const bool is_begun = bytes > preamble_bytes && error.offset == 0;
  if (is_begun || error.has_sections_after)
    return std::make_unique<RestoreError>(
        RestoreError{name + " is damaged " + error.text(), Kind::Damaged});
  return nullptr;
}

/// Restores from a segment of the disk. Returns null if the segment has no state.
RestoredResult restore_from(Files& files, const SegmentFile& segment, bool may_cut,
                            const sim::RuleFactory& rules, std::vector<std::string>& warnings) {
  const std::string name = "'" + segment.path + "'";
  const auto bytes = files.read(segment.path);
  if (!bytes) return RestoreError{name + " cannot be read: " + describe(bytes.error())};
  auto start = record::read_start(*bytes);
  if (!start) {
    if (const auto error = header_error(segment.path, start.error(), bytes->size())) return *error;
    warnings.push_back(name + " has no complete state, so it is left out");
    return std::unique_ptr<Restored>();
  }
  if (start->has_sections_after_fault)
    return RestoreError{name + " is damaged " + start->fault->text(), Kind::Damaged};
  if (start->valid_bytes < bytes->size()) {
    warnings.push_back(name + " ends with an incomplete section: its last " +
                       base::counted(bytes->size() - start->valid_bytes, "byte") +
                       (may_cut ? " are cut off" : " are left out"));
    if (may_cut) {
      if (const int error = files.cut(segment.path, start->valid_bytes); error != 0)
        return RestoreError{name + " cannot be cut: " + describe({error})};
    }
  }
  auto restored = restore_segment(segment.path, *start, rules);
  if (restored && *restored == nullptr)
    warnings.push_back(name + " has no complete state, so it is left out");
  return restored;
}

/// Removes the file of a segment that was not complete when a server ended, or warns about it.
void clear_new_segment(Files& files, const std::string& path, bool may_remove,
                       std::vector<std::string>& warnings) {
  const auto bytes = files.read(path);
  if (!bytes) return;
  const auto start = record::read_start(*bytes);
  if (start && !start->recording.blocks.empty()) {
    warnings.push_back("'" + path +
                       "' is left out: it has ticks, which no server writes to a file "
                       "with such a name");
    return;
  }
  if (!may_remove || files.remove(path) != 0) return;
  warnings.push_back("'" + path +
                     "' is removed: the server ended while it began this segment, "
                     "before any tick");
}

/// Removes files that hold nothing, and warns about files that are no segments.
void clear_leftovers(Files& files, const std::string& folder, bool may_remove,
                     std::vector<std::string>& warnings) {
  const auto names = files.list(folder);
  if (!names) return;
  for (const std::string& name : *names) {
    const std::string path = folder + "/" + name;
    if (name.ends_with(std::string(".jrec") + new_segment_ending)) {
      clear_new_segment(files, path, may_remove, warnings);
    } else if (name.ends_with(".jrec") && !is_segment_name(name)) {
      warnings.push_back("'" + path + "' is left out: its name is not that of a segment");
    } else if (const auto size = files.size(path);
               may_remove && is_segment_name(name) && size && *size == 0) {
      if (files.remove(path) == 0) warnings.push_back("'" + path + "' is empty, so it is removed");
    }
  }
}

}  // namespace

std::string way_out(const RestoreError& error, const std::string& folder) {
  const std::string salvage = base::program_names().tool + " state " + folder + " salvage";
  const std::string program = error.program.empty() ? "the version of jostle that has written it"
                                                    : base::printable(error.program);
  switch (error.kind) {
    case Kind::Unreadable:
      return {};
    case Kind::Damaged:
      return "To continue from the newest intact state: " + salvage;
    case Kind::WrongOrder:
      return "Move the wrong file away; " + base::program_names().tool + " state " + folder +
             " info lists the ticks of each";
    case Kind::OtherProgram:
      return "Continue this folder with " + program + ", or choose another folder";
    case Kind::OtherResult:
      return "To keep all ticks, start and stop a server of that build (" + program +
             ") with this folder: it ends with a state, which needs no replay. To give up the " +
             base::counted(error.ticks_given_up, "tick") + " after tick " +
             std::to_string(error.kept_tick) + ": " + salvage + " --give-up-ticks";
  }
  return {};
}

RestoredResult restore_segment(const std::string& path, const record::ReadableStart& start,
                               const sim::RuleFactory& rules) {
  const std::string name = "'" + path + "'";
  const record::Recording& recording = start.recording;
  if (recording.blocks.empty() && recording.final_state.empty()) return std::unique_ptr<Restored>();
  auto simulation = recording.blocks.empty() ? restore_state_only(recording, rules)
                                             : record::start_replay(recording, rules);
  const std::string& program = recording.header.program;
  if (!simulation)
    return RestoreError{name + ": " + simulation.error(), Kind::OtherProgram, program};
  auto restored = std::make_unique<Restored>();
  restored->simulation = *std::move(simulation);
  restored->scene_file = recording.header.scene_file;
  restored->hash = restored->simulation->hash().total;
  if (recording.blocks.empty()) return restored;
  const Replay replay = replay_end(recording, *restored);
  if (replay.differs_at != 0)
    return other_result(name + ": " + replay.fault, start, replay.differs_at);
  if (!replay.fault.empty())
    return RestoreError{name + ": " + replay.fault, Kind::OtherProgram, program};
  return restored;
}

RestoredResult restore(Files& files, const std::string& folder, bool may_cut,
                       const sim::RuleFactory& rules) {
  std::vector<std::string> warnings;
  clear_leftovers(files, folder, may_cut, warnings);
  const auto segments = segments_of(files, folder);
  if (!segments)
    return RestoreError{"'" + folder + "' cannot be read: " + describe(segments.error())};
  if (base::is_planted("oldest-segment") && segments->size() > 1)
    return restore_from(files, segments->front(), may_cut, rules, warnings);
  if (std::string fault = order_fault(files, *segments); !fault.empty())
    return RestoreError{std::move(fault), Kind::WrongOrder};
  for (auto segment = segments->rbegin(); segment != segments->rend(); ++segment) {
    auto restored = restore_from(files, *segment, may_cut, rules, warnings);
    if (!restored) return restored;
    if (*restored == nullptr) continue;
    (*restored)->warnings = std::move(warnings);
    return restored;
  }
  if (!segments->empty())
    return RestoreError{"no segment in '" + folder + "' has a complete state", Kind::Damaged};
  for (const std::string& words : warnings)
    base::warn("state", {{"why", words}});
  return std::unique_ptr<Restored>();
}

}  // namespace jostle::journal
