#pragma once

#include "tools/workload/random.h"
#include "tools/workload/scene.h"

namespace jostle::workload {

// One function per family; docs/BENCHMARKS.md describes the families. Each adds shapes, bodies and
// joints to a scene without bodies.

// pile_families.cpp
void fill_sizes(Random& random, Scene& scene);
void fill_mass_ratios(Random& random, Scene& scene);
void fill_heavy_on_light(Random& random, Scene& scene);
void fill_gravel(Random& random, Scene& scene);
void fill_small_hulls(Random& random, Scene& scene);
void fill_bouncy(Random& random, Scene& scene);
void fill_pours(Random& random, Scene& scene);
// thin_families.cpp
void fill_slivers(Random& random, Scene& scene);
void fill_rods(Random& random, Scene& scene);
void fill_coins(Random& random, Scene& scene);
void fill_rafts(Random& random, Scene& scene);
void fill_tiles(Random& random, Scene& scene);
void fill_dominoes(Random& random, Scene& scene);
// machine_families.cpp
void fill_drums(Random& random, Scene& scene);
void fill_cups(Random& random, Scene& scene);
void fill_junkyard(Random& random, Scene& scene);
void fill_vehicles(Random& random, Scene& scene);
// terrain_families.cpp
void fill_rough_mesh(Random& random, Scene& scene);
void fill_height_field(Random& random, Scene& scene);
void fill_logs(Random& random, Scene& scene);
// joint_families.cpp
void fill_chains(Random& random, Scene& scene);
void fill_bridges(Random& random, Scene& scene);
void fill_nets(Random& random, Scene& scene);
void fill_figures(Random& random, Scene& scene);
// stack_families.cpp
void fill_sleepers(Random& random, Scene& scene);
void fill_islands(Random& random, Scene& scene);
void fill_one_island(Random& random, Scene& scene);
void fill_columns(Random& random, Scene& scene);
void fill_walls(Random& random, Scene& scene);
void fill_pyramids(Random& random, Scene& scene);

}  // namespace jostle::workload
