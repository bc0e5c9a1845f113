#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"
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

/// Ticks [first, last].
struct TickRange {
  state::Tick first, last;
  bool operator==(const TickRange&) const = default;
};

/// The ticks that two recordings of one scene both have and that do not end in the same state; the
/// error says in words why they cannot be compared.
base::Result<std::vector<TickRange>, std::string> differing_ticks(const Recording& a,
                                                                  const Recording& b);

/// A recording that can be looked at in any tick, in any order: it is replayed from the nearest
/// state before. What it comes to is compared with what was recorded, as far as it was seen.
class ReplayTape {
 public:
  /// States that are kept on the way, all together.
  static constexpr std::size_t default_kept_bytes = std::size_t{256} << 20;

  /// In its first state. The error says in words what this build cannot replay.
  static base::Result<std::unique_ptr<ReplayTape>, std::string> create(
      Recording recording, std::size_t kept_bytes = default_kept_bytes);

  const Recording& recording() const { return recording_; }
  /// The state before the first recorded tick, and that after the last.
  state::Tick first() const { return first_; }
  state::Tick last() const;
  /// Where a whole state was written down.
  std::vector<state::Tick> keyframes() const;

  /// Where to go; what is beyond the ends is taken for the end. A short way on is gone from where
  /// it is, whatever was recorded there: what came out otherwise stays otherwise.
  void seek(state::Tick tick);
  state::Tick wanted() const { return wanted_; }
  /// One tick of the way there; false where there is nothing left to do.
  bool advance();

  /// After tick `simulation().tick()`.
  const sim::Simulation& simulation() const { return *simulation_; }
  /// Whether that is the state that was recorded; nothing for the first, whose hash was not.
  std::optional<bool> is_as_recorded() const;
  /// Ticks whose replay came out otherwise than recorded, of those that were replayed.
  std::vector<TickRange> diverged() const;
  std::size_t diverged_count() const { return diverged_count_; }

 private:
  enum class Verdict : std::uint8_t { NotSeen, Same, Differs };

  ReplayTape(Recording recording, std::unique_ptr<sim::Simulation> simulation,
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
  std::vector<const RecordedTick*> ticks_;              // in order
  std::map<state::Tick, const RecordedBlock*> blocks_;  // by the tick before their first
  std::map<state::Tick, std::vector<std::byte>> kept_;  // states on the way
  std::uint32_t keep_interval_ = 30;
  std::vector<Verdict> verdicts_;  // of ticks_
  std::size_t diverged_count_ = 0;
};

}  // namespace jostle::record
