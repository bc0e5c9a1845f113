#include "protocol/context/detail/surroundings.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace jostle::protocol::context::detail {
namespace {

/// Distance of centres below which a body may touch the player, 1/512 m.
constexpr std::int64_t touching_player = 820;
/// Distance of centres below which forces of the player may act on a body, 1/512 m.
constexpr std::int64_t near_player = 1'600;
/// Maximum number of player bodies of a part that serve as context for other bodies.
constexpr std::size_t max_players = 16;

std::int32_t scale(std::int32_t value, std::int32_t by, std::int32_t over) {
  if (by == over) return value;
  const std::int64_t scaled = std::int64_t{value} * by / over;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(scaled, -max_step, max_step));
}

int distance_class_of(std::int64_t squared) {
  constexpr std::array<std::int64_t, 7> limits{512, 700, 900, 1'150, 1'500, 2'200, 4'000};
  int count = 0;
  for (const std::int64_t limit : limits)
    count += squared >= limit * limit ? 1 : 0;
  return count;
}

int turn_size_of(const QuantizedBody& a, const QuantizedBody& b) {
  if (a.largest != b.largest) return 7;
  std::int32_t most = 0;
  for (std::size_t i = 0; i < 3; ++i)
    most = std::max(most, std::abs(a.smallest[i] - b.smallest[i]));
  return octave(most, 7);
}

std::int64_t square(std::int32_t value) {
  return std::int64_t{value} * value;
}

/// The two nearest bodies, among those within RecentBodies::reach along each axis.
struct NearestTwo {
  const CodedBody *nearest = nullptr, *second = nullptr;
  std::int32_t squared = 0, second_squared = 0;
};

/// Finds the two nearest bodies of the last ones in `coded`. At equal distance the one coded
/// earlier wins.
NearestTwo find_nearest(std::span<const CodedBody> coded, const RecentBodies& recent,
                        const IntVec3& position) {
  constexpr std::size_t count = RecentBodies::max_looked_at;
  constexpr std::uint32_t reach = RecentBodies::reach;
  // Pack distance and index in one number, so that the loop needs no branch. The processor could
  // not predict which body is nearest.
  constexpr std::uint32_t none = 0xFFFFFFFF, place_bits = 7;
  static_assert(count == 1U << place_bits && 3 * reach * reach < 1U << (31 - place_bits));
  const std::size_t first = coded.size() > count ? coded.size() - count : 0;
  const std::span<const CodedBody> bodies = coded.subspan(first);
  const RecentBodies::Places places = recent.near(position);
  std::uint32_t least = none, next = none;
  for (std::size_t word = 0; word < places.size(); ++word) {
    for (std::uint64_t left = places[word]; left != 0; left &= left - 1) {
      const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
      const auto i = static_cast<std::uint32_t>((place - first) % count);
      const IntVec3& other = bodies[i].position;
      std::uint32_t squared = 0, beyond = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto d = static_cast<std::uint32_t>(wrapped_difference(other[axis], position[axis]));
        squared += d * d;
        beyond |= static_cast<std::uint32_t>(d + reach > 2 * reach);
      }
      const std::uint32_t key = (squared << place_bits | i) | (0U - beyond);
      next = std::min(next, std::max(least, key));
      least = std::min(least, key);
    }
  }
  NearestTwo found;
  constexpr std::uint32_t index = (1U << place_bits) - 1;
  if (least != none) {
    found.nearest = &bodies[least & index];
    found.squared = static_cast<std::int32_t>(least >> place_bits);
  }
  if (next != none) {
    found.second = &bodies[next & index];
    found.second_squared = static_cast<std::int32_t>(next >> place_bits);
  }
  return found;
}

}  // namespace

void RecentBodies::add(const IntVec3& position) {
  const std::size_t place = added_ % max_looked_at, word = place / 64;
  const std::uint64_t bit = std::uint64_t{1} << (place % 64);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto& slabs = slabs_[axis];
    if (added_ >= max_looked_at) slabs[slab_of(positions_[place][axis])][word] &= ~bit;
    slabs[slab_of(position[axis])][word] |= bit;
  }
  positions_[place] = position;
  ++added_;
}

RecentBodies::Places RecentBodies::near(const IntVec3& position) const {
  Places found;
  found.fill(~std::uint64_t{0});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& slabs = slabs_[axis];
    const std::size_t slab = slab_of(position[axis]);
    const Places &a = slabs[(slab - 1) % slab_count], &b = slabs[slab],
                 &c = slabs[(slab + 1) % slab_count];
    for (std::size_t word = 0; word < found.size(); ++word)
      found[word] &= a[word] | b[word] | c[word];
  }
  return found;
}

std::size_t PartContext::cell_of(std::int32_t x, std::int32_t z) {
  const auto wrap = [](std::int32_t i) { return static_cast<std::size_t>(i & (cell_count - 1)); };
  return wrap(z) * cell_count + wrap(x);
}

PartContext::PartContext(std::span<const BodyReference> references) : references_(references) {
  for (const BodyReference& reference : references)
    mark(reference);
}

void PartContext::mark(const BodyReference& reference) {
  const QuantizedBody &now = *reference.baseline, &before = *reference.previous;
  const bool is_player = reference.facts.is_player;
  if (!is_player && (&now == &before || is_same_pose(now, before))) return;
  const auto ahead = [&](std::size_t axis) {
    const std::int32_t step = reference.gap_ticks == 0
                                  ? 0
                                  : scale(difference(now.position[axis], before.position[axis]),
                                          reference.age_ticks, reference.gap_ticks);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(now.position[axis]) +
                                     static_cast<std::uint32_t>(step / 2)) >>
           cell_shift;
  };
  const std::int32_t x = ahead(0), z = ahead(2), radius = is_player ? 3 : 1;
  for (std::int32_t dz = -radius; dz <= radius; ++dz) {
    for (std::int32_t dx = -radius; dx <= radius; ++dx) {
      const bool is_inner = std::max(std::abs(dx), std::abs(dz)) <= (is_player ? 2 : 0);
      std::uint8_t& cell = cells_[cell_of(x + dx, z + dz)];
      cell = std::max<std::uint8_t>(cell, is_inner ? 2 : 1);
    }
  }
}

void PartContext::look(std::size_t body, BodyContext& outlook) const {
  const BodyReference& reference = references_[body];
  const QuantizedBody &now = *reference.baseline, &before = *reference.previous;
  outlook.reference = &reference;
  outlook.has_moved = reference.baseline != reference.previous && !is_same_pose(now, before);
  if (outlook.has_moved && reference.gap_ticks > 0) {
    for (std::size_t i = 0; i < 3; ++i) {
      outlook.expected_step[i] = scale(difference(now.position[i], before.position[i]),
                                       reference.age_ticks, reference.gap_ticks);
      outlook.speed = std::max(outlook.speed, std::abs(outlook.expected_step[i]));
    }
    outlook.turn_size = turn_size_of(now, before);
  }
  for (std::size_t i = 0; i < 3; ++i)
    outlook.expected_fine[i] = outlook.expected_step[i] * predicted_steps;
  if (reference.predicted != nullptr && reference.predicted->is_known) predict_baseline(outlook);
  outlook.cell = cells_[cell_of(now.position[0] >> cell_shift, now.position[2] >> cell_shift)];
  look_for_players(outlook);
  if (!outlook.is_far_still()) look_for_neighbours(outlook);
}

/// Replaces the constant-velocity expectation by the prediction of the simulation.
void PartContext::predict_baseline(BodyContext& outlook) {
  constexpr int half = predicted_steps / 2;
  constexpr std::int64_t farthest = std::int64_t{max_step} * predicted_steps;
  // A little more than half a step of a rotation component on the wire.
  constexpr std::int32_t still_turn = 30;
  const BaselinePrediction& predicted = *outlook.reference->predicted;
  const QuantizedBody& now = *outlook.reference->baseline;
  outlook.is_predicted = true;
  if (predicted.is_still && !outlook.has_moved) return;
  outlook.speed = 0;
  std::int32_t most = 0, most_drift = 0, most_turn = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto step = static_cast<std::int32_t>(
        std::clamp(predicted.position[i] - std::int64_t{now.position[i]} * predicted_steps,
                   -farthest, farthest));
    outlook.drift[i] = outlook.expected_fine[i] - step;
    outlook.expected_fine[i] = step;
    outlook.expected_step[i] = (step + half) >> 4;
    outlook.speed = std::max(outlook.speed, std::abs(outlook.expected_step[i]));
    most = std::max(most, std::abs(step));
    most_drift = std::max(most_drift, std::abs(outlook.drift[i]));
  }
  if (!predicted.is_still)
    outlook.predicted_turn = turn_between(unpack_rotation(now), predicted.rotation);
  for (const std::int32_t axis : outlook.predicted_turn)
    most_turn = std::max(most_turn, std::abs(axis));
  outlook.is_change_predicted = outlook.speed > 0 || most_turn > still_turn;
  outlook.predicted_step_size = octave(most, 15);
  outlook.predicted_turn_size = octave(most_turn, 15);
  outlook.drift_size = octave(most_drift, 15);
}

void PartContext::look_for_players(BodyContext& outlook) const {
  const BodyReference& reference = *outlook.reference;
  const std::int32_t reach = reference.facts.reach;
  const std::int32_t height = reference.baseline->position[up_axis];
  if (reference.facts.is_player) {
    outlook.player_squared = outlook.distance_class = outlook.nearness = 0;
    outlook.is_high = height > reach + reach / 8;
    outlook.kind = 0;
    return;
  }
  std::int64_t nearest = square(max_step);
  for (const CodedBody& player : players_) {
    std::int64_t squared = 0;
    for (std::size_t i = 0; i < 3; ++i)
      squared += square(difference(reference.baseline->position[i], player.position[i]));
    if (squared >= nearest) continue;
    nearest = squared;
    outlook.player = &player;
  }
  outlook.player_squared = nearest;
  outlook.distance_class = distance_class_of(nearest);
  outlook.nearness = nearest < touching_player * touching_player ? 0
                     : nearest < near_player * near_player       ? 1
                                                                 : 2;
  outlook.is_high = height > 2 * reach - reach / 32;
  outlook.kind = 1 + outlook.nearness * 2 + (outlook.is_high ? 1 : 0);
}

void PartContext::look_for_neighbours(BodyContext& outlook) const {
  const NearestTwo found = find_nearest(coded_, recent_, outlook.reference->baseline->position);
  if (found.nearest == nullptr) return;
  outlook.has_neighbour = true;
  outlook.has_neighbour_changed = found.nearest->is_changed;
  outlook.neighbour_distance =
      static_cast<std::int32_t>(square_root(static_cast<std::uint64_t>(found.squared)));
  outlook.neighbour_class = outlook.neighbour_distance < 240   ? 1
                            : outlook.neighbour_distance < 400 ? 2
                                                               : 3;
  const auto weight_of = [](std::int32_t squared) {
    return std::int64_t{(1 << 24) / (squared + 4'096)};
  };
  const std::int64_t a = weight_of(found.squared) + 1,
                     b = found.second == nullptr ? 0 : weight_of(found.second_squared);
  const std::int64_t share = (a << 12) / (a + b);  // weight of the nearest, in 1/4096
  const CodedBody none;
  const CodedBody &p = *found.nearest, &q = found.second == nullptr ? none : *found.second;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto mean = [&](std::int32_t of_p, std::int32_t of_q) {
      return of_q + static_cast<std::int32_t>(((std::int64_t{of_p} - of_q) * share + 2'048) >> 12);
    };
    outlook.neighbour_step[i] = mean(p.step[i], q.step[i]);
    outlook.neighbour_slip[i] = mean(p.slip[i], q.slip[i]);
    outlook.neighbour_turn[i] = mean(p.turn[i], q.turn[i]);
    outlook.neighbour_turn_slip[i] = mean(p.turn_slip[i], q.turn_slip[i]);
  }
}

void PartContext::complete(BodyContext& outlook, bool is_changed) {
  if (!is_changed && !outlook.has_moved && !outlook.is_change_predicted) return;
  const BodyReference& reference = *outlook.reference;
  outlook.player_distance =
      static_cast<std::int32_t>(square_root(static_cast<std::uint64_t>(outlook.player_squared)));
  outlook.rotation = unpack_rotation(*reference.baseline);
  if (outlook.has_moved && reference.gap_ticks != 0 && outlook.turn_size != 0) {
    const IntVec3 turn = turn_between(unpack_rotation(*reference.previous), outlook.rotation);
    for (std::size_t i = 0; i < 3; ++i) {
      outlook.expected_turn[i] =
          std::clamp(scale(turn[i], reference.age_ticks, reference.gap_ticks), -one, one);
    }
  }
  if (!outlook.is_predicted) return;
  for (std::size_t i = 0; i < 3; ++i)
    outlook.turn_drift[i] = outlook.expected_turn[i] - outlook.predicted_turn[i];
  outlook.expected_turn = outlook.predicted_turn;
}

void PartContext::add(const CodedBody& body, bool is_player) {
  coded_.push_back(body);
  recent_.add(body.position);
  if (is_player && players_.size() < max_players) players_.push_back(body);
}

}  // namespace jostle::protocol::context::detail
