#pragma once

#include "shared/math/transform.h"
#include "shared/physics/joint_failure.h"
#include "shared/physics/mechanisms.h"
#include "shared/physics/solver/small_root.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::physics {

struct WorldState;

/// Where the body's centre of mass is to be.
struct PlacedBody {
  std::uint32_t body = 0;  // slot
  math::Pose place;
};

// All joints of a mechanism closed at once, by Newton's method: with J the rows of what the joints
// fail (joint_failure.h), C, and M the masses, each round moves the bodies by the x that makes
//
//   ½·xᵀ·M·x + ½·(J·x + C)ᵀ·W·(J·x + C)
//
// least, W stiff beside M: (M + Jᵀ·W·J)·x = −Jᵀ·W·C. A joint couples a body with its parent alone,
// so that eliminating bodies from the leaves to the root fills in nothing, and a round costs as
// much as there are bodies (Featherstone, "Rigid body dynamics algorithms", 2008, 6.5).

/// Looks at one mechanism after the other.
class TreeClosing {
 public:
  explicit TreeClosing(const WorldState& world) : world_(world) {}

  /// Whether a step has opened the mechanism, and it can be closed: places() says where. It cannot
  /// where joints contradict each other.
  bool run(std::uint32_t mechanism);
  std::vector<PlacedBody> places() const;

 private:
  /// A body on its way.
  struct Node {
    std::uint32_t body = 0;  // slot
    std::uint32_t parent = 0;
    math::Pose place;
    SmallSquare own{};    // M + Jᵀ·W·J, then its root L
    SmallSquare cross{};  // of its rows against the parent's columns, then L⁻¹ of it
    SmallValues sum{};    // −Jᵀ·W·C, then L⁻¹ of it, then x
  };
  using Edge = Mechanisms::Edge;

  bool is_opened() const;
  void measure();
  bool are_closed(float share) const;
  void assemble();
  void begin(Node& node) const;
  void add_row(const Edge& edge, const FailedRow& row);
  double freely(std::uint32_t node, const Gradient& gradient) const;
  void eliminate();
  void move();
  void move(Node& node) const;

  const WorldState& world_;
  std::vector<Node> nodes_;  // parents before children
  std::span<const Edge> edges_;
  std::vector<JointFailure> failures_;  // of the edges
};

}  // namespace jostle::physics
