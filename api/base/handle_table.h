#pragma once

#include "api/base/error.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

namespace jostle::api {

/// The access that callers have to an object that belongs to another object of the library.
enum class Lending : std::uint8_t {
  None,    // the object belongs to the caller
  Closed,  // no access at present: the library is using the object
  Read,
  Change,
};

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
    std::unique_ptr<Object> owned;  // null for a lent object
    Object* object = nullptr;
    Lending lending = Lending::None;
  };

 public:
  explicit constexpr HandleTable(const char* name) : name_(name) {}

  Handle create(std::unique_ptr<Object> object) {
    Object* const pointer = object.get();
    return insert(std::move(object), pointer, Lending::None);
  }

  /// Creates a handle of an object that belongs to another object of the library. Its owner must
  /// call take_back() before it ends. The object is closed at first: every access is refused.
  Handle lend(Object& object) { return insert(nullptr, &object, Lending::Closed); }
  /// Opens a lent object to callers, or closes it. Waits until other threads have finished reading.
  void open(Handle handle, Lending lending) {
    Slot& slot = slots_[handle.index - 1];
    while (!lock(slot))
      std::this_thread::yield();
    slot.lending = lending;
    slot.users.store(0, std::memory_order_release);
  }
  void take_back(Handle handle) {
    Slot& slot = slots_[handle.index - 1];
    while (!lock(slot))
      std::this_thread::yield();
    slot.generation.store(handle.generation + 1);
    slot.object = nullptr;
    slot.lending = Lending::None;
    slot.users.store(0, std::memory_order_release);
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
    Object* operator->() const { return slot_->object; }

   private:
    Slot* slot_;
    bool is_exclusive_;
  };

  /// Returns access for a user that only reads.
  Access read(Handle handle) { return access(handle, Use::Read); }
  /// Returns access for a user that does not change the object, but keeps other users out.
  Access read_alone(Handle handle) { return access(handle, Use::ReadAlone); }
  /// Returns access for a user that may change the object.
  Access change(Handle handle) { return access(handle, Use::Change); }
  /// Like change(), but refuses lent objects, which a function must not change in this way.
  Access change_own(Handle handle) { return access(handle, Use::Own); }

  void destroy(Handle handle) {
    const Access access = change_own(handle);
    Slot& slot = slots_[handle.index - 1];
    slot.generation.store(handle.generation + 1);
    slot.object = nullptr;
    slot.owned.reset();
  }

 private:
  Handle insert(std::unique_ptr<Object> owned, Object* object, Lending lending) {
    const std::uint32_t first = next_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < max_count; ++i) {
      const std::uint32_t index = (first + i) % max_count;
      Slot& slot = slots_[index];
      if (is_alive(slot) || !lock(slot)) continue;
      if (!is_alive(slot)) {
        slot.owned = std::move(owned);
        slot.object = object;
        slot.lending = lending;
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

  enum class Use : std::uint8_t { Read, ReadAlone, Change, Own };

  static bool is_allowed(Lending lending, Use use) {
    if (lending == Lending::None) return true;
    if (use == Use::Own || lending == Lending::Closed) return false;
    return use == Use::Read || use == Use::ReadAlone || lending == Lending::Change;
  }

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
  Access access(Handle handle, Use use) {
    Slot& slot = find(handle);
    const bool is_exclusive = use != Use::Read;
    if (!(is_exclusive ? lock(slot) : share(slot))) refuse_busy();
    // Another thread may have destroyed the object before this one got access.
    const bool is_there = slot.generation.load() == handle.generation;
    if (is_there && is_allowed(slot.lending, use)) return Access(slot, is_exclusive);
    const Access release(slot, is_exclusive);
    if (!is_there) refuse_stale(handle);
    refuse_use(slot.lending, use);
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

  [[noreturn]] void refuse_use(Lending lending, Use use) const {
    if (use != Use::Own && lending == Lending::Closed) refuse_busy();
    refuse(JOSTLE_ERROR_WRONG_STATE,
           use == Use::Own ? "this %s belongs to a server or a recording and cannot be changed in "
                             "this way"
                           : "this %s belongs to a server or a recording; only its rules may "
                             "change it, while they are called",
           name_);
  }

  const char* name_;
  std::atomic<std::uint32_t> next_{0};
  std::array<Slot, max_count> slots_{};
};

}  // namespace jostle::api
