#pragma once

#include "shared/base/assert.h"

#include <type_traits>
#include <utility>
#include <variant>

namespace jostle::base {

/// The value type of a Result that carries no value on success, only the error on failure.
struct Ok {};

/// Either a value or an error: the subset of std::expected that the project needs (g++ 12 and clang
/// 14 lack std::expected). Reading the side that is not set fails an assertion.
template <typename T, typename E>
class [[nodiscard]] Result {
  static_assert(!std::is_same_v<T, E>, "value and error must be told apart by type");

 public:
  Result(T value)
      : content_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(E error)
      : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    JOSTLE_ASSERT(has_value());
    return *std::get_if<0>(&content_);
  }
  const T& value() const& {
    JOSTLE_ASSERT(has_value());
    return *std::get_if<0>(&content_);
  }
  T&& value() && {
    JOSTLE_ASSERT(has_value());
    return std::move(*std::get_if<0>(&content_));
  }
  const E& error() const {
    JOSTLE_ASSERT(!has_value());
    return *std::get_if<1>(&content_);
  }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, E> content_;
};

}  // namespace jostle::base
