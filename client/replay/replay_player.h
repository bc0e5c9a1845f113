#pragma once

#include "client/replay/tick_scene.h"
#include "shared/base/result.h"
#include "shared/record/replay_tape.h"
#include "shared/state/body_report.h"
#include "shared/state/overlay.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::replay {

/// Plays a recording, and beside it another one of the same scene. What is shown is always exactly
/// the state after a whole tick.
class ReplayPlayer {
 public:
  /// Times as fast as it was.
  static constexpr double rates[] = {1.0 / 60, 0.1, 0.25, 0.5, 1, 2, 4, 8};
  static constexpr int normal_rate = 4;  // its index

  /// At the beginning, paused. The error says in words what cannot be replayed or compared.
  static base::Result<std::unique_ptr<ReplayPlayer>, std::string> create(
      record::Recording shown, std::optional<record::Recording> other);

  const record::ReplayTape& tape() const { return *shown_; }
  bool has_other() const { return other_ != nullptr; }
  state::Tick first() const { return shown_->first(); }
  state::Tick last() const { return shown_->last(); }
  int tick_rate_hz() const { return shown_->simulation().options().tick_rate_hz; }

  /// The tick that is shown, and the one that is to be.
  state::Tick tick() const { return shown_->simulation().tick(); }
  state::Tick wanted() const { return shown_->wanted(); }
  bool is_there() const;
  bool is_playing() const { return is_playing_; }
  double rate() const { return rates[rate_]; }

  /// Plays or pauses; at the end it plays from the beginning.
  void toggle();
  /// Neither pauses nor goes on.
  void seek(state::Tick tick);
  /// So many ticks on, or back, from the one that is wanted; pauses.
  void step(std::int64_t ticks);
  /// So many rates faster, or slower.
  void change_rate(int steps);
  /// To the first tick from which on the two, or the replay and the recording, differ, if one is
  /// known; pauses.
  bool seek_difference();

  /// Goes on by so much time, as long as there is something to do and `may_go_on` says so, but by
  /// one tick at least. Time stands still until a tick that was asked for is there.
  void advance(double seconds, const std::function<bool()>& may_go_on);

  /// Of the tick that is shown.
  const TickScene& scene();
  /// What there is to draw beside, of the tick that is shown.
  const state::Overlay& overlay(state::OverlayLayers layers);
  /// What there is to say of a body in it; null where it is not there. Valid until the next one.
  const state::BodyReport* report(state::BodyId body);
  struct Velocity {
    math::Vec3 linear, angular;  // m/s of the centre of mass; rad/s
  };
  /// Of a body in it; nothing where it is not there.
  std::optional<Velocity> velocity(state::BodyId body) const;
  /// Of the other in the same tick; nothing where there is none, or it does not reach there.
  const SceneDifference* difference();

  /// Whether the tick that is shown is what was recorded; nothing for the first.
  std::optional<bool> is_as_recorded();

  // Marks.
  /// Ticks after which the two recordings say otherwise.
  const std::vector<record::TickRange>& differing() const { return differing_; }
  /// Whether they do of the tick that is shown.
  bool differs_now() const;
  /// Ticks that came out otherwise than they were recorded, of those that were replayed.
  const std::vector<record::TickRange>& diverged();
  const std::vector<state::Tick>& keyframes() const { return keyframes_; }
  /// Faults on purpose, of both.
  const std::vector<state::Tick>& faults() const { return faults_; }

 private:
  ReplayPlayer(std::unique_ptr<record::ReplayTape> shown, std::unique_ptr<record::ReplayTape> other,
               std::vector<record::TickRange> differing);
  void forget_scene();
  bool is_other_there() const;

  std::unique_ptr<record::ReplayTape> shown_, other_;
  std::vector<record::TickRange> differing_, diverged_;
  std::size_t diverged_count_ = 0;  // when diverged_ was made
  std::vector<state::Tick> keyframes_, faults_;
  bool is_playing_ = false;
  int rate_ = normal_rate;
  double ticks_due_ = 0;  // a part of one
  std::optional<TickScene> scene_, other_scene_;
  std::optional<SceneDifference> difference_;
  std::optional<state::Overlay> overlay_;
  state::OverlayLayers overlay_layers_ = 0;
  std::optional<state::BodyReport> report_;
  std::optional<std::optional<bool>> is_as_recorded_;
};

}  // namespace jostle::replay
