/// The physics engine in C++20: worlds, bodies, joints, queries, events, saves and hashes.
///
/// The CMake target is jostle::physics. The headers only call the C API in libjostle.so, so a
/// program keeps working with later libraries of the same major version.
#ifndef JOSTLE_PHYSICS_HPP
#define JOSTLE_PHYSICS_HPP

#include <jostle/log.hpp>
#include <jostle/physics/body.hpp>
#include <jostle/physics/world.hpp>

#endif
