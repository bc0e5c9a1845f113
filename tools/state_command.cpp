#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/journal/files.h"
#include "shared/journal/player_log.h"
#include "shared/journal/recovery.h"
#include "shared/journal/salvage.h"
#include "shared/journal/segments.h"
#include "shared/program_options/program_options.h"
#include "shared/record/recording_reader.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "tools/commands.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

constexpr Failure fail{"state"};

struct StateCommandOptions {
  std::string folder, action, output;
  std::uint32_t tick = 0;  // export: a tick of the run; 0: the newest run
  bool gives_up_ticks = false;
};

using Segments = std::vector<journal::SegmentSummary>;

std::string journal_folder(const StateCommandOptions& options) {
  return options.folder + "/journal";
}

std::string hash_text(std::uint64_t hash) {
  char text[32];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string ticks_text(std::uint32_t first, std::uint32_t last) {
  return "ticks " + std::to_string(first) + " to " + std::to_string(last);
}

base::Result<std::vector<journal::SegmentFile>, std::string> segment_files(
    journal::Files& files, const StateCommandOptions& options) {
  const std::string folder = "'" + journal_folder(options) + "'";
  auto found = journal::segments_of(files, journal_folder(options));
  if (!found && found.error().number == ENOENT)
    return "'" + options.folder + "' is not a folder of " + base::program_names().server +
           " --state: it has no journal";
  if (!found) return folder + " cannot be read: " + describe(found.error());
  if (found->empty()) return folder + " holds no segment of a journal";
  return *std::move(found);
}

base::Result<Segments, std::string> read_segments(journal::Files& files,
                                                  const StateCommandOptions& options) {
  const auto found = segment_files(files, options);
  if (!found) return found.error();
  Segments segments;
  for (const journal::SegmentFile& file : *found) {
    if (auto summary = journal::read_summary(files, file)) segments.push_back(*std::move(summary));
  }
  return segments;
}

std::string described(const journal::SegmentSummary& segment) {
  if (!segment.header) return "unreadable: " + segment.fault;
  std::string text = base::printable(segment.header->scene_file);
  text += segment.has_ticks() ? ", " + ticks_text(segment.first_tick, segment.last_tick) +
                                    ", last hash " + hash_text(segment.last_hash)
                              : ", no ticks";
  if (!segment.fault.empty()) return text + ", then " + segment.fault;
  return text + (segment.is_closed ? ", closed" : ", not closed");
}

int info(journal::Files& files, const StateCommandOptions& options) {
  const auto segments = read_segments(files, options);
  if (!segments) return fail(segments.error());
  for (const journal::SegmentSummary& segment : *segments)
    std::printf("%s  %s, %s\n", segment.file.path.c_str(),
                base::counted(segment.bytes, "byte").c_str(), described(segment).c_str());
  const auto tokens = journal::PlayerLog::read(files, options.folder + "/players");
  if (tokens) {
    std::printf("players     %s with a reconnect token\n",
                base::counted(tokens->size(), "player").c_str());
  } else {
    std::printf("players     cannot be read: %s\n", describe(tokens.error()).c_str());
  }
  const auto is_taken = journal::FolderLock::is_taken(options.folder);
  const std::string use =
      !is_taken   ? "not known, because the lock cannot be read: " + describe(is_taken.error())
      : *is_taken ? "one uses the folder"
                  : "none uses the folder";
  std::printf("server      %s\n", use.c_str());
  return exit_ok;
}

/// The end of the segments that were replayed so far.
struct Replayed {
  std::uint64_t ticks = 0, hash = 0;
  std::uint32_t tick = 0;
};

/// Replays the readable part of a segment. Returns a sentence if a state differs.
std::string replay(journal::Files& files, const journal::SegmentSummary& segment,
                   Replayed& replayed) {
  const std::string name = "'" + segment.file.path + "'";
  const auto bytes = files.read(segment.file.path);
  if (!bytes) return name + " cannot be read: " + describe(bytes.error());
  const auto start = record::read_start(*bytes);
  if (!start) return name + " " + start.error().text();
  const record::Recording& recording = start->recording;
  auto simulation = record::start_replay(recording);
  if (!simulation) return name + ": " + simulation.error();
  const std::uint32_t first = (*simulation)->tick().number;
  if (first == replayed.tick && replayed.ticks > 0 && (*simulation)->hash().total != replayed.hash)
    return name + " does not continue the state of the segment before it";
  const record::VerifyReport report = record::verify(recording, **simulation);
  replayed.ticks += report.ticks;
  if (!report.is_same())
    return name + ": tick " + std::to_string(first + report.ticks + 1) +
           " replays to another state";
  replayed.hash = report.last_hash;
  replayed.tick = (*simulation)->tick().number;
  return {};
}

/// Prints the runs that can be exported, if the journal has several.
void print_runs(const StateCommandOptions& options, const Segments& segments) {
  const std::vector<journal::SegmentRun> runs = journal::runs_of(segments);
  if (runs.size() < 2) return;
  for (const journal::SegmentRun& run : runs)
    std::printf("%s can be exported: %s state %s export --tick %u -o FILE.jrec\n",
                ticks_text(run.first_tick, run.last_tick).c_str(),
                base::program_names().tool.c_str(), options.folder.c_str(), run.last_tick);
}

/// Replays every segment, compares the states at which segments continue each other, and names
/// damage, gaps and overlaps.
int verify(journal::Files& files, const StateCommandOptions& options) {
  const auto segments = read_segments(files, options);
  if (!segments) return fail(segments.error());
  Replayed replayed;
  std::vector<std::string> damage, differences;
  for (const journal::SegmentSummary& segment : *segments) {
    if (!segment.fault.empty()) damage.push_back("'" + segment.file.path + "' " + segment.fault);
    if (!segment.has_ticks()) continue;
    std::string difference = replay(files, segment, replayed);
    if (!difference.empty()) differences.push_back(std::move(difference));
  }
  bool has_overlap = false;
  const std::vector<std::string> seams = journal::describe_seams(*segments, has_overlap);
  for (const std::string& words : seams)
    std::printf("%s\n", words.c_str());
  if (!seams.empty() || !damage.empty()) print_runs(options, *segments);
  if (damage.empty() && differences.empty()) {
    std::printf("%s: %s in %s agree, last tick %u, hash %s\n", options.folder.c_str(),
                base::counted(replayed.ticks, "tick").c_str(),
                base::counted(segments->size(), "segment").c_str(), replayed.tick,
                hash_text(replayed.hash).c_str());
    return has_overlap ? exit_differs : exit_ok;
  }
  std::fflush(stdout);
  for (const std::string& words : differences)
    fail(words);
  for (const std::string& words : damage)
    fail(words);
  return damage.empty() ? exit_differs : exit_bad_input;
}

/// Returns why a recording cannot be written to this path, or an empty text.
std::string fault_of_output(const StateCommandOptions& options) {
  if (options.output.empty()) return "export needs --output FILE.jrec";
  if (const std::string fault = program_options::recording_fault(options.output); !fault.empty())
    return "--output: " + fault;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::canonical(options.folder, ignored);
  for (fs::path path = fs::weakly_canonical(options.output, ignored).parent_path();;
       path = path.parent_path()) {
    if (!folder.empty() && path == folder)
      return "--output: '" + options.output +
             "' is in the state folder, which belongs to the server; choose another folder";
    if (path == path.parent_path()) return {};
  }
}

/// Writes a new file. Leaves none if that fails.
int write_new(journal::Files& files, const std::string& path, const std::vector<std::byte>& bytes) {
  const auto cannot = [&](int error) {
    return fail("--output: cannot write '" + path + "': " + journal::describe({error}),
                error == ENOSPC || error == EDQUOT || error == EIO ? exit_differs : exit_bad_input);
  };
  auto created = files.create(path, false);
  if (!created) return cannot(created.error().number);
  int error = (*created)->append(bytes);
  if (error == 0) error = (*created)->sync();
  if (error == 0) return exit_ok;
  (void)files.remove(path);
  return cannot(error);
}

/// Writes the newest run of the journal, or that of a tick, to one recording.
int export_run(journal::Files& files, const StateCommandOptions& options) {
  if (const std::string fault = fault_of_output(options); !fault.empty()) return fail(fault);
  const auto segments = read_segments(files, options);
  if (!segments) return fail(segments.error());
  const std::vector<journal::SegmentRun> runs = journal::runs_of(*segments);
  const journal::SegmentRun* chosen = nullptr;
  for (const journal::SegmentRun& run : runs) {
    const bool has_tick = run.first_tick <= options.tick && options.tick <= run.last_tick;
    if (options.tick == 0 || has_tick) chosen = &run;
  }
  if (chosen == nullptr)
    return fail(options.tick == 0 ? "'" + journal_folder(options) + "' has no ticks"
                                  : "--tick: no segment has tick " + std::to_string(options.tick));
  const auto recording = journal::read_run(files, *segments, *chosen);
  if (!recording) return fail(recording.error());
  const std::vector<std::byte> bytes = record::write_recording(*recording);
  if (const int code = write_new(files, options.output, bytes); code != exit_ok) return code;
  std::printf("exported %s: %s, %s\n", options.output.c_str(),
              base::counted(recording->tick_count(), "tick").c_str(),
              base::counted(bytes.size(), "byte").c_str());
  for (const journal::SegmentRun& run : runs) {
    if (&run != chosen)
      std::printf(
          "left out: %s, because ticks between are missing or the scene differs; --tick %u "
          "exports them\n",
          ticks_text(run.first_tick, run.last_tick).c_str(), run.last_tick);
  }
  for (const journal::SegmentSummary& segment : *segments) {
    if (!segment.fault.empty())
      std::printf("left out: the end of '%s', which %s\n", segment.file.path.c_str(),
                  segment.fault.c_str());
  }
  return exit_ok;
}

/// Moves everything after the newest intact state away, so that a server can continue from it.
int salvage(journal::Files& files, const StateCommandOptions& options) {
  // Without a journal, this is not the folder of a server, and gets no lock.
  if (const auto found = segment_files(files, options); !found) return fail(found.error());
  const auto lock = journal::FolderLock::take(options.folder);
  if (!lock && lock.error().number == EWOULDBLOCK) return fail("a server uses the folder; stop it");
  if (!lock) return fail("'" + options.folder + "/lock': " + describe(lock.error()));
  bool has_changed = false;
  const auto tell = [&](const std::string& words) {
    has_changed = true;
    std::printf("%s\n", words.c_str());
  };
  const auto restored =
      journal::salvage(files, journal_folder(options), options.gives_up_ticks, tell);
  std::fflush(stdout);
  if (!restored) {
    const std::string advice = restored.error().kind == journal::RestoreError::Kind::Damaged
                                   ? std::string()
                                   : journal::way_out(restored.error(), options.folder);
    const std::string words = restored.error().text + (advice.empty() ? "" : ". " + advice);
    const bool is_for_others = restored.error().kind == journal::RestoreError::Kind::OtherProgram;
    if (!has_changed || !is_for_others) return fail(words);
    std::printf("the damage is cut off, but this program cannot continue the rest: %s\n",
                words.c_str());
    return exit_ok;
  }
  if (*restored == nullptr)
    return fail("no state could be restored. To begin a new world in this folder, remove '" +
                options.folder + "/players'");
  std::printf("a server continues from tick %u, hash %s\n", (*restored)->simulation->tick().number,
              hash_text((*restored)->hash).c_str());
  return exit_ok;
}

int run_state(const StateCommandOptions& options) {
  const std::unique_ptr<journal::Files> files = journal::system_files();
  const bool is_export = options.action == "export";
  if (!is_export && !options.output.empty()) return fail("--output needs export");
  if (!is_export && options.tick != 0) return fail("--tick needs export");
  if (options.gives_up_ticks && options.action != "salvage")
    return fail("--give-up-ticks needs salvage");
  if (options.action == "info") return info(*files, options);
  if (options.action == "verify") return verify(*files, options);
  if (is_export) return export_run(*files, options);
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
                  "info: list the segments of the journal; verify: replay them, and name damage "
                  "and missing ticks; export: join segments that continue each other to one "
                  "recording; salvage: make the folder usable again after damage")
      .check(command_line::one_of({"info", "verify", "export", "salvage"}))
      .required()
      .type_name("ACTION");
  command.add_option("-o,--output", options->output, "The .jrec file that export writes")
      .type_name("FILE");
  command
      .add_option("--tick", options->tick,
                  "Export the segments around this tick, up to the next missing tick or change of "
                  "the scene. Default: the newest ones")
      .check(command_line::in_range(std::size_t{1}, std::size_t{0xffffffff}))
      .type_name("TICK");
  command.add_flag("--give-up-ticks", options->gives_up_ticks,
                   "Let salvage also cut off intact ticks that this build replays to another "
                   "state");
  return [options] { return run_state(*options); };
}

}  // namespace jostle::tools
