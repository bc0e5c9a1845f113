#pragma once

#include "shared/base/result.h"
#include "shared/journal/files.h"
#include "shared/journal/segments.h"
#include "shared/record/recording_reader.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace jostle::journal {

/// A world that was restored from a journal.
struct Restored {
  std::unique_ptr<sim::Simulation> simulation;
  std::string scene_file;  // name of the scene's file, for display
  std::uint64_t hash = 0;  // hash of the state
  std::uint32_t ticks_replayed = 0;
  std::vector<std::string> warnings;  // sentences for the operator
};

/// Reason why no state was restored.
struct RestoreError {
  enum class Kind : std::uint8_t {
    Unreadable,    // the system reports an error
    Damaged,       // bytes have changed, or nothing is complete
    WrongOrder,    // a segment was renamed or copied
    OtherProgram,  // another format, other rules, or a scene or state that this build cannot read
    OtherResult,   // a tick replays to another state
  };
  std::string text;  // a sentence that names the file
  Kind kind = Kind::Unreadable;
  std::string program{};  // the program that has written the segment; empty if it is not known

  // Set for OtherResult: the ticks that a restore without the diverging tick would give up.

  std::uint32_t kept_tick = 0;       // newest tick that would be kept
  std::uint32_t ticks_given_up = 0;  // number of ticks after it
  std::size_t kept_bytes = 0;        // length of the segment with them cut off
};
/// Returns a sentence on what can be done about an error; empty if nothing is known. `folder` is
/// the state folder.
std::string way_out(const RestoreError& error, const std::string& folder);

/// Restores the newest state of a journal: the newest keyframe, and the ticks after it. Each
/// replayed tick must have the recorded hash. Returns null if the folder has no segment.
///
/// An incomplete end, as after a crash, is cut off if `may_cut`, with a warning. Empty segments,
/// and those that a server has not begun completely, are then removed. Damage before intact
/// sections, segments in a wrong order, and a replay with another hash are errors.
base::Result<std::unique_ptr<Restored>, RestoreError> restore(
    Files& files, const std::string& folder, bool may_cut,
    const sim::RuleFactory& rules = sim::default_rules);

/// Restores the newest state of one segment, whose readable part is `start`. Returns null if it has
/// no state.
base::Result<std::unique_ptr<Restored>, RestoreError> restore_segment(
    const std::string& path, const record::ReadableStart& start, const sim::RuleFactory& rules);

}  // namespace jostle::journal
