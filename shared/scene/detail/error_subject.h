#pragma once

#include <string>
#include <string_view>

namespace jostle::scene::wire {
struct Scene;
}

namespace jostle::scene::detail {

/// Returns the named object that the path of an error refers to, for example body "crate" or the
/// joint of "a" and "b". Returns an empty string if the object has no name, or if the error
/// concerns the name itself.
std::string subject_of(const wire::Scene& table, std::string_view path);

}  // namespace jostle::scene::detail
