#include "shared/journal/segments.h"

#include "shared/base/planted.h"
#include "shared/record/recording_reader.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

namespace jostle::journal {
namespace {

/// Returns the number in a name such as 00000012.jrec; 0 for other names. Larger numbers than these
/// are none that a writer has given, and leave no room for the next ones.
std::uint64_t number_of(const std::string& name) {
  constexpr std::string_view ending = ".jrec";
  constexpr std::size_t least_digits = 8, most_digits = 12;
  if (!name.ends_with(ending)) return 0;
  const std::size_t digits = name.size() - ending.size();
  if (digits < least_digits || digits > most_digits) return 0;
  const char* const end = name.data() + digits;
  std::uint64_t number = 0;
  const auto read = std::from_chars(name.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? number : 0;
}

/// Returns the first tick of a segment; 0 if it is not known.
std::uint32_t first_tick_of(Files& files, const SegmentFile& segment) {
  std::size_t wanted = std::size_t{64} << 10;
  for (;;) {
    const auto front = files.read_front(segment.path, wanted);
    if (!front) return 0;
    const record::FirstTick found = record::find_first_tick(*front);
    if (found.needed == 0) return found.tick;
    if (front->size() < wanted) return 0;  // the file ends there
    wanted = std::max(found.needed, wanted + 1);
  }
}

/// Returns true if `later` continues `earlier`, which ends with `last_tick`.
bool continues(const record::RecordingHeader& earlier, std::uint32_t last_tick,
               const SegmentSummary& later) {
  record::RecordingHeader header = *later.header;
  header.program = earlier.program;  // a later build may have continued the run
  return header == earlier && later.first_tick == last_tick + 1;
}

std::string ticks_between(std::uint32_t first, std::uint32_t last) {
  if (first == last) return "tick " + std::to_string(first);
  return "ticks " + std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

bool is_segment_name(const std::string& name) {
  return number_of(name) != 0;
}

base::Result<std::vector<SegmentFile>, FileError> segments_of(Files& files,
                                                              const std::string& folder) {
  const auto names = files.list(folder);
  if (!names) return names.error();
  std::vector<SegmentFile> segments;
  for (const std::string& name : *names) {
    if (const std::uint64_t number = number_of(name); number != 0)
      segments.push_back({folder + "/" + name, number});
  }
  const auto by_number = [](const SegmentFile& a, const SegmentFile& b) {
    return a.number < b.number;
  };
  // The names of a folder are in the order of letters, in which 10 is before 9.
  std::stable_sort(segments.begin(), segments.end(), by_number);
  if (base::is_planted("unsorted-segments")) std::reverse(segments.begin(), segments.end());
  return segments;
}

std::string order_fault(Files& files, const std::vector<SegmentFile>& segments) {
  const SegmentFile* before = nullptr;
  std::uint32_t tick_before = 0;
  for (const SegmentFile& segment : segments) {
    const std::uint32_t tick = first_tick_of(files, segment);
    if (tick == 0) continue;
    bool is_wrong = tick < tick_before;
    if (tick == tick_before) {
      // A segment without ticks is followed by one that begins with the same state.
      const auto summary = read_summary(files, *before);
      is_wrong = summary && summary->has_ticks();
    }
    if (is_wrong)
      return "'" + segment.path + "' begins at tick " + std::to_string(tick) + ", but '" +
             before->path + "' with a lower number begins at tick " + std::to_string(tick_before) +
             ": one of them was renamed or copied";
    before = &segment;
    tick_before = tick;
  }
  return {};
}

std::optional<SegmentSummary> read_summary(Files& files, const SegmentFile& segment) {
  SegmentSummary summary;
  summary.file = segment;
  const auto bytes = files.read(segment.path);
  if (!bytes && bytes.error().number == ENOENT) return std::nullopt;
  if (!bytes) {
    summary.fault = "cannot be read: " + describe(bytes.error());
    return summary;
  }
  summary.bytes = bytes->size();
  auto start = record::read_start(*bytes);
  if (!start) {
    summary.fault = "is damaged " + start.error().text();
    if (start.error().is_other_format) summary.fault = start.error().message;
    if (bytes->empty()) summary.fault = "is empty";
    return summary;
  }
  if (start->has_sections_after_fault) summary.fault = "is damaged " + start->fault->text();
  summary.is_closed = start->recording.is_closed;
  const auto& blocks = start->recording.blocks;
  if (!blocks.empty()) {
    summary.first_tick = blocks.front().ticks.front().commands.tick.number;
    summary.last_tick = blocks.back().ticks.back().commands.tick.number;
    summary.last_hash = blocks.back().ticks.back().hash.total;
  }
  summary.header = std::move(start->recording.header);
  return summary;
}

std::vector<SegmentRun> runs_of(const std::vector<SegmentSummary>& segments) {
  std::vector<SegmentRun> runs;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SegmentSummary& segment = segments[i];
    if (!segment.has_ticks()) continue;
    if (runs.empty() ||
        !continues(*segments[runs.back().begin].header, runs.back().last_tick, segment))
      runs.push_back({i, i, segment.first_tick, 0});
    runs.back().end = i + 1;
    runs.back().last_tick = segment.last_tick;
  }
  return runs;
}

base::Result<record::Recording, std::string> read_run(Files& files,
                                                      const std::vector<SegmentSummary>& segments,
                                                      const SegmentRun& run) {
  record::Recording whole;
  whole.header = *segments[run.begin].header;
  for (std::size_t i = run.begin; i < run.end; ++i) {
    const std::string& path = segments[i].file.path;
    if (!segments[i].has_ticks()) continue;
    const auto bytes = files.read(path);
    if (!bytes) return "'" + path + "' cannot be read: " + describe(bytes.error());
    auto start = record::read_start(*bytes);
    if (!start) return "'" + path + "' " + start.error().text();
    for (record::RecordedBlock& block : start->recording.blocks)
      whole.blocks.push_back(std::move(block));
  }
  whole.is_closed = true;
  return whole;
}

std::vector<std::string> describe_seams(const std::vector<SegmentSummary>& segments,
                                        bool& has_overlap) {
  std::vector<std::string> sentences;
  const SegmentSummary* before = nullptr;
  for (const SegmentSummary& segment : segments) {
    if (!segment.has_ticks()) continue;
    const SegmentSummary* const earlier = std::exchange(before, &segment);
    if (earlier == nullptr) continue;
    const std::uint32_t next = earlier->last_tick + 1;
    const std::string files = "'" + earlier->file.path + "' and '" + segment.file.path + "'";
    // The tick that starts another scene is part of the state with which its segment begins.
    const bool is_other_scene = segment.header->scene_text != earlier->header->scene_text;
    const std::uint32_t expected = next + (is_other_scene ? 1 : 0);
    if (segment.first_tick > expected) {
      sentences.push_back(ticks_between(next, segment.first_tick - 1) + " are missing between " +
                          files);
    } else if (segment.first_tick < next) {
      has_overlap = true;
      sentences.push_back(ticks_between(segment.first_tick, earlier->last_tick) + " are in both " +
                          files);
    }
  }
  return sentences;
}

}  // namespace jostle::journal
