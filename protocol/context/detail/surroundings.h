#pragma once

#include "protocol/context/references.h"
#include "protocol/context/rotation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::context::detail {

/// Index of the vertical axis, along which gravity acts.
inline constexpr std::size_t up_axis = 1;

/// Limit to which displacements and distances are clamped, in 1/512 m.
inline constexpr std::int32_t max_step = 1 << 18;

/// A body of this part that was already coded: a player, or a body that changed, had moved before
/// or was predicted to change.
struct CodedBody {
  IntVec3 position{};   // position of the baseline
  IntVec3 step{};       // displacement from the baseline to now, 1/512 m
  IntVec3 slip{};       // step minus expected step
  IntVec3 turn{};       // rotation from the baseline to now, vector part
  IntVec3 turn_slip{};  // turn minus expected turn
  bool is_changed = false;
};

/// The context of a body before it is coded: everything that both ends know about it.
struct BodyContext {
  const BodyReference* reference = nullptr;
  bool has_moved = false;   // true if the body moved from `previous` to the baseline
  IntVec3 expected_step{};  // displacement at constant velocity or as predicted, 1/512 m
  IntVec3 expected_fine{};  // expected displacement in 1/8192 m
  // rotation at the baseline; only for bodies that changed, had moved or are predicted to change
  IntQuat rotation{};
  // expected turn at constant angular velocity or as predicted; only for the same bodies as
  // `rotation`
  IntVec3 expected_turn{};
  std::int32_t speed = 0;  // largest component of expected_step
  // octave of the largest difference of a rotation component from `previous` to the baseline, 0..7
  int turn_size = 0;

  // Only set if there is a prediction. A drift is the expectation at constant velocity minus the
  // prediction.
  bool is_predicted = false, is_change_predicted = false;
  IntVec3 drift{};       // drift of the displacement, 1/8192 m
  IntVec3 turn_drift{};  // drift of the turn
  IntVec3 predicted_turn{};
  int predicted_step_size = 0, predicted_turn_size = 0, drift_size = 0;  // in octaves

  const CodedBody* player = nullptr;  // the nearest player coded before; null: none
  std::int64_t player_squared = std::int64_t{max_step} * max_step;
  // distance to the nearest player; only set for the same bodies as `rotation`
  std::int32_t player_distance = max_step;
  int distance_class = 7;
  int nearness = 2;  // 0: may touch the player; 1: in reach of its forces; 2: far
  bool is_high = false;
  int kind = 0;  // 0..body_kinds - 1
  int cell = 0;  // 2: something moves here; 1: something moves nearby; 0: neither

  // The two nearest bodies that were coded before. The vectors are their means, weighted by
  // distance; the other fields describe the nearest of the two.
  bool has_neighbour = false, has_neighbour_changed = false;
  std::int32_t neighbour_distance = max_step;
  int neighbour_class = 0;  // 0: none; 1: touching; 2 and 3: farther away
  IntVec3 neighbour_step{}, neighbour_slip{}, neighbour_turn{}, neighbour_turn_slip{};

  /// Returns true if the body lies still, far from everything that moves, as most bodies do.
  bool is_far_still() const {
    return !has_moved && cell == 0 && nearness == 2 && !is_change_predicted;
  }
};

/// Returns a - b modulo 2^32.
inline std::int32_t wrapped_difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
/// Returns a - b of positions anywhere in 32 bits: the difference wraps and is then clamped to
/// ±max_step.
inline std::int32_t difference(std::int32_t a, std::int32_t b) {
  return std::clamp(wrapped_difference(a, b), -max_step, max_step);
}

/// Returns the octave of a size: log_size / 16, at most `limit`.
inline int octave(std::int32_t value, int limit) {
  return std::min(log_size(value) / 16, limit);
}

/// The bodies coded last, at most max_looked_at, by their position along each axis. Finds those
/// near a position without looking at all of them.
class RecentBodies {
 public:
  /// Maximum number of previously coded bodies that are searched for neighbours.
  static constexpr std::size_t max_looked_at = 128;
  /// Maximum distance of a neighbour along each axis, 1/512 m.
  static constexpr std::uint32_t reach = 1'023;

  /// A set of places. Place p holds the bodies p, p + max_looked_at, ... in the order of coding.
  using Places = std::array<std::uint64_t, max_looked_at / 64>;

  void add(const IntVec3& position);
  /// Returns the places of all bodies within `reach` along each axis, and of some beyond it.
  Places near(const IntVec3& position) const;

 private:
  // Slabs are 2 m wide and repeat every 32 m, so that a body within `reach` lies in the same slab
  // or in the next one on either side.
  static constexpr std::int32_t slab_shift = 10;
  static constexpr std::size_t slab_count = 16;
  static_assert(reach < 1U << slab_shift);

  static std::size_t slab_of(std::int32_t position) {
    return static_cast<std::size_t>(position >> slab_shift) & (slab_count - 1);
  }

  std::array<std::array<Places, slab_count>, 3> slabs_{};
  std::array<IntVec3, max_looked_at> positions_{};
  std::size_t added_ = 0;
};

/// Context that the bodies of a part share: the grid cells near bodies that move according to their
/// baseline states, and the bodies that were coded so far.
class PartContext {
 public:
  explicit PartContext(std::span<const BodyReference> references);

  /// Fills in all fields of `outlook` except those that `complete` sets. `outlook` must be
  /// default-constructed.
  void look(std::size_t body, BodyContext& outlook) const;
  /// Fills in player_distance and the rotations if the body changed, had moved or is predicted to
  /// change.
  static void complete(BodyContext& outlook, bool is_changed);
  void add(const CodedBody& body, bool is_player);

 private:
  // A grid of half-metre cells on the ground, which repeats every 32 m.
  static constexpr std::int32_t cell_shift = 8, cell_count = 64;

  static std::size_t cell_of(std::int32_t x, std::int32_t z);
  void mark(const BodyReference& reference);
  static void predict_baseline(BodyContext& outlook);
  void look_for_players(BodyContext& outlook) const;
  void look_for_neighbours(BodyContext& outlook) const;

  std::span<const BodyReference> references_;
  std::array<std::uint8_t, cell_count * cell_count> cells_{};
  std::vector<CodedBody> coded_;
  RecentBodies recent_;  // positions of the last bodies of coded_
  std::vector<CodedBody> players_;
};

}  // namespace jostle::protocol::context::detail
