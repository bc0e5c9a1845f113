#pragma once

#include "shared/base/result.h"
#include "shared/journal/files.h"
#include "shared/record/recording.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::journal {

/// A segment file of a journal.
struct SegmentFile {
  std::string path;
  std::uint64_t number = 0;
};
/// Returns the segments of a journal folder, in order. Other files are left out.
base::Result<std::vector<SegmentFile>, FileError> segments_of(Files& files,
                                                              const std::string& folder);

/// A world that was restored from a journal.
struct Restored {
  std::unique_ptr<sim::Simulation> simulation;
  std::string scene_file;  // name of the scene's file, for display
  std::uint64_t hash = 0;  // hash of the state
  std::uint32_t ticks_replayed = 0;
  std::vector<std::string> warnings;  // sentences for the operator
};

/// Restores the newest state of a journal: the newest keyframe, and the ticks after it. Each
/// replayed tick must have the recorded hash. Returns null if the folder has no segment.
///
/// An incomplete end, as after a crash, is cut off if `may_cut`, with a warning. Damage before
/// intact sections, and a replay with another hash, are errors: sentences that name the file.
base::Result<std::unique_ptr<Restored>, std::string> restore(
    Files& files, const std::string& folder, bool may_cut,
    const sim::RuleFactory& rules = sim::default_rules);

/// Segments that were joined to one recording.
struct JoinedRecording {
  record::Recording recording;
  std::size_t next = 0;  // index of the first segment that does not continue the ones before it
};
/// Joins the first segments that continue each other: same scene, options and rules, and no tick
/// missing between them. The error is a sentence.
base::Result<JoinedRecording, std::string> read_joined(Files& files,
                                                       const std::vector<SegmentFile>& segments);

}  // namespace jostle::journal
