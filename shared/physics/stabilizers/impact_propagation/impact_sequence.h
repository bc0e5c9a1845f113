#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::physics {

/// An impact between two bodies at a contact point.
struct ChainImpact {
  std::size_t manifold = 0;  // points of a manifold follow each other and have the same number
  double restitution = 0;
  double friction = 0;         // coefficient
  double static_friction = 0;  // coefficient, at least `friction`
  // approach speed below which nothing is given back, m/s
  double threshold = 0;
  double response_alone = 0;  // response along the normal without joints, 1/kg
  // Predicted approach speed, m/s. A faster impact passes on the momentum of another one, and the
  // two members below do not apply.
  double approach = 0;
  // Part of the approach speed that is due to acceleration after the surfaces have met, m/s.
  double speed_after_meeting = 0;
  // Change of the squared separation speed on the way back to the gap at which the bodies were
  // stopped before the surfaces met, m²/s².
  double gap_correction = 0;
  double impulse = 0;            // impulse of the phase, N·s
  double friction_impulse[2]{};  // friction impulses of the sequence, N·s
};

/// A sequence of impacts (impact_chains.h) in the space of its contacts. Each impact has one row,
/// along its normal, or three rows, the others along its tangents.
class ImpactSequence {
 public:
  /// `responses` is the square matrix of the speed changes along the rows by unit impulses along
  /// the rows. `speeds` are the speeds along the rows, after the impulses of the phase.
  ImpactSequence(std::span<ChainImpact> impacts, std::span<const double> responses,
                 std::span<double> speeds);

  /// Undoes the impulses of the phase (ImpactPhase).
  void undo();
  /// Simulates the impacts.
  void run();
  /// Returns the work of all changes so far, J.
  double work() const { return work_; }
  /// Scales the changes of all impulses so that their work is multiplied by `share`.
  void scale_work(double share);
  /// Adds friction of the normal impulses that exceed those of the phase.
  void apply_friction();
  /// Returns the difference between an impulse along a row and that of the phase, N·s.
  double change(std::size_t row) const { return changes_[row]; }

 private:
  struct SimultaneousImpact {
    std::size_t impact;
    double wanted;   // speed after the impact
    double impulse;  // N·s
    bool acts;
  };
  std::size_t row_of(std::size_t impact) const { return impact * stride_; }
  double response(std::size_t row, std::size_t other) const {
    return responses_[row * speeds_.size() + other];
  }
  bool can_act(std::size_t impact) const;
  void apply(std::size_t row, double impulse);
  bool solve_fastest();
  void find_simultaneous(double fastest);
  void solve_simultaneous();
  void solve_acting();
  void solve_by_passes();
  double speed_after(const SimultaneousImpact& simultaneous) const;
  void stop_approach();
  void simulate();
  bool are_possible(std::span<const double> changes, double fastest) const;
  void drop_changes();
  double wanted_speed(std::size_t impact, double speed) const;
  void apply_friction(std::size_t impact, double pressed);

  std::span<ChainImpact> impacts_;
  std::span<const double> responses_;
  std::span<double> speeds_;
  std::vector<double> first_speeds_;  // before all changes
  std::size_t stride_;
  std::vector<double> changes_;  // by row
  std::vector<bool> was_solved_;
  std::vector<SimultaneousImpact> simultaneous_;
  std::vector<double> factor_;  // scratch memory of solve_acting
  double work_ = 0;
};

}  // namespace jostle::physics
