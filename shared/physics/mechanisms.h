#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

/// Trees of a few dynamic bodies that joints hold together, of which one joint may lead to what
/// does not move. They follow from the joints; where joints close a loop, two of the same bodies
/// included, there is none.
struct Mechanisms {
  static constexpr std::uint32_t most_bodies = 64;
  static constexpr std::uint32_t none = 0xFFFFFFFFU;

  struct Node {
    std::uint32_t body = 0;       // slot
    std::uint32_t parent = none;  // place in the mechanism, before its own; none: the root
    std::uint32_t edge = none;    // to the parent, place in the mechanism
  };
  struct Edge {
    std::uint32_t joint = 0;           // slot
    std::uint32_t a = none, b = none;  // places in the mechanism; none: does not move
  };
  struct Tree {
    std::uint32_t first_node = 0, node_count = 0;
    std::uint32_t first_edge = 0, edge_count = 0;
  };

  std::vector<Tree> trees;  // JointRecord::mechanism says which
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// All of the world, and the place of each joint's own.
void find_mechanisms(WorldState& world);

}  // namespace jostle::physics
