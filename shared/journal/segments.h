#pragma once

#include "shared/base/result.h"
#include "shared/journal/files.h"
#include "shared/record/recording.h"

#include <cstddef>
#include <cstdint>
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
/// Returns true for names such as 00000012.jrec, which a segment can have.
bool is_segment_name(const std::string& name);

/// Ending of a segment whose start is not durable yet, after that of a segment.
inline constexpr const char* new_segment_ending = ".new";

/// Returns a sentence that names two segments if a segment begins before the one with the next
/// lower number: a file has then another number than the writer gave it. Returns an empty text if
/// the order is right. Reads little more than the first state of each segment.
std::string order_fault(Files& files, const std::vector<SegmentFile>& segments);

/// The content of a segment, without its states and commands.
struct SegmentSummary {
  SegmentFile file;
  std::uint64_t bytes = 0;
  std::optional<record::RecordingHeader> header;  // null if not even the header can be read
  std::uint32_t first_tick = 0, last_tick = 0;    // of the readable part; 0: it has no ticks
  std::uint64_t last_hash = 0;                    // hash after `last_tick`
  bool is_closed = false;
  std::string fault;  // why not all of it can be read; empty if it is intact

  bool has_ticks() const { return first_tick != 0; }
};
/// Reads a segment. Returns null if the file is gone, because the server has deleted it.
std::optional<SegmentSummary> read_summary(Files& files, const SegmentFile& segment);

/// Segments that continue each other: same scene, options and rules, and no tick missing between
/// them. They can be exported to one recording.
struct SegmentRun {
  std::size_t begin = 0, end = 0;  // indices of the first segment, and of the one after the last
  std::uint32_t first_tick = 0, last_tick = 0;
};
/// Returns the runs of a journal, in order. Segments without ticks are part of no run, or of one
/// that has segments on both sides.
std::vector<SegmentRun> runs_of(const std::vector<SegmentSummary>& segments);
/// Reads a run as one recording. The error is a sentence.
base::Result<record::Recording, std::string> read_run(Files& files,
                                                      const std::vector<SegmentSummary>& segments,
                                                      const SegmentRun& run);

/// Returns a sentence on each place where ticks are missing between two segments, or are in both.
/// `has_overlap` is set to true in the latter case.
std::vector<std::string> describe_seams(const std::vector<SegmentSummary>& segments,
                                        bool& has_overlap);

}  // namespace jostle::journal
