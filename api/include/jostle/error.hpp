/// Errors of the C++ headers. They wrap the C API: a call that fails throws an Error with the
/// message of jostle_last_error().
#ifndef JOSTLE_ERROR_HPP
#define JOSTLE_ERROR_HPP

#include <jostle/base.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

/// The C++ interface. Values such as jostle_vec3 and definition structs are those of the C headers.
/// Every object has a member handle(), with which all functions of the C API can be called.
namespace jostle {

/// A call that failed. what() names the function, the wrong value and the values that are accepted.
class Error : public std::runtime_error {
 public:
  /// Makes an error from the result of a call, with the message of the last error of this thread.
  explicit Error(jostle_result result) : std::runtime_error(jostle_last_error()), result_(result) {}
  /// Returns the code of the error, such as JOSTLE_ERROR_NOT_FOUND.
  jostle_result result() const { return result_; }

 private:
  jostle_result result_;
};

/// Throws an Error unless the result is JOSTLE_OK. Example:
/// check(jostle_world_step(world.handle()))
inline void check(jostle_result result) {
  if (result != JOSTLE_OK) throw Error(result);
}

/// Returns a struct that a function of the C API will fill: zeros, and its size.
template <typename Struct>
Struct sized() {
  Struct values{};
  values.size = sizeof values;
  return values;
}

/// Returns the list that a function of the C API writes. `call(array, capacity, count)` calls it.
template <typename Element, typename Call>
std::vector<Element> list_of(const Call& call) {
  std::size_t count = 0;
  check(call(static_cast<Element*>(nullptr), std::size_t{0}, &count));
  std::vector<Element> elements(count);
  if (count > 0) check(call(elements.data(), elements.size(), &count));
  return elements;
}

}  // namespace jostle

#endif
