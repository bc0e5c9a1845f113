#include "shared/physics/islands/sleep.h"

#include "shared/geometry/bounds.h"
#include "shared/physics/broad_phase/shape_bounds.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/world/joint_list.h"

#include <algorithm>
#include <vector>

namespace jostle::physics {

using math::Vec3;

namespace {

bool is_moving(const Body& body) {
  return body.linear_velocity != Vec3{} || body.angular_velocity != Vec3{};
}

/// Calls `visit(body)` for each body that touches this one or is joined to it.
template <typename Visit>
void for_each_linked(const WorldState& world, std::uint32_t body, Visit&& visit) {
  for_each_contact(world, body, [&](std::uint32_t index) {
    const Contact& contact = world.contacts[index];
    if (contact.is_touching) visit(contact.body_a == body ? contact.body_b : contact.body_a);
  });
  for_each_joint(world, body, [&](std::uint32_t index) {
    const JointDef& def = world.joints[index].def;
    visit(def.body_a.index == body ? def.body_b.index : def.body_a.index);
  });
}

/// Calls `visit(body)` for the bodies that for_each_linked visits. If fields act between bodies and
/// `body` has charges or poles, also visits all other bodies with charges or poles.
template <typename Visit>
void for_each_neighbour(const WorldState& world, std::uint32_t body, Visit&& visit) {
  for_each_linked(world, body, visit);
  if (!is_bonded(world, world.bodies[body])) return;
  for (const std::uint32_t other : world.bonded_bodies)
    if (other != body) visit(other);
}

/// Calls `visit(a, b)` for the bodies of each touching contact and of each joint in
/// WorldState::awake_joints.
template <typename Visit>
void for_each_bond(WorldState& world, Visit&& visit) {
  for (const ListedContact& entry : world.awake_contacts) {
    const Contact& contact = world.contacts[entry.index];
    if (contact.is_dead || !contact.is_touching) continue;
    visit(world.bodies[contact.body_a], world.bodies[contact.body_b]);
  }
  for (const std::uint32_t index : world.awake_joints) {
    if (!world.joint_pool.is_alive_index(index)) continue;
    const JointDef& def = world.joints[index].def;
    visit(world.bodies[def.body_a.index], world.bodies[def.body_b.index]);
  }
}

bool is_mover(const Body& body) {
  return body.motion == MotionType::Kinematic && is_moving(body);
}

/// Resets the sleep timers of bodies that touch a moving kinematic body, are joined to it or are
/// linked to it by fields.
void keep_pushed_awake(WorldState& world) {
  bool has_mover = false;
  for (std::size_t i = 0; i < world.solved.size() && !has_mover; ++i)
    has_mover = world.solved[i].is_kinematic && is_mover(world.bodies[world.awake_bodies[i]]);
  if (!has_mover) return;
  for_each_bond(world, [](Body& a, Body& b) {
    if (is_dynamic(b) && is_mover(a)) b.sleep_time = 0;
    if (is_dynamic(a) && is_mover(b)) a.sleep_time = 0;
  });
  const auto moves_others = [&](std::uint32_t index) {
    return is_active(world.bodies[index]) && is_mover(world.bodies[index]);
  };
  const std::vector<std::uint32_t>& bonded = world.bonded_bodies;
  if (world.bond_count == 0 || std::none_of(bonded.begin(), bonded.end(), moves_others)) return;
  for (const std::uint32_t index : bonded)
    if (is_dynamic(world.bodies[index])) world.bodies[index].sleep_time = 0;
}

/// Resets the sleep timers of bodies that touch a shape with a surface velocity, however slow the
/// bodies are.
void keep_carried_awake(WorldState& world) {
  if (!world.has_belts) return;
  for (const ListedContact& entry : world.awake_contacts) {
    const Contact& contact = world.contacts[entry.index];
    if (contact.is_dead || !contact.is_touching || !contact.has_belt) continue;
    world.bodies[contact.body_a].sleep_time = world.bodies[contact.body_b].sleep_time = 0;
  }
}

/// Unites the sets of bodies that touch, are joined or act on each other by fields.
void unite_islands(WorldState& world, DisjointSets& sets) {
  for_each_bond(world, [&](const Body& a, const Body& b) {
    if (is_dynamic(a) && is_dynamic(b) && a.is_awake && b.is_awake) {
      sets.unite(a.awake_place, b.awake_place);
    }
  });
  if (world.bond_count == 0) return;
  const Body* before = nullptr;
  for (const std::uint32_t index : world.bonded_bodies) {
    const Body& body = world.bodies[index];
    if (!is_dynamic(body) || !body.is_awake) continue;
    if (before != nullptr) sets.unite(before->awake_place, body.awake_place);
    before = &body;
  }
}

}  // namespace

std::vector<std::uint32_t> island_of(const WorldState& world, std::uint32_t index) {
  const auto is_member = [&](std::uint32_t body) {
    return is_dynamic(world.bodies[body]) && is_present(world.bodies[body]);
  };
  if (!is_member(index)) return {};
  std::vector<bool> is_found(world.bodies.size(), false);
  std::vector<std::uint32_t> found{index};
  is_found[index] = true;
  const auto add = [&](std::uint32_t body) {
    if (is_found[body] || !is_member(body)) return;
    is_found[body] = true;
    found.push_back(body);
  };
  bool are_bonded_found = false;
  for (std::size_t next = 0; next < found.size(); ++next) {
    for_each_linked(world, found[next], add);
    if (are_bonded_found || !is_bonded(world, world.bodies[found[next]])) continue;
    are_bonded_found = true;
    for (const std::uint32_t other : world.bonded_bodies)
      if (is_bonded(world, world.bodies[other])) add(other);
  }
  return found;
}

void wake_body(WorldState& world, std::uint32_t index) {
  Body& body = world.bodies[index];
  if (body.motion == MotionType::Static || !is_present(body)) return;
  body.sleep_time = 0;
  body.is_changed = true;
  if (body.is_awake) return;
  body.is_awake = true;
  note_activity(world, index);
  world.maybe_changed_sleep.push_back(world.body_pool.at(index));
  world.is_awake_list_dirty = true;
  if (!body.is_listed) {
    body.is_listed = true;
    body.awake_place = static_cast<std::uint32_t>(world.awake_bodies.size());
    world.awake_bodies.push_back(index);
  }
  world.woken_bodies.push_back(index);
  list_joints_of_body(world, index);
}

void wake_island(WorldState& world, std::uint32_t index) {
  std::vector<std::uint32_t> stack{index};
  while (!stack.empty()) {
    const std::uint32_t body = stack.back();
    stack.pop_back();
    if (world.bodies[body].is_awake) {
      wake_body(world, body);  // resets its sleep timer
      continue;
    }
    wake_body(world, body);
    if (!is_dynamic(world.bodies[body])) continue;
    for_each_neighbour(world, body, [&](std::uint32_t other) {
      if (is_dynamic(world.bodies[other]) && !world.bodies[other].is_awake) stack.push_back(other);
    });
  }
}

void wake_touching(WorldState& world, std::uint32_t index) {
  for_each_neighbour(world, index, [&](std::uint32_t other) {
    if (is_dynamic(world.bodies[other])) wake_island(world, other);
  });
}

void wake_around(WorldState& world, std::uint32_t index) {
  const Body& body = world.bodies[index];
  wake_touching(world, index);
  if (is_dynamic(body)) return;
  std::vector<std::uint32_t> sleepers;
  const auto note = [&](std::uint32_t other) {
    const std::uint32_t other_body = world.shapes[other].body.index;
    const Body& candidate = world.bodies[other_body];
    if (is_dynamic(candidate) && !candidate.is_awake) sleepers.push_back(other_body);
  };
  for (const ShapeHandle shape : body.shapes) {
    const ShapeRecord& record = world.shapes[shape.index];
    if (record.def.is_sensor) continue;
    if (record.def.shape.kind == state::ShapeKind::Plane) {
      const math::Pose plane = shape_pose(body, record);
      world.moving_tree.query_if(
          [&](const math::Aabb& box) { return geometry::reaches_plane(box, plane); }, note);
    } else {
      world.moving_tree.query(record.fat_box, note);
    }
  }
  for (const std::uint32_t sleeper : sleepers)
    wake_island(world, sleeper);
}

void put_to_sleep(WorldState& world, std::uint32_t index) {
  Body& body = world.bodies[index];
  if (!is_active(body)) return;
  body.is_awake = false;
  body.linear_velocity = {};
  body.linear_rest = {};
  body.angular_velocity = {};
  body.angular_momentum = {};
  body.turn_ratio = 0;
  body.mean_linear = {};
  body.mean_angular = {};
  body.force = {};
  body.torque = {};
  world.maybe_changed_sleep.push_back(world.body_pool.at(index));
  world.is_awake_list_dirty = true;
  place_shapes(world, index);  // the expected motion is zero now
  world.is_joint_list_dirty = true;
}

bool is_rested(const WorldOptions& options, const Body& body) {
  return body.is_sleep_allowed && body.sleep_time >= options.sleep_seconds;
}

void update_sleep(WorldState& world) {
  if (!world.options.is_sleeping_enabled) return;
  keep_pushed_awake(world);
  keep_carried_awake(world);
  const std::vector<std::uint32_t>& awake = world.awake_bodies;
  const auto may_sleep = [](const SolvedBody& solved) { return solved.may_sleep; };
  if (std::none_of(world.solved.begin(), world.solved.end(), may_sleep)) return;

  const auto count = static_cast<std::uint32_t>(awake.size());
  DisjointSets sets(world.index_scratch, count);
  unite_islands(world, sets);
  // An island falls asleep if all its bodies are rested.
  std::vector<bool>& is_restless = world.is_island_restless;
  is_restless.assign(count, false);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_rested(world.options, world.bodies[awake[i]])) is_restless[sets.find(i)] = true;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_restless[sets.find(i)]) put_to_sleep(world, awake[i]);
  }
}

void sort_awake_bodies(WorldState& world) {
  if (!world.is_awake_list_dirty) return;
  world.is_awake_list_dirty = false;
  std::erase_if(world.awake_bodies, [&](std::uint32_t index) {
    Body& body = world.bodies[index];
    if (world.body_pool.is_alive_index(index) && is_active(body)) return false;
    body.is_listed = false;
    return true;
  });
  std::sort(world.awake_bodies.begin(), world.awake_bodies.end());
  for (std::uint32_t i = 0; i < world.awake_bodies.size(); ++i)
    world.bodies[world.awake_bodies[i]].awake_place = i;
}

}  // namespace jostle::physics
