#pragma once

#include "client/snapshot_buffer.h"
#include "protocol/context/references.h"
#include "protocol/quantize.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

namespace jostle::client {

/// By index in MovingIds; shared like them.
using MovingFacts = std::shared_ptr<const std::vector<protocol::context::BodyFacts>>;

/// The client's copy of which bodies exist, revision by revision. It remembers bodies that have
/// gone until the revision that is shown has left them behind, and the moving bodies of recent
/// revisions, because snapshots of those may still come.
class WorldReplica {
 public:
  static constexpr std::size_t max_held_changes = 1'024;
  static constexpr std::size_t max_known_revisions = 1'024;

  bool is_empty() const { return !has_world_; }
  /// At the newest revision applied.
  const state::WorldDef& world() const { return world_; }
  std::uint32_t revision() const { return world_.revision; }
  /// With which the last whole world came: another scene, the same one anew, or a new start.
  std::uint32_t whole_revision() const { return whole_revision_; }

  enum class Outcome : std::uint8_t {
    Applied,
    Held,     // its predecessor is not there yet
    Ignored,  // not newer than what is there
    Broken,   // does not fit the world that it changes, or a bound is reached
  };
  /// Puts `world` in the place of an older one, then applies what was held for it.
  Outcome replace(state::WorldDef world);
  /// Changes are applied in order of revision.
  Outcome change(state::WorldChange change);

  /// Moving bodies of a revision, or nullptr when it is not known exactly (any more).
  MovingIds moving_ids(std::uint32_t revision) const;
  /// What the coder of snapshots knows of them; nullptr at the same time.
  MovingFacts moving_facts(std::uint32_t revision) const;

  /// Pose in which a body came into being, as the wire carries it: the first baseline of its
  /// coding. nullptr for bodies that are not known (any more).
  const protocol::QuantizedBody* spawn_pose(state::BodyId id) const;

  /// Forgets bodies that were gone in `revision` already.
  void forget_departed(std::uint32_t revision);

  struct Resident {
    state::BodyInfo info;
    protocol::QuantizedBody spawn_pose;
    std::uint32_t from_revision = 0;  // the first with this body
    std::uint32_t to_revision = std::numeric_limits<std::uint32_t>::max();  // the first without it
  };
  /// Visits every body of a revision, by id: fn(const Resident&).
  template <typename Fn>
  void for_each_at(std::uint32_t revision, Fn&& fn) const {
    for (const Resident& body : residents_) {
      if (body.from_revision <= revision && revision < body.to_revision) fn(body);
    }
  }

 private:
  bool apply(const state::WorldChange& change);
  bool apply_held();
  void note_revision();

  bool has_world_ = false;
  std::uint32_t whole_revision_ = 0;
  std::size_t shapes_ = 0;  // of all bodies of world_
  state::WorldDef world_;
  std::vector<Resident> residents_;      // by id; those that have gone included
  std::deque<state::WorldChange> held_;  // by revision
  struct Known {
    std::uint32_t revision = 0;
    MovingIds ids;
    MovingFacts facts;
  };
  const Known* known_at(std::uint32_t revision) const;
  std::deque<Known> known_;    // by revision
  std::size_t known_ids_ = 0;  // in all of them
};

}  // namespace jostle::client
