#include "server/state_folder.h"

#include "shared/base/log.h"
#include "shared/base/program_names.h"

#include <cerrno>
#include <filesystem>

namespace jostle::server {
namespace {

// A segment holds at most this much, so that a restart reads little.
constexpr std::uint64_t most_segment_bytes = 64ULL << 20;
constexpr std::uint32_t most_segment_seconds = 600;
/// Longest time that a tick waits for the disk with --durability strict, s.
constexpr double strict_seconds = 1;

}  // namespace

base::Result<std::unique_ptr<StateFolder>, StateFolder::Error> StateFolder::open(
    journal::Files& files, journal::Executor& writer, const StateOptions& options,
    const sim::RuleFactory& rules) {
  const std::string& folder = options.folder;
  const std::string journal_folder = folder + "/journal";
  for (const std::string& path : {folder, journal_folder}) {
    if (const int error = files.make_folder(path); error != 0)
      return Error{"cannot create folder '" + path + "': " + journal::describe({error})};
  }
  auto lock = journal::FolderLock::take(folder);
  if (!lock && lock.error().number == EWOULDBLOCK)
    return Error{"another server uses '" + folder + "'; one folder belongs to one server"};
  if (!lock) return Error{"cannot lock '" + folder + "/lock': " + journal::describe(lock.error())};
  std::unique_ptr<StateFolder> state(new StateFolder(files, writer, options, *std::move(lock)));
  auto restored = journal::restore(files, journal_folder, true, rules);
  if (!restored)
    return Error{restored.error() + ". To continue from the newest intact state: " +
                     base::program_names().tool + " state " + folder + " salvage",
                 true};
  state->restored_ = *std::move(restored);
  auto tokens = journal::PlayerLog::read(files, folder + "/players");
  if (!tokens)
    return Error{"cannot read '" + folder + "/players': " + journal::describe(tokens.error())};
  state->tokens_ = *std::move(tokens);
  return state;
}

std::string StateFolder::begin(Server& server, const sim::Simulation& simulation,
                               const std::vector<std::string>& rules,
                               const std::string& scene_file) {
  journal::SegmentOptions segments;
  segments.folder = options_.folder + "/journal";
  segments.durability = options_.durability;
  segments.most_segment_bytes = most_segment_bytes;
  segments.most_segment_ticks =
      most_segment_seconds * static_cast<std::uint32_t>(simulation.options().tick_rate_hz);
  segments.quota_bytes = options_.quota_bytes;
  const auto earlier = journal::segments_of(files_, segments.folder);
  if (!earlier) return "cannot read '" + segments.folder + "': " + describe(earlier.error());
  for (const journal::SegmentFile& segment : *earlier) {
    segments.earlier.push_back(segment.path);
    segments.first_number = segment.number + 1;
  }
  players_ = std::make_unique<journal::PlayerLog>(files_, writer_, options_.folder + "/players",
                                                  options_.durability != journal::Durability::None);
  std::erase_if(tokens_, [&](const auto& entry) {
    return simulation.players().find(entry.first) == nullptr;
  });
  if (std::string error = players_->begin(tokens_); !error.empty()) return error;
  journal_ = std::make_unique<journal::Journal>(files_, writer_, segments, rules, &builder_);
  if (std::string error = journal_->begin(simulation, scene_file); !error.empty()) return error;
  server.restore_players(tokens_, players_.get());
  server.add_journal(journal_.get());
  server.set_durable_journal(journal_.get());
  if (options_.durability == journal::Durability::Strict)
    server.set_strict(journal_.get(), strict_seconds);
  return {};
}

bool StateFolder::close(const sim::Simulation& simulation) {
  constexpr double patience_s = 10;
  return journal_ == nullptr || journal_->close(simulation, patience_s);
}

void warn_of_contradictions(const std::vector<std::string>& given, const RunStart& wanted,
                            const RunStart& restored) {
  const auto file_name = [](const std::string& path) {
    return std::filesystem::path(path).filename();
  };
  std::string unused;
  for (const std::string& name : given) {
    const bool is_kept =
        name == "--scene" ? file_name(wanted.scene_file) == file_name(restored.scene_file)
        : name == "--hz"  ? wanted.options.tick_rate_hz == restored.options.tick_rate_hz
                          : wanted.options.seed == restored.options.seed;
    if (!is_kept) unused += (unused.empty() ? "" : ", ") + name;
  }
  if (unused.empty()) return;
  base::warn("state: options count only while the folder is new",
             {{"unused", unused},
              {"scene", file_name(restored.scene_file).string()},
              {"hz", restored.options.tick_rate_hz},
              {"seed", restored.options.seed}});
}

}  // namespace jostle::server
