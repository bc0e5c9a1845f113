#pragma once

#include <cstddef>
#include <string_view>

namespace jostle::server {

/// Returns how much more memory this process may use, in bytes: the smallest of what the machine
/// has left, what the limit on its address space leaves, and what the control groups (v2) leave
/// that contain it. Does not allocate.
std::size_t available_memory();

/// Returns the part of available_memory() that the control groups decide. `groups` is the root of
/// their file system, and `own` the content of /proc/self/cgroup.
std::size_t available_in_groups(std::string_view groups, std::string_view own);

}  // namespace jostle::server
