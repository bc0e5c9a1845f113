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

/// Properties of the moving bodies of a revision that the snapshot codec needs, indexed like its
/// MovingIds; shared by all snapshots of the revision.
using MovingFacts = std::shared_ptr<const std::vector<protocol::context::BodyFacts>>;

/// The client's copy of the list of bodies. It keeps removed bodies until the displayed revision
/// has passed their removal. It also keeps the ids of the moving bodies of recent revisions,
/// because snapshots of these revisions may still arrive.
class WorldReplica {
 public:
  static constexpr std::size_t max_held_changes = 1'024;
  static constexpr std::size_t max_known_revisions = 1'024;

  bool is_empty() const { return !has_world_; }
  /// Returns the world at the newest applied revision.
  const state::WorldDef& world() const { return world_; }
  std::uint32_t revision() const { return world_.revision; }
  /// Returns the revision of the last full world definition. The server sends one after a join, a
  /// reset, a scene change or a change that is too large.
  std::uint32_t whole_revision() const { return whole_revision_; }

  enum class Outcome : std::uint8_t {
    Applied,
    Held,     // stored until the preceding revision has arrived
    Ignored,  // dropped, because its revision is already applied or stored
    Broken,   // does not fit the world that it changes, or exceeds a limit
  };
  /// Replaces the world by a newer one, then applies the stored changes.
  Outcome replace(state::WorldDef world);
  /// Applies a change. Changes are applied in order of revision.
  Outcome change(state::WorldChange change);

  /// Returns the ids of the moving bodies of a revision; nullptr if they are not known.
  MovingIds moving_ids(std::uint32_t revision) const;
  /// Returns the facts that the snapshot codec needs about the bodies of moving_ids(); nullptr if
  /// moving_ids() returns nullptr.
  MovingFacts moving_facts(std::uint32_t revision) const;

  /// Returns the quantised spawn pose of a body, which serves as its first baseline; nullptr if the
  /// body is not known, or no longer known.
  const protocol::QuantizedBody* spawn_pose(state::BodyId id) const;

  /// Forgets bodies that were removed in `revision` or earlier.
  void forget_departed(std::uint32_t revision);

  struct Resident {
    state::BodyInfo info;
    protocol::QuantizedBody spawn_pose;
    std::uint32_t from_revision = 0;  // first revision with this body
    // first revision without it
    std::uint32_t to_revision = std::numeric_limits<std::uint32_t>::max();
  };
  /// Visits every body of a revision, in order of id: fn(const Resident&).
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
  std::size_t shapes_ = 0;  // total over all bodies of world_
  state::WorldDef world_;
  std::vector<Resident> residents_;      // sorted by id; includes removed bodies
  std::deque<state::WorldChange> held_;  // sorted by revision
  struct Known {
    std::uint32_t revision = 0;
    MovingIds ids;
    MovingFacts facts;
  };
  const Known* known_at(std::uint32_t revision) const;
  std::deque<Known> known_;    // sorted by revision
  std::size_t known_ids_ = 0;  // total over all entries of known_
};

}  // namespace jostle::client
