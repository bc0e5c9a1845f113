#include "shared/physics/broad_phase/aabb_tree.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace jostle::physics {
namespace {

using math::Aabb;
using math::Position;

struct Leaf {
  std::uint32_t name = 0;  // handle of the leaf in the tree
  Aabb box;
};

Aabb random_box(base::Random& random, float room) {
  const auto coordinate = [&] { return static_cast<double>(random.between(-room, room)); };
  const auto size = [&] { return static_cast<double>(random.between(0.0f, 2.0f)); };
  const Position lower{coordinate(), coordinate(), coordinate()};
  return {lower, {lower.x + size(), lower.y + size(), lower.z + size()}};
}

Aabb shifted(const Aabb& box, double x, double z) {
  return {{box.lower.x + x, box.lower.y, box.lower.z + z},
          {box.upper.x + x, box.upper.y, box.upper.z + z}};
}

std::vector<std::uint32_t> found(const AabbTree& tree, const Aabb& box) {
  std::vector<std::uint32_t> values;
  tree.query(box, [&](std::uint32_t value) { values.push_back(value); });
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::uint32_t> overlapping(const std::map<std::uint32_t, Leaf>& leaves,
                                       const Aabb& box) {
  std::vector<std::uint32_t> values;
  for (const auto& [value, leaf] : leaves)
    if (overlaps(leaf.box, box)) values.push_back(value);
  return values;
}

// The tree rounds boxes outward, so it may report boxes that overlap only after rounding. In this
// test, no two boxes are so close to each other.
TEST(AabbTree, FindsAllOverlapsAfterInsertsMovesAndRemovals) {
  base::Random random(5);
  AabbTree tree;
  std::map<std::uint32_t, Leaf> leaves;
  std::uint32_t next = 0;
  for (int i = 0; i < 20000; ++i) {
    const float choice = random.between(0.0f, 1.0f);
    if (leaves.empty() || choice < (leaves.size() < 300 ? 0.3f : 0.1f)) {
      const Aabb box = random_box(random, 10.0f);
      leaves[next] = {tree.insert(box, next), box};
      ++next;
    } else {
      auto leaf = leaves.lower_bound(random.below(next));
      if (leaf == leaves.end()) leaf = leaves.begin();
      if (choice < 0.4f) {
        tree.remove(leaf->second.name);
        leaves.erase(leaf);
      } else {
        // Most moves are small, some are jumps.
        leaf->second.box = choice < 0.9f
                               ? shifted(leaf->second.box, static_cast<double>(choice - 0.6f),
                                         static_cast<double>(random.between(-0.3f, 0.3f)))
                               : random_box(random, 10.0f);
        tree.move(leaf->second.name, leaf->second.box);
      }
    }
    const Aabb around = random_box(random, 10.0f);
    ASSERT_EQ(found(tree, around), overlapping(leaves, around)) << "after " << i << " changes";
  }
}

/// Returns the number of boxes of the tree that a query tests.
std::size_t cost_of(const AabbTree& tree, const Aabb& box) {
  std::size_t looks = 0;
  tree.query_if(
      [&](const Aabb& other) {
        ++looks;
        return overlaps(other, box);
      },
      [](std::uint32_t) {});
  return looks;
}

TEST(AabbTree, QueryCostStaysNearThatOfANewTreeAfterManyMoves) {
  base::Random random(9);
  AabbTree wandered;
  std::vector<Leaf> leaves;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Aabb box = random_box(random, 20.0f);
    leaves.push_back({wandered.insert(box, i), box});
  }
  for (int round = 0; round < 500; ++round) {
    for (Leaf& leaf : leaves) {
      const auto drift = [&](double at) {
        return static_cast<double>(random.between(-0.3f, 0.3f)) - 0.002 * at;
      };
      leaf.box = shifted(leaf.box, drift(leaf.box.lower.x), drift(leaf.box.lower.z));
      wandered.move(leaf.name, leaf.box);
    }
  }
  AabbTree fresh;
  for (std::uint32_t i = 0; i < leaves.size(); ++i)
    fresh.insert(leaves[i].box, i);
  std::size_t of_wandered = 0, of_fresh = 0;
  for (const Leaf& leaf : leaves) {
    of_wandered += cost_of(wandered, leaf.box);
    of_fresh += cost_of(fresh, leaf.box);
  }
  EXPECT_LE(static_cast<double>(of_wandered), 1.25 * static_cast<double>(of_fresh));
}

}  // namespace
}  // namespace jostle::physics
