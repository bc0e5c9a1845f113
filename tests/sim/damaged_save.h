#pragma once

#include "shared/sim/simulation.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

namespace jostle::sim {

inline std::vector<std::byte> saved(const Simulation& simulation) {
  base::ByteWriter writer;
  simulation.save(writer);
  return writer.bytes();
}

/// Restores a damaged save and expects one of two outcomes: it is refused and the simulation is
/// unchanged, or it is accepted and the simulation saves to exactly these bytes. Returns true if
/// the save was accepted.
inline bool restores_wholly_or_not_at_all(Simulation& simulation,
                                          std::span<const std::byte> damaged) {
  const std::vector<std::byte> before = saved(simulation);
  base::ByteReader reader(damaged);
  const bool is_accepted = simulation.restore(reader).has_value();
  const std::vector<std::byte> after = saved(simulation);
  if (is_accepted) {
    EXPECT_TRUE(reader.at_end());
    EXPECT_TRUE(std::ranges::equal(after, damaged)) << "an accepted save must save to its bytes";
  } else {
    EXPECT_EQ(after, before) << "a refused save must not change the simulation";
  }
  return is_accepted;
}

/// Expects that the simulation has only finite poses and velocities.
inline void expect_finite(const Simulation& simulation) {
  const physics::World& world = simulation.world();
  for (const physics::BodyHandle body : world.bodies()) {
    EXPECT_TRUE(is_finite(world.pose(body).position));
    EXPECT_TRUE(is_finite(world.pose(body).rotation));
    EXPECT_TRUE(is_finite(world.linear_velocity(body)));
    EXPECT_TRUE(is_finite(world.angular_velocity(body)));
  }
}

}  // namespace jostle::sim
