#pragma once

#include <memory>

namespace jostle::base {

/// An optional value that is stored on the heap, for large values that most owners do not have.
/// Compares and copies by value; an empty box equals the default value.
template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) *this = Boxed(other);
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  /// Returns the stored value, or the default value if the box is empty.
  const T& get() const {
    static const T none{};
    return value_ ? *value_ : none;
  }
  const T* operator->() const { return &get(); }
  /// Returns the stored value for writing. Stores the default value first if the box is empty.
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }
  void clear() { value_.reset(); }
  bool is_empty() const { return !value_; }

  bool operator==(const Boxed& other) const { return get() == other.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace jostle::base
