#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::record {

/// A closed range of ticks, [first, last].
struct TickRange {
  state::Tick first, last;
  bool operator==(const TickRange&) const = default;
};

/// Returns the ranges of common ticks after which the states of two recordings differ. The error
/// says why they cannot be compared.
base::Result<std::vector<TickRange>, std::string> differing_ticks(const Recording& a,
                                                                  const Recording& b);

/// A recording with random access: any tick can be shown by replaying from the nearest earlier
/// state. Every replayed tick is compared with the recorded hash.
class ReplayCursor {
 public:
  /// Limit on the total size of the states kept for seeking.
  static constexpr std::size_t default_kept_bytes = std::size_t{256} << 20;

  /// Creates a cursor at the first state of the recording. `rules` must return rules of the
  /// recorded names. The error says why this program cannot replay it.
  static base::Result<std::unique_ptr<ReplayCursor>, std::string> create(
      Recording recording, std::size_t kept_bytes = default_kept_bytes,
      const sim::RuleFactory& rules = sim::default_rules);

  const Recording& recording() const { return recording_; }
  /// Returns the tick of the state before the first recorded tick; last() is the last recorded
  /// tick.
  state::Tick first() const { return first_; }
  state::Tick last() const;
  /// Returns the ticks after which a full state is saved in the recording.
  std::vector<state::Tick> keyframes() const;

  /// Sets the tick that advance() goes to, clamped to first() and last(). Restores the nearest
  /// state at or before that tick, unless the current one is as near. For a short distance forward
  /// the replay continues from the current state, even if that has diverged from the recording.
  /// Returns false if no such state can be restored; the current one then stays.
  bool seek(state::Tick tick);
  state::Tick wanted() const { return wanted_; }
  /// Simulates one tick towards the wanted tick. Returns false once that tick is reached.
  bool advance();

  /// Forgets the newest replayed tick and goes back to the nearest state before it. Returns false
  /// if none can be restored. Contract: a tick was replayed.
  bool take_back();

  /// Returns the simulation, in the state after its current tick.
  const sim::Simulation& simulation() const { return *simulation_; }
  /// Returns true if the current state matches the recording; null for the first state, which has
  /// no recorded hash.
  std::optional<bool> matches_recording() const;
  /// Returns the ranges of replayed ticks that differ from the recording.
  std::vector<TickRange> diverged() const;
  std::size_t diverged_count() const { return diverged_count_; }

 private:
  enum class Verdict : std::uint8_t { NotSeen, Same, Differs };

  ReplayCursor(Recording recording, std::unique_ptr<sim::Simulation> simulation,
               std::size_t kept_bytes);
  const RecordedTick& recorded(state::Tick tick) const;
  std::size_t index_of(state::Tick tick) const {
    return static_cast<std::size_t>(tick - first_) - 1;
  }
  void note(state::Tick tick, Verdict verdict);
  void keep();
  bool restore(const std::vector<std::byte>& state);

  Recording recording_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::size_t kept_bytes_, held_bytes_ = 0;
  state::Tick first_, wanted_;
  std::vector<const RecordedTick*> ticks_;  // all ticks of the recording, in order
  // keyed by the tick before the block's first tick
  std::map<state::Tick, const RecordedBlock*> blocks_;
  std::map<state::Tick, std::vector<std::byte>> kept_;  // states kept for seeking
  std::uint32_t keep_interval_ = 30;
  std::vector<Verdict> verdicts_;  // parallel to ticks_
  std::size_t diverged_count_ = 0;
};

}  // namespace jostle::record
