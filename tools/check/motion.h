#pragma once

#include "tools/check/vector.h"
#include "tools/workload/body_mass.h"
#include "tools/workload/body_state.h"
#include "tools/workload/scene.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::check {

/// Figures of the motion of the dynamic bodies, over all observed states of a run. Positions and
/// velocities are those of the centres of mass. Bodies whose state is not finite do not count.
struct MotionFigures {
  double speed_max = 0;         // m/s
  double y_min = 0, y_max = 0;  // m
  /// The largest kinetic energy of one body, with its rotation, J.
  double body_energy_max = 0;
  /// Total kinetic and potential energy of the first observed state, J. Potential energies are
  /// relative to the lowest point of the floor.
  double energy_start = 0;
  double energy_max = 0;  // J, the largest total energy, relative to the same point
  /// The largest rise of the total energy above its smallest value until then, J. It includes the
  /// energy that lifts bodies when the engine pushes overlapping bodies apart.
  double energy_gain_max = 0;
  /// The energy scale to which a gain is compared, J: the largest kinetic energy, plus the range of
  /// the potential energy, plus the energy that lifts all bodies by 1 mm. Because of the last term,
  /// rounding errors of bodies at rest give a small gain.
  double energy_scale = 0;

  double energy_gain_share() const { return energy_scale > 0 ? energy_gain_max / energy_scale : 0; }
};

/// Returns true if the mechanical energy of the scene cannot grow by the laws of mechanics: no
/// kinematic body, motor, spring, push or force field does work on its bodies.
bool conserves_energy(const workload::Scene& scene);

/// Returns the height of the lowest point of the terrain, m; 0 if the floor is flat.
double lowest_floor(const workload::Scene& scene);

/// Computes the figures of a run, one state after another.
class MotionWatch {
 public:
  explicit MotionWatch(const workload::Scene& scene);

  /// Adds a state to the figures. `states` has one entry per body of the scene.
  void observe(std::span<const workload::BodyState> states);
  MotionFigures figures() const;

 private:
  struct WatchedBody {
    std::uint32_t index = 0;  // index in Scene::bodies
    workload::BodyMass mass;
    double weight = 0;  // N, downwards
  };

  std::vector<WatchedBody> bodies_;
  double floor_ = 0;   // m
  double weight_ = 0;  // N, of all bodies
  MotionFigures figures_;
  bool is_first_ = true;
  double kinetic_max_ = 0;                        // J
  double potential_min_ = 0, potential_max_ = 0;  // J
  double energy_min_ = 0;                         // J
};

}  // namespace jostle::check
