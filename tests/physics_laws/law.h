#pragma once

#include "shared/physics/stabilizers.h"

#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace jostle::physics::laws {

/// A row of docs/ACCURACY.md: the error of the engine, with its default time step and number of
/// substeps, against a law of mechanics.
struct Law {
  int row = 0;            // number in the table; several laws may share it
  const char* name = "";  // the measured quantity; unique within a row
  const char* expected = "";
  const char* best_known = "";  // published accuracy of other engines
  const char* unit = "";        // unit of the error and the target; empty: relative
  double target = 0;
  double (*error)() = nullptr;  // measures the error anew in each call
  /// Bound that the tests require if the target is missed (0: the target), and the reason why it is
  /// missed.
  double reached = 0;
  const char* reason = "";
};

/// Returns the error that the tests allow.
inline double bound_of(const Law& law) {
  return law.reached > 0 ? law.reached : law.target;
}

std::span<const Law> free_motion_laws();
std::span<const Law> swing_laws();
std::span<const Law> bounce_laws();
std::span<const Law> friction_laws();
std::span<const Law> standing_laws();
std::span<const Law> chain_laws();
std::span<const Law> pile_laws();
std::span<const Law> structure_laws();
std::span<const Law> bullet_laws();
std::span<const Law> seam_laws();
std::span<const Law> field_laws();
std::span<const Law> flat_world_laws();
std::span<const Law> sliding_laws();
std::span<const Law> rigid_joint_laws();
std::span<const Law> double_pendulum_laws();
std::span<const Law> jointed_impact_laws();
std::span<const Law> track_laws();
std::span<const Law> elastic_hit_laws();
std::span<const Law> stabilized_laws();
std::span<const Law> rest_laws();
std::span<const Law> solid_laws();
std::span<const Law> multibody_library_laws();
std::span<const Law> contact_library_laws();

/// Returns the laws of all files, ordered by row.
std::vector<Law> all_laws();

/// The stabilizers of the worlds in which errors are measured; all, by default.
Stabilizers& stabilizers_in_use();

/// Errors that several laws share. They are measured again if other stabilizers are in use.
template <typename Errors, typename Measure>
class SharedErrors {
 public:
  explicit SharedErrors(Measure measure) : measure_(measure) {}
  const Errors& get() {
    if (!errors_ || stabilizers_ != stabilizers_in_use()) errors_ = measure_();
    stabilizers_ = stabilizers_in_use();
    return *errors_;
  }

 private:
  Measure measure_;
  Stabilizers stabilizers_;
  std::optional<Errors> errors_;
};
template <typename Measure>
SharedErrors(Measure) -> SharedErrors<std::invoke_result_t<Measure>, Measure>;

}  // namespace jostle::physics::laws
