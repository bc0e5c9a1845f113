#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/limits.h"
#include "protocol/snapshot_codec.h"
#include "server/baseline_predictor.h"
#include "server/baseline_tracker.h"
#include "server/encoded_snapshot.h"
#include "server/prediction_baseline_budget.h"
#include "server/snapshot_history.h"
#include "shared/net/io.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::server {

/// Encoding effort of a snapshot. Fast is bit packing (codec 1): less time, but more bytes.
enum class Effort : std::uint8_t { Normal, Fast };

/// Encoder of the newest snapshot. Sessions with the same baselines share an encoding of all
/// bodies.
class SnapshotEncoder {
 public:
  using Runs = std::vector<protocol::context::ReferenceRun>;

  /// `io` is the clock that measures encoding times. It must outlive this object.
  explicit SnapshotEncoder(net::Io& io) : io_(io) {}

  /// Returns the maximum payload size of a part, which is smaller if parts may have teleports.
  static std::size_t payload_room(bool has_teleports) {
    return protocol::max_part_payload_bytes() - (has_teleports ? protocol::teleport_room_bytes : 0);
  }
  /// Starts a new snapshot of `world` and drops the encodings of the previous one. `room` is the
  /// maximum payload size of a part.
  void begin(SharedSnapshot now, const state::WorldDef& world,
             std::size_t room = payload_room(false));

  const protocol::QuantizedSnapshot& now() const { return *now_; }
  const SharedSnapshot& shared_now() const { return now_; }
  /// Returns the previous snapshot; null if there is none.
  const protocol::QuantizedSnapshot* before() const { return before_.get(); }
  std::span<const protocol::context::BodyFacts> facts() const { return facts_; }
  std::span<const state::PlayerId> owners() const { return owners_; }

  /// Returns an encoding of all bodies, usually context-coded against the newest baselines of
  /// `client`. Exceptions:
  ///
  /// - If encoding has taken longer than own_coding_us, the result may be an existing encoding
  ///   against other baselines that the client has. Older baselines cost bytes, a new encoding
  ///   costs time.
  ///
  /// - The result is bit-packed if the context coder needs too many parts or the snapshot has used
  ///   up its time. With Effort::Fast it is bit-packed unless a better encoding exists already.
  ///
  /// - If a baseline predictor is given and the effort is normal, codec 3 is used if a prediction
  ///   is possible and there is time.
  const EncodedSnapshot& whole(BaselineTracker& client, const SnapshotHistory& history,
                               const BaselinePredictor* baseline_predictor = nullptr,
                               Effort effort = Effort::Normal);
  /// Encodes as many of the `chosen` bodies (ascending indices) as fit in one snapshot. `runs`
  /// names the baseline of each body.
  EncodedSnapshot some(std::span<const std::uint32_t> chosen, const Runs& runs,
                       const SnapshotHistory& history);

  /// Returns the payload size in bytes of the last encoding of all bodies with normal effort and
  /// without prediction; null if it is older than whole_bytes_kept_ticks or the world revision has
  /// changed since.
  std::optional<std::uint64_t> whole_bytes() const {
    const bool is_new = now_->tick - whole_coded_ <= whole_bytes_kept_ticks;
    return is_new ? whole_bytes_ : std::nullopt;
  }
  /// Returns true if the encoding time of this snapshot (max_coding_us) is used up. Callers must
  /// then do only cheap work for this snapshot.
  bool is_late() const { return spent_us_ > max_coding_us; }

  /// Maximum encoding time per snapshot. More could make a tick at 60 Hz miss its deadline.
  static constexpr std::int64_t max_coding_us = 6'000;
  /// Encoding time after which a client may get an existing encoding that is not against its own
  /// newest baselines.
  static constexpr std::int64_t own_coding_us = 2'000;

 private:
  struct Coding {
    Runs runs;
    EncodedSnapshot coded;
  };
  const EncodedSnapshot* predicted(const Runs& runs, const SnapshotHistory& history,
                                   const BaselinePredictor& baseline_predictor);
  static const Coding* find_same(const std::vector<Coding>& codings, const Runs& runs);
  const Coding* find_coding(const Runs& runs, const BaselineTracker& client) const;
  EncodedSnapshot code_whole(const Runs& runs, const SnapshotHistory& history, Effort effort) const;

  net::Io& io_;
  std::size_t room_ = 0;
  SharedSnapshot now_, before_;
  std::optional<std::uint32_t> world_revision_;  // revision of facts_, owners_ and spawn_poses_
  protocol::QuantizedSnapshot spawn_poses_;
  std::vector<protocol::context::BodyFacts> facts_;
  std::vector<state::PlayerId> owners_;

  std::vector<Coding> codings_;        // encodings of now_ with Effort::Normal, without prediction
  std::vector<Coding> quick_codings_;  // encodings of now_ with Effort::Fast
  std::vector<Coding> predicted_codings_;  // encodings of now_ by codec 3
  static constexpr std::int64_t whole_bytes_kept_ticks = 30;
  std::optional<std::uint64_t> whole_bytes_;
  state::Tick whole_coded_;
  std::int64_t spent_us_ = 0;
  PredictionBaselineBudget prediction_baseline_{max_coding_us};
};

}  // namespace jostle::server
