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

/// Priority accumulator: chooses the bodies to send to a client if not all bodies fit.
///
/// The priority of a body is the error at the client if the body is not sent now, weighted by its
/// importance for the client's camera. Errors grow while a body waits, so every body is sent
/// eventually (Fiedler, "State synchronization", 2015, with the error itself as the accumulated
/// priority).
class PriorityAccumulator {
 public:
  /// The current world; the spans are indexed by moving body.
  struct World {
    const protocol::QuantizedSnapshot* now = nullptr;
    std::span<const protocol::context::BodyFacts> facts;
    std::span<const state::PlayerId> owners;
  };
  /// The client for which bodies are chosen.
  struct Viewer {
    // region of interest; null: all bodies are equally important
    const protocol::SetInterest* interest = nullptr;
    state::PlayerId player;
    /// The ticks of the acknowledged states, by body index.
    std::span<const protocol::context::BaselinePair> acknowledged;
    /// Number of ticks after which a state that was sent but not acknowledged counts as lost.
    std::uint32_t patience_ticks = 0;
  };
  struct Choice {
    std::vector<std::uint32_t> bodies;  // indices, ascending
    std::size_t changed = 0;  // number of `bodies` that have changed or whose last state was lost
    bool is_short = false;    // true if changed bodies were left out
  };

  /// Starts the accumulation, as if all bodies of `sent` had just been sent.
  void begin(const protocol::QuantizedSnapshot& sent);
  bool has_begun() const { return has_begun_; }
  void end() { has_begun_ = false; }

  /// Chooses at most `most_changed` bodies that have changed or whose last state was lost. Also
  /// chooses some unchanged bodies, which cost almost nothing: bodies that have just stopped, so
  /// that the client stops extrapolating them, and bodies whose acknowledged state will soon be too
  /// old as a baseline. Contract: has_begun().
  Choice pick(const World& world, const Viewer& viewer, std::size_t most_changed);
  /// Records that the bodies `chosen` of the snapshot `now` were sent. `before` is the previous
  /// snapshot, or null; velocities are computed from it.
  void note_sent(const protocol::QuantizedSnapshot& now, const protocol::QuantizedSnapshot* before,
                 std::span<const std::uint32_t> chosen);

 private:
  struct LastSent {
    protocol::QuantizedBody state;
    state::Tick tick;
    math::Vec3 step;          // displacement per tick when it was sent, m
    bool is_at_rest = false;  // true if the body was sent twice in a row with the same state
  };
  struct Candidate {
    float urgency = 0;
    std::uint32_t index = 0;
  };
  static float error_of(const LastSent& sent, const protocol::QuantizedBody& now, state::Tick tick,
                        float reach);
  void follow_bodies(const protocol::QuantizedSnapshot& now);
  void gather(const World& world, const Viewer& viewer);

  bool has_begun_ = false;
  std::uint32_t revision_ = 0;
  std::vector<state::BodyId> ids_;
  std::vector<LastSent> sent_;  // parallel to ids_
  std::vector<Candidate> changed_, unchanged_;
  // subset of changed_; urgency: age of the acknowledged state in ticks
  std::vector<Candidate> ageing_;
};

}  // namespace jostle::server
