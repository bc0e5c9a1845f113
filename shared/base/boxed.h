#pragma once

#include <memory>

namespace jostle::base {

/// A value that most of its owners do not have, and that is too large to lie in all of them. It is
/// compared and copied as a value; to have none is to have the default one.
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

  /// What is in the box, or the default.
  const T& get() const {
    static const T none{};
    return value_ ? *value_ : none;
  }
  const T* operator->() const { return &get(); }
  /// Puts the default in first where there is nothing.
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
