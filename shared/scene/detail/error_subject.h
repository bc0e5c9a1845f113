#pragma once

#include <string>
#include <string_view>

namespace jostle::scene::wire {
struct Scene;
}

namespace jostle::scene::detail {

/// Who is meant by a path of an error, by the names that the file gives: "body "crate"", "the joint
/// of "a" and "b"". Empty where nothing on the path has a name.
std::string subject_of(const wire::Scene& table, std::string_view path);

}  // namespace jostle::scene::detail
