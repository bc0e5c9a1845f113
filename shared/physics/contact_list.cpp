#include "shared/physics/contact_list.h"

#include "shared/physics/detail/world_state.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

bool is_active_contact(const WorldState& world, const Contact& contact) {
  return is_active(world.bodies[contact.body_a]) || is_active(world.bodies[contact.body_b]);
}

void list_contact(WorldState& world, std::uint32_t index) {
  Contact& contact = world.contacts[index];
  if (contact.is_listed) return;
  contact.is_listed = true;
  world.new_awake_contacts.push_back(
      {pair_key(contact.shape_a, contact.shape_b), index, contact.manifold.point_count > 0, false});
}

void link_edge(WorldState& world, std::uint32_t index, std::uint32_t side) {
  Contact& contact = world.contacts[index];
  Body& body = world.bodies[side == 0 ? contact.body_a : contact.body_b];
  const std::uint32_t edge = 2 * index + side;
  contact.previous[side] = no_index;
  contact.next[side] = body.first_contact_edge;
  if (body.first_contact_edge != no_index) {
    world.contacts[body.first_contact_edge / 2].previous[body.first_contact_edge % 2] = edge;
  }
  body.first_contact_edge = edge;
  ++body.contact_count;
}

void unlink_edge(WorldState& world, std::uint32_t index, std::uint32_t side) {
  const Contact& contact = world.contacts[index];
  Body& body = world.bodies[side == 0 ? contact.body_a : contact.body_b];
  const std::uint32_t previous = contact.previous[side], next = contact.next[side];
  if (previous == no_index) {
    body.first_contact_edge = next;
  } else {
    world.contacts[previous / 2].next[previous % 2] = next;
  }
  if (next != no_index) world.contacts[next / 2].previous[next % 2] = previous;
  --body.contact_count;
}

bool is_key_less(const ListedContact& a, const ListedContact& b) {
  return a.key < b.key;
}

bool is_dead(const WorldState& world, const ListedContact& entry) {
  return entry.is_dead || (world.has_dead_contacts && world.contacts[entry.index].is_dead);
}

/// Whether both bodies have come to be active no more since the list was made.
bool is_asleep(const WorldState& world, const ListedContact& entry) {
  if (!world.has_sleepers_listed) return false;
  const std::uint32_t flags =
      world.bounds[entry.shape_a()].flags | world.bounds[entry.shape_b()].flags;
  return (flags & ShapeBounds::active) == 0;
}

/// Contacts themselves are fetched only where calls may have ended them.
void drop_stale_entries(WorldState& world, std::vector<ListedContact>& entries) {
  std::erase_if(entries, [&](const ListedContact& entry) {
    const bool is_slot_free = is_dead(world, entry);
    if (!is_slot_free && !is_asleep(world, entry)) return false;
    world.contacts[entry.index].is_listed = false;
    if (is_slot_free) world.free_contacts.push_back(entry.index);
    return true;
  });
}

}  // namespace

std::optional<std::uint32_t> find_listed_contact(const WorldState& world, std::uint64_t key) {
  const auto entry = std::lower_bound(
      world.awake_contacts.begin(), world.awake_contacts.end(), key,
      [](const ListedContact& listed, std::uint64_t wanted) { return listed.key < wanted; });
  if (entry == world.awake_contacts.end() || entry->key != key) return std::nullopt;
  return entry->index;
}

std::optional<std::uint32_t> find_contact(const WorldState& world, std::uint32_t shape_a,
                                          std::uint32_t shape_b) {
  const std::uint32_t body_a = world.shapes[shape_a].body.index;
  const std::uint32_t body_b = world.shapes[shape_b].body.index;
  const bool is_a_shorter = world.bodies[body_a].contact_count < world.bodies[body_b].contact_count;
  std::uint32_t edge = world.bodies[is_a_shorter ? body_a : body_b].first_contact_edge;
  while (edge != no_index) {
    const Contact& contact = world.contacts[edge / 2];
    if (contact.shape_a == shape_a && contact.shape_b == shape_b) return edge / 2;
    edge = contact.next[edge % 2];
  }
  return std::nullopt;
}

std::uint32_t create_contact(WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b) {
  std::uint32_t index = 0;
  if (world.free_contacts.empty()) {
    index = static_cast<std::uint32_t>(world.contacts.size());
    world.contacts.emplace_back();
  } else {
    index = world.free_contacts.back();
    world.free_contacts.pop_back();
    world.contacts[index] = Contact{};
  }
  world.contacts[index].shape_a = shape_a;
  world.contacts[index].shape_b = shape_b;
  link_contact(world, index);
  return index;
}

void link_contact(WorldState& world, std::uint32_t index) {
  Contact& contact = world.contacts[index];
  const ShapeRecord &a = world.shapes[contact.shape_a], &b = world.shapes[contact.shape_b];
  contact.body_a = a.body.index;
  contact.body_b = b.body.index;
  contact.friction = std::sqrt(a.def.material.friction * b.def.material.friction);
  contact.restitution = math::max_of(a.def.material.restitution, b.def.material.restitution);
  link_edge(world, index, 0);
  link_edge(world, index, 1);
  ++world.contact_count;
  if (is_active_contact(world, contact)) list_contact(world, index);
}

void destroy_contact(WorldState& world, std::uint32_t index) {
  Contact& contact = world.contacts[index];
  unlink_edge(world, index, 0);
  unlink_edge(world, index, 1);
  --world.contact_count;
  if (contact.is_touching) {
    const ShapeHandle a{contact.shape_a, world.shape_pool.generations()[contact.shape_a]};
    const ShapeHandle b{contact.shape_b, world.shape_pool.generations()[contact.shape_b]};
    world.pending_ends.push_back({a, b});
  }
  contact.is_touching = false;
  contact.is_dead = true;
  // A listed slot stays taken until the list has dropped it, so that no entry names a successor.
  if (contact.is_listed) {
    world.has_dead_contacts = true;
  } else {
    world.free_contacts.push_back(index);
  }
}

void destroy_contacts_of_body(WorldState& world, std::uint32_t body) {
  for_each_contact(world, body, [&](std::uint32_t contact) { destroy_contact(world, contact); });
}

void list_contacts_of_body(WorldState& world, std::uint32_t body) {
  for_each_contact(world, body, [&](std::uint32_t contact) { list_contact(world, contact); });
}

void merge_listed_contacts(WorldState& world) {
  if (world.has_dead_contacts || world.has_dead_entries || world.has_sleepers_listed) {
    drop_stale_entries(world, world.awake_contacts);
    drop_stale_entries(world, world.new_awake_contacts);
    world.has_dead_contacts = world.has_dead_entries = world.has_sleepers_listed = false;
  }
  if (world.new_awake_contacts.empty()) return;
  std::sort(world.new_awake_contacts.begin(), world.new_awake_contacts.end(), is_key_less);
  world.contact_scratch.resize(world.awake_contacts.size() + world.new_awake_contacts.size());
  std::merge(world.awake_contacts.begin(), world.awake_contacts.end(),
             world.new_awake_contacts.begin(), world.new_awake_contacts.end(),
             world.contact_scratch.begin(), is_key_less);
  world.awake_contacts.swap(world.contact_scratch);
  world.new_awake_contacts.clear();
}

}  // namespace jostle::physics
