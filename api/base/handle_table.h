#pragma once

#include "api/base/error.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace jostle::api {

/// Objects that belong to the process: worlds, solids and scenes. `Handle` is a C struct with an
/// index and a generation. The index is that of a slot plus 1, so that zero bytes are the null
/// handle. The generation is odd while the slot has an object.
///
/// All functions may be called by several threads. An object is used either by one thread that may
/// change it, or by any number that only read it. Calls that would break this rule are refused
/// instead of waiting, because they are errors of the caller.
template <typename Handle, typename Object, std::uint32_t max_count>
class HandleTable {
  struct Slot {
    std::atomic<std::int32_t> users{0};  // -1: one user that may change the object
    std::atomic<std::uint32_t> generation{0};
    std::unique_ptr<Object> object;
  };

 public:
  explicit constexpr HandleTable(const char* name) : name_(name) {}

  Handle create(std::unique_ptr<Object> object) {
    const std::uint32_t first = next_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < max_count; ++i) {
      const std::uint32_t index = (first + i) % max_count;
      Slot& slot = slots_[index];
      if (is_alive(slot) || !lock(slot)) continue;
      if (!is_alive(slot)) {
        slot.object = std::move(object);
        const std::uint32_t generation = slot.generation.load() + 1;
        slot.generation.store(generation);
        next_.store((index + 1) % max_count, std::memory_order_relaxed);
        slot.users.store(0, std::memory_order_release);
        return {index + 1, generation};
      }
      slot.users.store(0, std::memory_order_release);
    }
    refuse(JOSTLE_ERROR_LIMIT, "there are %u %ss already; destroy one first", max_count, name_);
  }

  bool is_alive(Handle handle) const {
    return handle.index != 0 && handle.index <= max_count && (handle.generation & 1U) != 0 &&
           slots_[handle.index - 1].generation.load() == handle.generation;
  }

  /// Access to an object until the end of this value's lifetime.
  class Access {
   public:
    Access(Slot& slot, bool is_exclusive) : slot_(&slot), is_exclusive_(is_exclusive) {}
    ~Access() {
      if (is_exclusive_) {
        slot_->users.store(0, std::memory_order_release);
      } else {
        slot_->users.fetch_sub(1, std::memory_order_release);
      }
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

    Object& operator*() const { return *slot_->object; }
    Object* operator->() const { return slot_->object.get(); }

   private:
    Slot* slot_;
    bool is_exclusive_;
  };

  /// Returns access for a user that only reads.
  Access read(Handle handle) {
    Slot& slot = find(handle);
    if (!share(slot)) refuse_busy();
    return confirmed(slot, handle, false);
  }
  /// Returns access for a user that may change the object.
  Access change(Handle handle) {
    Slot& slot = find(handle);
    if (!lock(slot)) refuse_busy();
    return confirmed(slot, handle, true);
  }

  void destroy(Handle handle) {
    Slot& slot = find(handle);
    if (!lock(slot)) refuse_busy();
    const Access access = confirmed(slot, handle, true);
    slot.generation.store(handle.generation + 1);
    slot.object.reset();
  }

 private:
  static bool is_alive(const Slot& slot) { return (slot.generation.load() & 1U) != 0; }

  static bool lock(Slot& slot) {
    std::int32_t none = 0;
    return slot.users.compare_exchange_strong(none, -1, std::memory_order_acquire);
  }
  static bool share(Slot& slot) {
    std::int32_t users = slot.users.load(std::memory_order_relaxed);
    do {
      if (users < 0) return false;
    } while (!slot.users.compare_exchange_weak(users, users + 1, std::memory_order_acquire));
    return true;
  }

  Slot& find(Handle handle) {
    if (!is_alive(handle)) refuse_stale(handle);
    return slots_[handle.index - 1];
  }
  // Another thread may have destroyed the object before this one got access.
  Access confirmed(Slot& slot, Handle handle, bool is_exclusive) {
    if (slot.generation.load() == handle.generation) return Access(slot, is_exclusive);
    const Access release(slot, is_exclusive);
    refuse_stale(handle);
  }
  [[noreturn]] void refuse_stale(Handle handle) const {
    if (handle.index == 0) refuse(JOSTLE_ERROR_STALE_HANDLE, "the %s is the null handle", name_);
    refuse(JOSTLE_ERROR_STALE_HANDLE, "the %s {%u, %u} does not exist (any more)", name_,
           handle.index, handle.generation);
  }
  [[noreturn]] void refuse_busy() const {
    refuse(JOSTLE_ERROR_BUSY,
           "another call is using this %s; a call that changes it must not run at the same time as "
           "any other",
           name_);
  }

  const char* name_;
  std::atomic<std::uint32_t> next_{0};
  std::array<Slot, max_count> slots_{};
};

}  // namespace jostle::api
