#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/snapshot_codec.h"
#include "server/baseline_tracker.h"
#include "server/coded_snapshot.h"
#include "server/foreseer.h"
#include "server/foresight_budget.h"
#include "server/snapshot_history.h"
#include "shared/net/io.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::server {

/// How much time a snapshot is worth.
enum class Effort : std::uint8_t { Usual, Least };

/// Codes the newest snapshot. Whole ones are coded once for all sessions with the same references.
class SnapshotCoder {
 public:
  using Runs = std::vector<protocol::context::ReferenceRun>;

  /// `io` tells how long coding takes and must outlive the coder.
  explicit SnapshotCoder(net::Io& io) : io_(io) {}

  /// A new snapshot, of the world given. Forgets the codings of the one before.
  void begin(SharedSnapshot now, const state::WorldDef& world);

  const protocol::QuantizedSnapshot& now() const { return *now_; }
  const SharedSnapshot& shared_now() const { return now_; }
  /// The snapshot before, or null.
  const protocol::QuantizedSnapshot* before() const { return before_.get(); }
  std::span<const protocol::context::BodyFacts> facts() const { return facts_; }
  std::span<const state::PlayerId> owners() const { return owners_; }

  /// All bodies, against the references of `client`; or, once coding has taken a while, against
  /// others that it knows as well and for which there is a coding: older ones cost bytes, another
  /// coding costs time. Bit-packed where the context coder would need too many parts, or when this
  /// snapshot has taken its time already. With a foreseer by codec 3, where that can be and there
  /// is time for it. With the least effort bit-packed, unless it is coded already.
  const CodedSnapshot& whole(BaselineTracker& client, const SnapshotHistory& history,
                             const Foreseer* foreseer = nullptr, Effort effort = Effort::Usual);
  /// The chosen bodies, by index; as many of them as a snapshot has room for.
  CodedSnapshot some(std::span<const std::uint32_t> chosen, const Runs& runs,
                     const SnapshotHistory& history);

  /// Bytes that the parts of all bodies took when they were coded of late.
  std::optional<std::uint64_t> whole_bytes() const {
    const bool is_new = now_->tick - whole_coded_ <= whole_bytes_kept_ticks;
    return is_new ? whole_bytes_ : std::nullopt;
  }
  /// The time for this snapshot is used up: what follows is to be cheap.
  bool is_late() const { return spent_us_ > max_coding_us; }

  /// Beyond this a tick of 60 Hz would be in danger.
  static constexpr std::int64_t max_coding_us = 6'000;
  /// From here on clients share codings that are not quite their own.
  static constexpr std::int64_t own_coding_us = 2'000;

 private:
  struct Coding {
    Runs runs;
    CodedSnapshot coded;
  };
  const CodedSnapshot* foreseen(const Runs& runs, const SnapshotHistory& history,
                                const Foreseer& foreseer);
  static const Coding* find_same(const std::vector<Coding>& codings, const Runs& runs);
  const Coding* find_coding(const Runs& runs, const BaselineTracker& client) const;
  CodedSnapshot code_whole(const Runs& runs, const SnapshotHistory& history, Effort effort) const;

  net::Io& io_;
  SharedSnapshot now_, before_;
  std::optional<std::uint32_t> world_revision_;  // that the following are of
  protocol::QuantizedSnapshot spawn_poses_;
  std::vector<protocol::context::BodyFacts> facts_;
  std::vector<state::PlayerId> owners_;

  std::vector<Coding> codings_;           // of now_
  std::vector<Coding> quick_codings_;     // likewise, with the least effort
  std::vector<Coding> foreseen_codings_;  // likewise, by codec 3
  static constexpr std::int64_t whole_bytes_kept_ticks = 30;
  std::optional<std::uint64_t> whole_bytes_;
  state::Tick whole_coded_;
  std::int64_t spent_us_ = 0;
  ForesightBudget foresight_{max_coding_us};
};

}  // namespace jostle::server
