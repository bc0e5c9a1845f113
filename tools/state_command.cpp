#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/journal/files.h"
#include "shared/journal/player_log.h"
#include "shared/journal/recovery.h"
#include "shared/record/recording_reader.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "tools/commands.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::tools {
namespace {

constexpr Failure fail{"state"};

struct StateCommandOptions {
  std::string folder, action, output;
};

/// A segment of the journal, as far as it can be read.
struct Segment {
  journal::SegmentFile file;
  std::uint64_t bytes = 0;
  std::optional<record::ReadableStart> start;  // null if not even the header can be read
  std::string fault;                           // empty if the segment is intact
};

std::string journal_folder(const StateCommandOptions& options) {
  return options.folder + "/journal";
}

base::Result<std::vector<Segment>, std::string> read_segments(journal::Files& files,
                                                              const StateCommandOptions& options) {
  const auto found = journal::segments_of(files, journal_folder(options));
  if (!found) return "'" + journal_folder(options) + "' cannot be read: " + describe(found.error());
  if (found->empty()) return "'" + journal_folder(options) + "' holds no journal";
  std::vector<Segment> segments;
  for (const journal::SegmentFile& file : *found) {
    Segment& segment = segments.emplace_back();
    segment.file = file;
    const auto bytes = files.read(file.path);
    if (!bytes) {
      // The server may delete old segments meanwhile.
      if (bytes.error().number == ENOENT)
        segments.pop_back();
      else
        segment.fault = describe(bytes.error());
      continue;
    }
    segment.bytes = bytes->size();
    auto start = record::read_start(*bytes);
    if (!start) {
      segment.fault = start.error().text();
      continue;
    }
    if (start->has_sections_after_fault) segment.fault = start->fault->text();
    segment.start = *std::move(start);
  }
  return segments;
}

const record::RecordedTick* last_tick_of(const Segment& segment) {
  if (!segment.start || segment.start->recording.blocks.empty()) return nullptr;
  return &segment.start->recording.blocks.back().ticks.back();
}

std::string described(const Segment& segment) {
  if (!segment.start) return "unreadable: " + segment.fault;
  const record::Recording& recording = segment.start->recording;
  std::string text = base::printable(recording.header.scene_file);
  if (const record::RecordedTick* const last = last_tick_of(segment)) {
    char hash[32];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(last->hash.total));
    text += ", ticks " +
            std::to_string(recording.blocks.front().ticks.front().commands.tick.number) + " to " +
            std::to_string(last->commands.tick.number) + ", last hash " + hash;
  } else {
    text += ", no ticks";
  }
  if (!segment.fault.empty()) return text + ", then damaged " + segment.fault;
  if (recording.is_closed) return text + ", closed";
  return text + ", not closed";
}

int info(journal::Files& files, const StateCommandOptions& options) {
  const auto segments = read_segments(files, options);
  if (!segments) return fail(segments.error());
  for (const Segment& segment : *segments)
    std::printf("%s  %s, %s\n", segment.file.path.c_str(),
                base::counted(segment.bytes, "byte").c_str(), described(segment).c_str());
  const auto tokens = journal::PlayerLog::read(files, options.folder + "/players");
  if (tokens)
    std::printf("players     %s with a reconnect token\n",
                base::counted(tokens->size(), "player").c_str());
  const auto lock = journal::FolderLock::take(options.folder);
  std::printf("server      %s\n", lock ? "none uses the folder" : "one uses the folder");
  return exit_ok;
}

/// Replays every segment, and compares the states at which segments continue each other.
int verify(journal::Files& files, const StateCommandOptions& options) {
  const auto segments = read_segments(files, options);
  if (!segments) return fail(segments.error());
  std::uint64_t ticks = 0, last_hash = 0;
  std::uint32_t last_tick = 0;
  for (const Segment& segment : *segments) {
    const std::string name = "'" + segment.file.path + "'";
    if (!segment.fault.empty()) return fail(name + " is damaged " + segment.fault);
    const record::Recording& recording = segment.start->recording;
    if (recording.blocks.empty()) continue;
    auto simulation = record::start_replay(recording);
    if (!simulation) return fail(name + ": " + simulation.error());
    const std::uint32_t first = (*simulation)->tick().number;
    if (first == last_tick && ticks > 0 && (*simulation)->hash().total != last_hash)
      return fail(name + " does not continue the state of the segment before it", exit_differs);
    const record::VerifyReport report = record::verify(recording, **simulation);
    ticks += report.ticks;
    if (!report.is_same())
      return fail(
          name + ": tick " + std::to_string(first + report.ticks + 1) + " replays to another state",
          exit_differs);
    last_hash = report.last_hash;
    last_tick = (*simulation)->tick().number;
  }
  std::printf("%s: %s in %s agree, last tick %u, hash %016llx\n", options.folder.c_str(),
              base::counted(ticks, "tick").c_str(),
              base::counted(segments->size(), "segment").c_str(), last_tick,
              static_cast<unsigned long long>(last_hash));
  return exit_ok;
}

/// Writes the newest part of the journal that is one run of one scene to one recording.
int export_run(journal::Files& files, const StateCommandOptions& options) {
  if (options.output.empty()) return fail("export needs --output FILE.jrec");
  auto segments = journal::segments_of(files, journal_folder(options));
  if (!segments)
    return fail("'" + journal_folder(options) + "' cannot be read: " + describe(segments.error()));
  // Leave out segments at the start until the rest is one run.
  while (!segments->empty()) {
    const auto joined = journal::read_joined(files, *segments);
    if (!joined) return fail(joined.error());
    if (joined->next == segments->size()) {
      auto created = files.create(options.output, false);
      if (!created)
        return fail("--output: cannot write '" + options.output +
                    "': " + describe(created.error()));
      const std::vector<std::byte> bytes = record::write_recording(joined->recording);
      int error = (*created)->append(bytes);
      if (error == 0) error = (*created)->sync();
      if (error != 0)
        return fail("--output: cannot write '" + options.output +
                    "': " + journal::describe({error}));
      std::printf("exported %s: %s, %s\n", options.output.c_str(),
                  base::counted(joined->recording.tick_count(), "tick").c_str(),
                  base::counted(bytes.size(), "byte").c_str());
      return exit_ok;
    }
    segments->erase(segments->begin(),
                    segments->begin() + static_cast<std::ptrdiff_t>(joined->next));
  }
  return fail("'" + journal_folder(options) + "' holds no journal");
}

/// Returns a name that no file has: `path`, or `path` with -2, -3 and so on.
std::string free_name(journal::Files& files, const std::string& path) {
  std::string name = path;
  for (int number = 2; files.size(name); ++number)
    name = path + "-" + std::to_string(number);
  return name;
}

std::string start_path(const Segment& segment) {
  return segment.file.path + ".intact";
}

/// Writes the intact start of a segment to a file beside it. Returns the error, or an empty text.
std::string write_start(journal::Files& files, const Segment& segment) {
  const std::string path = start_path(segment);
  (void)files.remove(path);  // of a salvage that did not end
  const auto bytes = files.read(segment.file.path);
  if (!bytes) return "'" + segment.file.path + "' cannot be read: " + describe(bytes.error());
  auto created = files.create(path, false);
  if (!created) return "'" + path + "' cannot be created: " + describe(created.error());
  int error = (*created)->append(std::span(*bytes).first(segment.start->valid_bytes));
  if (error == 0) error = (*created)->sync();
  if (error == 0) return {};
  (void)files.remove(path);
  return "'" + path + "' cannot be written: " + journal::describe({error}) +
         "; nothing was changed";
}

/// Moves everything after the newest intact state away, so that a server can continue from it.
int salvage(journal::Files& files, const StateCommandOptions& options) {
  const auto lock = journal::FolderLock::take(options.folder);
  if (!lock && lock.error().number == EWOULDBLOCK) return fail("a server uses the folder; stop it");
  if (!lock) return fail("'" + options.folder + "': " + describe(lock.error()));
  auto segments = read_segments(files, options);
  if (!segments) return fail(segments.error());
  for (; !segments->empty(); segments->pop_back()) {
    const Segment& segment = segments->back();
    auto restored = journal::restore(files, journal_folder(options), true);
    if (restored && *restored != nullptr) {
      std::printf("a server continues from tick %u, hash %016llx\n",
                  (*restored)->simulation->tick().number,
                  static_cast<unsigned long long>((*restored)->hash));
      return exit_ok;
    }
    // The intact start of the segment stays. It is written first, so that nothing is lost if the
    // disk is full.
    const bool has_start = segment.start && !segment.start->recording.blocks.empty();
    if (has_start) {
      if (const std::string why = write_start(files, segment); !why.empty()) return fail(why);
    }
    const std::string kept = free_name(files, segment.file.path + ".damaged");
    if (const int error = files.rename(segment.file.path, kept); error != 0)
      return fail("'" + segment.file.path + "' cannot be renamed: " + journal::describe({error}));
    std::printf("moved to %s: %s\n", kept.c_str(),
                restored ? "no state" : restored.error().c_str());
    if (!has_start) continue;
    int error = files.rename(start_path(segment), segment.file.path);
    if (error == 0) error = files.sync_folder(journal_folder(options));
    if (error != 0) return fail("'" + segment.file.path + "': " + journal::describe({error}));
    if (const auto again = journal::restore(files, journal_folder(options), true);
        again && *again) {
      std::printf("a server continues from tick %u, hash %016llx\n",
                  (*again)->simulation->tick().number,
                  static_cast<unsigned long long>((*again)->hash));
      return exit_ok;
    }
    (void)files.remove(segment.file.path);
  }
  return fail("no state could be restored; a server with this folder begins anew");
}

int run_state(const StateCommandOptions& options) {
  const std::unique_ptr<journal::Files> files = journal::system_files();
  if (options.action == "info") return info(*files, options);
  if (options.action == "verify") return verify(*files, options);
  if (options.action == "export") return export_run(*files, options);
  return salvage(*files, options);
}

}  // namespace

Command add_state(command_line::App app) {
  auto options = std::make_shared<StateCommandOptions>();
  command_line::App command = app.add_subcommand(
      "state", "Inspect the folder of " + base::program_names().server + " --state");
  command.add_option("folder", options->folder, "The folder").required().type_name("DIR");
  command
      .add_option("action", options->action,
                  "info: list the segments of the journal; verify: replay them; export: join them "
                  "to one recording; salvage: make the folder usable again after damage")
      .check(command_line::one_of({"info", "verify", "export", "salvage"}))
      .required()
      .type_name("ACTION");
  command.add_option("-o,--output", options->output, "The .jrec file that export writes")
      .type_name("FILE");
  return [options] { return run_state(*options); };
}

}  // namespace jostle::tools
