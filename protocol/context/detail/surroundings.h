#pragma once

#include "protocol/context/references.h"
#include "protocol/context/rotation.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::context::detail {

/// The axis that points up: gravity and the ground are along it.
inline constexpr std::size_t up_axis = 1;

/// Displacements and distances beyond this are taken for this, 1/512 m.
inline constexpr std::int32_t max_step = 1 << 18;

/// A body of this part that was coded already, and moved or had moved.
struct CodedBody {
  IntVec3 position{};   // of the baseline
  IntVec3 step{};       // from the baseline to now, 1/512 m
  IntVec3 slip{};       // step less the expected one
  IntVec3 turn{};       // from the baseline to now, vector part
  IntVec3 turn_slip{};  // turn less the expected one
  bool is_changed = false;
};

/// A body before it is coded: what can be said of it from what both ends know.
struct Outlook {
  const BodyReference* reference = nullptr;
  bool has_moved = false;   // from `previous` to the baseline
  IntVec3 expected_step{};  // if it goes on as it did or as foreseen, 1/512 m
  IntVec3 expected_fine{};  // the same in 1/16 of that
  IntQuat rotation{};       // of the baseline; only of bodies that changed or had moved
  IntVec3 expected_turn{};  // if it goes on turning; only of such
  std::int32_t speed = 0;   // largest component of expected_step
  int turn_size = 0;        // octaves of the steps by which the rotation differs, 0..7

  // Where it was foreseen: how going on as it did differs from that.
  bool is_foreseen = false, is_change_foreseen = false;
  IntVec3 drift{};       // of expected_step, in 1/16
  IntVec3 turn_drift{};  // of expected_turn
  IntVec3 foreseen_turn{};
  int foreseen_step_size = 0, foreseen_turn_size = 0, drift_size = 0;  // octaves

  const CodedBody* player = nullptr;  // the nearest, if any was coded
  std::int64_t player_squared = std::int64_t{max_step} * max_step;
  std::int32_t player_distance = max_step;  // only of bodies that changed or had moved
  int distance_class = 7;
  int nearness = 2;  // 0: touches the player, maybe; 1: its forces act; 2: far
  bool is_high = false;
  int kind = 0;  // 0..body_kinds - 1
  int cell = 0;  // 2: something moves here, 1: nearby, 0: not

  // Means over the two nearest bodies coded before it, by distance.
  bool has_neighbour = false, has_neighbour_changed = false;
  std::int32_t neighbour_distance = max_step;
  int neighbour_class = 0;  // 0: none, 1: touching, .. 3
  IntVec3 neighbour_step{}, neighbour_slip{}, neighbour_turn{}, neighbour_turn_slip{};

  /// It lies still, far from all that moves: as most bodies do.
  bool is_far_still() const {
    return !has_moved && cell == 0 && nearness == 2 && !is_change_foreseen;
  }
};

/// a - b of positions that may lie anywhere in 32 bits: wraps, then is held within ±max_step.
std::int32_t difference(std::int32_t a, std::int32_t b);

/// Octave of a size: log_size / 16, at most `limit`.
int octave(std::int64_t value, int limit);

/// Where bodies of a part move, by their references, and those that were coded so far.
class Surroundings {
 public:
  explicit Surroundings(std::span<const BodyReference> references);

  /// Up to what `complete` adds; into one that is new.
  void look(std::size_t body, Outlook& outlook) const;
  /// Rotations of a body that changed or had moved.
  static void complete(Outlook& outlook, bool is_changed);
  void add(const CodedBody& body, bool is_player);

 private:
  // Cells of half a metre on the ground, wrapped around.
  static constexpr std::int32_t cell_shift = 8, cell_count = 64;

  static std::size_t cell_of(std::int32_t x, std::int32_t z);
  void mark(const BodyReference& reference);
  static void foresee(Outlook& outlook);
  void look_for_players(Outlook& outlook) const;
  void look_for_neighbours(Outlook& outlook) const;

  std::span<const BodyReference> references_;
  std::array<std::uint8_t, cell_count * cell_count> cells_{};
  std::vector<CodedBody> coded_;
  std::vector<CodedBody> players_;
};

}  // namespace jostle::protocol::context::detail
