#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/messages.h"
#include "protocol/quantize.h"
#include "shared/state/ids.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::server {

/// Chooses the bodies of which a client hears now when there is no room for all.
///
/// First come those that are most wrong at the client if nothing is told of them now, seen from
/// where it looks. A difference that waits grows, so everything gets its turn (a priority
/// accumulator: Fiedler, "State synchronization", 2015, with the error itself as what is
/// accumulated).
class UpdatePicker {
 public:
  /// A world as it is now; spans by index of its moving bodies.
  struct World {
    const protocol::QuantizedSnapshot* now = nullptr;
    std::span<const protocol::context::BodyFacts> facts;
    std::span<const state::PlayerId> owners;
  };
  /// Whom the choice is for.
  struct Viewer {
    const protocol::SetInterest* interest = nullptr;  // null: everything matters as much
    state::PlayerId player;
    /// What it has acknowledged, by index.
    std::span<const protocol::context::ReferencePair> acknowledged;
    /// What was sent so long ago and is not acknowledged counts as lost.
    std::uint32_t patience_ticks = 0;
  };
  struct Choice {
    std::vector<std::uint32_t> bodies;  // by index, ascending
    std::size_t changed = 0;            // of them
    bool is_short = false;              // others would have had something to say
  };

  /// From now on, as if all bodies of this snapshot had been told.
  void begin(const protocol::QuantizedSnapshot& told);
  bool has_begun() const { return has_begun_; }
  void end() { has_begun_ = false; }

  /// At most so many bodies that have changed, and some others that cost next to nothing: those
  /// that have come to rest, so that the client does not carry them on, and those whose
  /// acknowledged state gets too old to be a reference. Contract: has_begun().
  Choice pick(const World& world, const Viewer& viewer, std::size_t most_changed);
  /// `before`: the snapshot before, or null; of it follow velocities.
  void note_sent(const protocol::QuantizedSnapshot& now, const protocol::QuantizedSnapshot* before,
                 std::span<const std::uint32_t> chosen);

 private:
  struct Told {
    protocol::QuantizedBody state;
    state::Tick tick;
    math::Vec3 step;          // m a tick, when it was told
    bool is_at_rest = false;  // told twice the same
  };
  struct Candidate {
    float urgency = 0;
    std::uint32_t index = 0;
  };
  static float error_of(const Told& told, const protocol::QuantizedBody& now, state::Tick tick,
                        float reach);
  void follow_bodies(const protocol::QuantizedSnapshot& now);
  void gather(const World& world, const Viewer& viewer);

  bool has_begun_ = false;
  std::uint32_t revision_ = 0;
  std::vector<state::BodyId> ids_;
  std::vector<Told> told_;  // parallel to ids_
  std::vector<Candidate> changed_, unchanged_;
  std::vector<Candidate> ageing_;  // some of changed_; urgency: ticks since acknowledged
};

}  // namespace jostle::server
