#pragma once

#include "api/server/callback_rule.h"
#include "api/server/game.h"
#include "shared/record/compare.h"
#include "shared/record/recording.h"
#include "shared/record/replay_cursor.h"

#include <jostle/server/recordings.h>

#include <memory>
#include <string>

namespace jostle::api {

/// Returns a factory of the default rules and the rules of the caller.
sim::RuleFactory rule_factory(RuleDefinitions definitions);
/// Reads a file; refuses damaged ones.
record::Recording read_recording_file(const char* path, const char* name);
/// Returns the cause and the first differing number of two recordings as text; empty if they are
/// equal.
std::string difference_text(const record::RecordingComparison& comparison);

/// Sets the function that the replays of this thread call after each tick; null: none.
void set_replay_function(jostle_replay_function function, void* user) noexcept;
/// Calls this function. Refuses to go on if it returns 0.
void after_replayed_tick();

/// An open recording and its replay.
class RecordingHost {
 public:
  RecordingHost(const char* path, RuleDefinitions definitions);

  jostle_recording_info info() const;
  jostle_game game() const { return game_.handle(); }
  /// Goes to a tick of the recording. If the function of the thread ends the replay, goes back to a
  /// state before the newest tick, which may lack a part of what its rules do.
  void seek(state::Tick tick);
  state::Tick tick() const { return cursor_->simulation().tick(); }
  state::Tick first() const { return cursor_->first(); }
  state::Tick last() const { return cursor_->last(); }

 private:
  class Work;
  void advance();

  std::unique_ptr<record::ReplayCursor> cursor_;
  LentGame game_;
};

}  // namespace jostle::api
