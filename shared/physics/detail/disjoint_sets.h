#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// Disjoint sets of the numbers below `count`, by union-find with path halving. The representative
/// of a set is its smallest member, whatever the order of unions.
class DisjointSets {
 public:
  /// Uses `parents` as memory.
  DisjointSets(std::vector<std::uint32_t>& parents, std::uint32_t count) : parents_(parents) {
    parents_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
      parents_[i] = i;
  }
  std::uint32_t find(std::uint32_t i) {
    while (parents_[i] != i) {
      parents_[i] = parents_[parents_[i]];
      i = parents_[i];
    }
    return i;
  }
  void unite(std::uint32_t i, std::uint32_t k) {
    i = find(i);
    k = find(k);
    if (i < k) {
      parents_[k] = i;
    } else {
      parents_[i] = k;
    }
  }

 private:
  std::vector<std::uint32_t>& parents_;
};

}  // namespace jostle::physics
