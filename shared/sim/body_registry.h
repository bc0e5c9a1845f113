#pragma once

#include "shared/base/bytes.h"
#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::sim {

/// A map from the engine's bodies to the ids and descriptions that clients know. It collects the
/// bodies created and removed in a tick into one world change.
class BodyRegistry {
 public:
  /// Creates the body with the next id, and returns the id.
  state::BodyId spawn(physics::World& world, const scene::SceneBody& body, state::PlayerId owner);
  /// Removes the body, which must be alive.
  void despawn(physics::World& world, state::BodyId id);
  /// Sets a body elsewhere. Clients then show it at its new pose at once, instead of moving it
  /// there. The velocity stays. Contract: the body is alive and has an id.
  void teleport(physics::World& world, physics::BodyHandle body, const math::Pose& pose);
  /// Returns the ids of the bodies that teleport() has moved since begin_tick(), sorted.
  const std::vector<state::BodyId>& teleported() const { return teleported_; }
  /// Removes all entries, for a world that is replaced by a new one. Ids continue to count up.
  void clear();

  /// Returns the id of the next body.
  state::BodyId next_id() const { return {next_id_}; }
  /// Sets the id of the next body. Contract: there are no bodies yet.
  void set_next_id(state::BodyId id) { next_id_ = id.value; }
  /// Replaces all entries by those of `other`, whose ids are not below next_id().
  void adopt(BodyRegistry&& other);

  bool is_alive(state::BodyId id) const { return find(id).has_value(); }
  std::optional<physics::BodyHandle> find(state::BodyId id) const;
  /// Returns the handle of the body, which must be alive.
  physics::BodyHandle handle(state::BodyId id) const;
  /// Returns the description of a body, or nullptr if there is no such body.
  const state::BodyInfo* info(state::BodyId id) const;
  /// Returns the id that a body of the world carries as user data.
  static state::BodyId id_of(const physics::World& world, physics::BodyHandle body);

  const state::WorldDef& world_def() const { return def_; }
  state::WorldDef& world_def() { return def_; }
  const std::vector<physics::BodyHandle>& handles() const { return handles_; }

  void begin_tick();
  /// Returns the change since begin_tick() and raises the revision, if bodies were created or
  /// removed or if `is_new_world` is set. Returns null otherwise.
  std::optional<state::WorldChange> end_tick(bool is_new_world = false);

  /// Returns a hash of everything that save() writes: ids, descriptions, handles, the revision and
  /// the id counter. It is computed by restore(), and by end_tick() if that raises the revision.
  std::uint64_t hash() const { return hash_; }

  void save(base::ByteWriter& writer) const;
  /// Reads what save() wrote. `world` must already be restored. Marks the reader as failed if the
  /// saved bodies and the bodies of `world` do not match.
  void restore(base::ByteReader& reader, const physics::World& world);

 private:
  // Returns the body's index, or size() if there is no such body.
  std::size_t index_of(state::BodyId id) const;
  void update_hash();

  state::WorldDef def_;                       // bodies sorted by id
  std::vector<physics::BodyHandle> handles_;  // parallel to def_.bodies
  std::uint32_t next_id_ = 1;
  // bodies despawned since begin_tick, except those created since then
  std::vector<state::BodyId> despawned_;
  std::uint32_t first_id_of_tick_ = 1;
  std::vector<state::BodyId> teleported_;  // since begin_tick, sorted
  std::uint64_t hash_ = 0;
};

}  // namespace jostle::sim
