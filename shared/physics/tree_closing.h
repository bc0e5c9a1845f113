#pragma once

#include "shared/math/mat3.h"
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

// The opened joints of a mechanism closed at once. Bodies between which all joints are closed move
// as one, so that these stay so: what is left is a tree of few groups. They are moved by Newton's
// method: with J the rows of what the joints between them fail (joint_failure.h), C, and M the
// masses, each round moves them by the x that makes
//
//   ½·xᵀ·M·x + ½·(J·x + C)ᵀ·W·(J·x + C)
//
// least, W stiff beside M: (M + Jᵀ·W·J)·x = −Jᵀ·W·C. A joint couples a group with its parent alone,
// so that eliminating groups from the leaves to the root fills in nothing, and a round costs as
// much as there are groups (Featherstone, "Rigid body dynamics algorithms", 2008, 6.5).

/// Looks at one mechanism after the other.
class TreeClosing {
 public:
  explicit TreeClosing(const WorldState& world) : world_(world) {}

  /// Whether a step has opened the mechanism, and it can be closed: places() says where. It cannot
  /// where joints contradict each other.
  bool run(std::uint32_t mechanism);
  std::vector<PlacedBody> places() const;

 private:
  using Edge = Mechanisms::Edge;

  struct Member {
    std::uint32_t body = 0;  // slot
    std::uint32_t group = 0;
    math::Pose before;
  };
  /// Bodies that move as one.
  struct Group {
    std::uint32_t parent = Mechanisms::none;
    std::uint32_t first_member = 0;  // the only one where it has locks
    float mass = 0;
    math::Mat3 inertia = math::zero_matrix();  // about the centre, world axes
    math::Position before, centre;             // of mass
    math::Quat turn;                           // since before
    SmallSquare own{};                         // M + Jᵀ·W·J, then its root L
    SmallSquare cross{};  // of its rows against the parent's columns, then L⁻¹ of it
    SmallValues sum{};    // −Jᵀ·W·C, then L⁻¹ of it, then x
  };

  void list_members(const Mechanisms::Tree& tree);
  void measure_all();
  bool is_opened() const;
  void form_groups(const Mechanisms::Tree& tree);
  void weigh_groups();
  math::Pose place_of(std::uint32_t member, std::uint32_t body) const;
  JointFailure failure_of_edge(const Edge& edge) const;
  void measure();
  bool are_closed() const;
  void assemble();
  void begin(Group& group) const;
  void add_row(const Edge& edge, const FailedRow& row);
  Gradient of_group(std::uint32_t member, const Gradient& gradient) const;
  double freely(std::uint32_t group, const Gradient& gradient) const;
  void eliminate();
  void move();
  void move(Group& group) const;

  const WorldState& world_;
  std::span<const Edge> all_edges_;
  std::vector<Member> members_;         // as in the mechanism
  std::vector<JointFailure> failures_;  // of all edges, then of those that are left
  std::vector<Group> groups_;           // parents before children
  std::vector<Edge> edges_;             // those that are left: between groups, and to the world
};

}  // namespace jostle::physics
