#pragma once

#include "shared/base/assert.h"
#include "shared/base/handle.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace jostle::base {

/// An allocator of slots for `Handle<Tag>`. Freed slots are reused last in, first out, so that the
/// handles depend only on the order of the calls. The whole state is two arrays, which save and
/// restore copy.
template <typename Tag>
class HandlePool {
 public:
  using HandleType = Handle<Tag>;

  HandleType create() {
    if (free_.empty()) {
      generations_.push_back(0);
      return {static_cast<std::uint32_t>(generations_.size() - 1), 0};
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return {index, ++generations_[index]};  // even again: alive
  }

  /// Frees the slot. Its generation becomes odd, which no live handle has.
  void destroy(HandleType handle) {
    JOSTLE_ASSERT(is_alive(handle));
    ++generations_[handle.index];
    free_.push_back(handle.index);
  }

  bool is_alive(HandleType handle) const {
    return handle.index < generations_.size() && generations_[handle.index] == handle.generation &&
           handle.generation % 2 == 0;
  }

  bool is_alive_index(std::uint32_t index) const {
    return index < generations_.size() && generations_[index] % 2 == 0;
  }

  /// Returns the live handle of a slot, which must be alive.
  HandleType at(std::uint32_t index) const {
    JOSTLE_ASSERT(is_alive_index(index));
    return {index, generations_[index]};
  }

  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(generations_.size()); }
  std::uint32_t live_count() const {
    return static_cast<std::uint32_t>(generations_.size() - free_.size());
  }

  std::span<const std::uint32_t> generations() const { return generations_; }
  std::span<const std::uint32_t> free_slots() const { return free_; }

  /// Restores the state that `generations()` and `free_slots()` returned. Returns false and changes
  /// nothing unless `free_slots` lists every slot with an odd generation once, and no other slot.
  bool restore(std::vector<std::uint32_t> generations, std::vector<std::uint32_t> free_slots) {
    std::vector<bool> is_free(generations.size(), false);
    for (const std::uint32_t index : free_slots) {
      if (index >= generations.size() || is_free[index] || generations[index] % 2 == 0)
        return false;
      is_free[index] = true;
    }
    for (std::size_t i = 0; i < generations.size(); ++i) {
      if ((generations[i] % 2 == 1) != is_free[i]) return false;
    }
    generations_ = std::move(generations);
    free_ = std::move(free_slots);
    return true;
  }

 private:
  std::vector<std::uint32_t> generations_;  // even: alive, odd: free
  std::vector<std::uint32_t> free_;
};

}  // namespace jostle::base
