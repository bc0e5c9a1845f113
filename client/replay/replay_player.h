#pragma once

#include "client/replay/tick_scene.h"
#include "shared/base/result.h"
#include "shared/record/replay_cursor.h"
#include "shared/state/body_report.h"
#include "shared/state/debug_draw_frame.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::replay {

/// Player of a recording, and optionally of a second one of the same scene for comparison. The
/// displayed state is always exactly the state after a whole tick.
class ReplayPlayer {
 public:
  /// Playback speeds relative to real time.
  static constexpr double rates[] = {1.0 / 60, 0.1, 0.25, 0.5, 1, 2, 4, 8};
  static constexpr int normal_rate = 4;  // index of the normal rate

  /// Creates a player at the first tick, paused. The error says what cannot be replayed or
  /// compared. `other` is the recording for comparison, if any.
  static base::Result<std::unique_ptr<ReplayPlayer>, std::string> create(
      record::Recording shown, std::optional<record::Recording> other);

  const record::ReplayCursor& tape() const { return *shown_; }
  bool has_other() const { return other_ != nullptr; }
  state::Tick first() const { return shown_->first(); }
  state::Tick last() const { return shown_->last(); }
  int tick_rate_hz() const { return shown_->simulation().options().tick_rate_hz; }

  /// Returns the displayed tick.
  state::Tick tick() const { return shown_->simulation().tick(); }
  /// Returns the requested tick, which may not be reached yet.
  state::Tick wanted() const { return shown_->wanted(); }
  bool is_there() const;
  bool is_playing() const { return is_playing_; }
  double rate() const { return rates[rate_]; }

  /// Toggles between playing and paused. Playing at the last tick restarts from the first tick.
  void toggle();
  /// Requests a tick. Does not change whether the player is paused.
  void seek(state::Tick tick);
  /// Requests the tick that is `ticks` after (negative: before) the requested tick, within the
  /// recording; pauses.
  void step(std::int64_t ticks);
  /// Moves the speed by `steps` entries in `rates`, limited to the first and the last entry.
  void change_rate(int steps);
  /// Requests the first tick at which the two recordings differ; otherwise the first replayed tick
  /// whose result differs from the recording. Pauses. Returns false if no difference is known.
  bool seek_difference();

  /// Advances the requested tick by `seconds` of playback, if the player is not paused and has
  /// reached this tick. Then simulates ticks until the requested tick is reached: at least one, and
  /// more as long as `may_continue` returns true.
  void advance(double seconds, const std::function<bool()>& may_continue);

  /// Returns the scene of the displayed tick.
  const TickScene& scene();
  /// Returns the debug draw frame of the displayed tick.
  const state::DebugDrawFrame& debug_draw(state::DebugDrawLayers layers);
  /// Returns the report on a body, or null if the body does not exist. Valid until the next call.
  const state::BodyReport* report(state::BodyId body);
  struct Velocity {
    math::Vec3 linear, angular;  // m/s of the centre of mass; rad/s
  };
  /// Returns the velocity of a body; nothing if the body does not exist.
  std::optional<Velocity> velocity(state::BodyId body) const;
  /// Returns the difference from the other recording at the displayed tick; null if there is no
  /// other recording, or its replay is not at this tick.
  const SceneDifference* difference();

  /// Returns whether the displayed tick matches the recording; nothing for the first tick.
  std::optional<bool> matches_recording();

  // Marks of the time line.
  /// Returns the ranges of ticks whose resulting states differ between the two recordings.
  const std::vector<record::TickRange>& differing() const { return differing_; }
  /// Returns true if the two recordings differ at the displayed tick.
  bool differs_now() const;
  /// Returns the replayed ticks whose result differs from the recording.
  const std::vector<record::TickRange>& diverged();
  const std::vector<state::Tick>& keyframes() const { return keyframes_; }
  /// Returns the ticks of injected faults, of both recordings.
  const std::vector<state::Tick>& faults() const { return faults_; }

 private:
  ReplayPlayer(std::unique_ptr<record::ReplayCursor> shown,
               std::unique_ptr<record::ReplayCursor> other,
               std::vector<record::TickRange> differing);
  void forget_scene();
  bool is_other_there() const;

  std::unique_ptr<record::ReplayCursor> shown_, other_;
  std::vector<record::TickRange> differing_, diverged_;
  std::size_t diverged_count_ = 0;  // diverged_count() of the cursor when diverged_ was computed
  std::vector<state::Tick> keyframes_, faults_;
  bool is_playing_ = false;
  int rate_ = normal_rate;
  double ticks_due_ = 0;  // playback time in ticks that was not simulated yet, less than 1
  std::optional<TickScene> scene_, other_scene_;
  std::optional<SceneDifference> difference_;
  std::optional<state::DebugDrawFrame> debug_draw_;
  state::DebugDrawLayers debug_draw_layers_ = 0;
  std::optional<state::BodyReport> report_;
  std::optional<std::optional<bool>> matches_recording_;
};

}  // namespace jostle::replay
