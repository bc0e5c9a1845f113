#include "server/state_folder.h"

#include "shared/base/log.h"
#include "shared/scene/scene.h"
#include "shared/scene_files/scene_files.h"

#include <cerrno>
#include <filesystem>
#include <optional>

namespace jostle::server {
namespace {

// A segment holds at most this much, so that a restart reads little.
constexpr std::uint64_t most_segment_bytes = 64ULL << 20;
constexpr std::uint32_t most_segment_seconds = 600;
/// Longest time that a tick waits for the disk with --durability strict, s.
constexpr double strict_seconds = 1;

using Error = StateFolder::Error;

Error error_of(const std::string& text, journal::FileError error) {
  const bool is_disk = error.number == ENOSPC || error.number == EDQUOT || error.number == EIO;
  return {text + ": " + journal::describe(error), is_disk ? Error::Kind::Disk : Error::Kind::Path};
}

/// Returns the error of a folder that had a world, but has no journal any more; null otherwise.
/// Warns if the folder has other files, which a server that was never ready may have left.
std::optional<Error> missing_journal(journal::Files& files, const std::string& folder) {
  const std::string players = folder + "/players";
  if (!files.size(players)) {
    const auto kept = files.list(folder + "/journal");
    const bool has_files = kept && !kept->empty();
    if (has_files || files.size(folder + "/keys"))
      base::warn("state: a new world begins, because the folder has no segment of a journal",
                 {{"folder", folder}, {"found", has_files ? "other files in journal" : "keys"}});
    return std::nullopt;
  }
  return Error{"'" + folder + "/journal' has no segment, but '" + players +
                   "' shows that a world was kept here: the journal was removed or moved. Put it "
                   "back; to begin a new world in this folder, remove '" +
                   players + "'",
               Error::Kind::Content};
}

}  // namespace

base::Result<std::unique_ptr<StateFolder>, Error> StateFolder::open(journal::Files& files,
                                                                    journal::Executor& writer,
                                                                    const StateOptions& options,
                                                                    const sim::RuleFactory& rules) {
  std::string folder = options.folder;
  while (folder.size() > 1 && folder.ends_with('/'))
    folder.pop_back();
  const std::string journal_folder = folder + "/journal";
  for (const std::string& path : {folder, journal_folder}) {
    if (const int error = journal::make_folders(files, path); error != 0)
      return error_of("cannot create folder '" + path + "'", {error});
  }
  auto lock = journal::FolderLock::take(folder);
  if (!lock && lock.error().number == EWOULDBLOCK)
    return Error{"another server uses '" + folder + "'; one folder belongs to one server"};
  if (!lock) return error_of("cannot lock '" + folder + "/lock'", lock.error());
  std::unique_ptr<StateFolder> state(new StateFolder(files, writer, options, *std::move(lock)));
  state->options_.folder = folder;
  auto restored = journal::restore(files, journal_folder, true, rules);
  if (!restored) {
    const std::string advice = journal::way_out(restored.error(), folder);
    const bool is_disk = restored.error().kind == journal::RestoreError::Kind::Unreadable;
    return Error{restored.error().text + (advice.empty() ? "" : ". " + advice),
                 is_disk ? Error::Kind::Disk : Error::Kind::Content};
  }
  if (*restored == nullptr) {
    if (auto missing = missing_journal(files, folder)) return *std::move(missing);
  }
  state->restored_ = *std::move(restored);
  auto tokens = journal::PlayerLog::read(files, folder + "/players");
  if (!tokens) return error_of("cannot read '" + folder + "/players'", tokens.error());
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
  journal_ = std::make_unique<journal::Journal>(files_, writer_, segments, rules, &builder_);
  if (std::string error = journal_->begin(simulation, scene_file); !error.empty()) return error;
  // The file of players shows that there was a journal: see missing_journal().
  players_ = std::make_unique<journal::PlayerLog>(files_, writer_, options_.folder + "/players",
                                                  options_.durability != journal::Durability::None);
  std::erase_if(tokens_, [&](const auto& entry) {
    return simulation.players().find(entry.first) == nullptr;
  });
  if (std::string error = players_->begin(tokens_); !error.empty()) return error;
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

void warn_of_contradictions(net::Io& io, const std::vector<std::string>& given,
                            const std::string& scene, const sim::SimulationOptions& options,
                            const std::string& restored_scene_file,
                            const sim::Simulation& restored) {
  const auto file_name = [](const std::string& path) {
    return std::filesystem::path(path).filename();
  };
  const auto is_scene_kept = [&] {
    if (file_name(scene::scene_path(scene)) != file_name(restored_scene_file)) return false;
    const auto loaded = scene::load_scene(io, scene);
    return loaded && scene::hash(*loaded) == restored.scene_hash();
  };
  std::string unused;
  for (const std::string& name : given) {
    const bool is_kept = name == "--scene" ? is_scene_kept()
                         : name == "--hz"  ? options.tick_rate_hz == restored.options().tick_rate_hz
                                           : options.seed == restored.options().seed;
    if (!is_kept) unused += (unused.empty() ? "" : ", ") + name;
  }
  if (unused.empty()) return;
  base::warn("state: options count only while the folder is new",
             {{"unused", unused},
              {"scene", file_name(restored_scene_file).string()},
              {"hz", restored.options().tick_rate_hz},
              {"seed", restored.options().seed}});
}

}  // namespace jostle::server
