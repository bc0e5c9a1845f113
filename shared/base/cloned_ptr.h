#pragma once

#include <memory>
#include <utility>

namespace jostle::base {

/// A std::unique_ptr that copies the object it owns, so that its owner can be copied by value.
/// Copying onto an existing object assigns to it instead of replacing it, so that repeated copies
/// allocate nothing.
template <typename T>
class ClonedPtr : public std::unique_ptr<T> {
 public:
  using std::unique_ptr<T>::unique_ptr;
  using std::unique_ptr<T>::operator=;
  ClonedPtr(std::unique_ptr<T> value) : std::unique_ptr<T>(std::move(value)) {}
  ClonedPtr(const ClonedPtr& other)
      : std::unique_ptr<T>(other ? std::make_unique<T>(*other) : nullptr) {}
  ClonedPtr(ClonedPtr&&) noexcept = default;
  ClonedPtr& operator=(ClonedPtr&&) noexcept = default;
  ~ClonedPtr() = default;

  ClonedPtr& operator=(const ClonedPtr& other) {
    if (this == &other) return *this;
    if (*this && other) {
      **this = *other;
    } else {
      *this = ClonedPtr(other);
    }
    return *this;
  }
};

}  // namespace jostle::base
