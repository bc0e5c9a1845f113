#include "shared/physics/stabilizers/impact_propagation/impact_sequence.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

/// Maximum number of impacts per contact. Momentum passes through a row of n contacts in n impacts.
/// Two such sequences that meet in the row need at most n² impacts.
constexpr std::size_t max_impacts_per_contact = 64;
/// Relative difference of speeds below which impacts are simultaneous.
constexpr double same_speed = 1e-5;
/// Relative margin within which a speed counts as the predicted one.
constexpr double prediction_margin = 0.05;
/// Minimum response along a contact's normal, as a share of the response without joints. A smaller
/// value is a rounding error of bodies that joints or locks hold along the normal.
constexpr double least_response = 1e-8;
/// Number of passes over simultaneous impacts (solve_by_passes), over all contacts of a sequence
/// that has reached the maximum number of impacts (`approach_passes`), and over all contacts with
/// friction (`friction_passes`).
constexpr int simultaneous_passes = 16, approach_passes = 64, friction_passes = 16;

}  // namespace

ImpactSequence::ImpactSequence(std::span<ChainImpact> impacts, std::span<const double> responses,
                               std::span<double> speeds)
    : impacts_(impacts),
      responses_(responses),
      speeds_(speeds),
      first_speeds_(speeds.begin(), speeds.end()),
      stride_(speeds.size() / impacts.size()),
      changes_(speeds.size()),
      was_solved_(impacts.size()) {}

void ImpactSequence::undo() {
  for (std::size_t i = 0; i < impacts_.size(); ++i)
    apply(row_of(i), -impacts_[i].impulse);
}

void ImpactSequence::run() {
  const std::vector<double> changes = changes_;
  double fastest = 0;
  for (const double speed : speeds_)
    fastest = std::max(fastest, std::abs(speed));
  simulate();
  if (!are_possible(changes, fastest)) drop_changes();
}

void ImpactSequence::simulate() {
  for (std::size_t count = 0; count < max_impacts_per_contact * impacts_.size(); ++count)
    if (!solve_fastest()) return;
  stop_approach();
}

/// Returns false if the impulses since `changes` are far too large for speeds of up to `fastest`,
/// or not finite. That happens if joints, locks and contacts leave a body no way out, so that no
/// impulses give the wanted speeds.
bool ImpactSequence::are_possible(std::span<const double> changes, double fastest) const {
  constexpr double most_gain = 1e4;
  for (std::size_t row = 0; row < changes_.size(); row += stride_) {
    const double change = std::abs(changes_[row] - changes[row]) * response(row, row);
    if (!(change <= most_gain * fastest)) return false;
  }
  return true;
}

/// Returns to the impulses of the phase.
void ImpactSequence::drop_changes() {
  std::copy(first_speeds_.begin(), first_speeds_.end(), speeds_.begin());
  std::fill(changes_.begin(), changes_.end(), 0.0);
  work_ = 0;
}

void ImpactSequence::scale_work(double share) {
  // The work is L + Q, with parts that are linear and quadratic in the changes. The sum of changes
  // times speeds is L + 2·Q.
  double sum = 0;
  for (std::size_t row = 0; row < speeds_.size(); ++row)
    sum += changes_[row] * speeds_[row];
  const double square = sum - work_, along = work_ - square;
  const double inside = along * along + 4 * square * work_ * share;
  const double scale = square > 0 && inside > 0 ? (std::sqrt(inside) - along) / (2 * square) : 0;
  const std::vector<double> changes = changes_;
  for (std::size_t row = 0; row < changes.size(); ++row)
    apply(row, (scale - 1) * changes[row]);
}

void ImpactSequence::apply(std::size_t row, double impulse) {
  changes_[row] += impulse;
  work_ += impulse * (speeds_[row] + 0.5 * response(row, row) * impulse);
  for (std::size_t i = 0; i < speeds_.size(); ++i)
    speeds_[i] += response(i, row) * impulse;
}

bool ImpactSequence::can_act(std::size_t impact) const {
  return response(row_of(impact), row_of(impact)) >
         least_response * impacts_[impact].response_alone;
}

double ImpactSequence::wanted_speed(std::size_t i, double speed) const {
  const ChainImpact& impact = impacts_[i];
  if (speed >= 0) return -impact.restitution * speed;
  if (-speed <= impact.threshold) return 0;
  const bool is_predicted = -speed <= impact.approach * (1 + prediction_margin);
  if (was_solved_[i] || !is_predicted) return -impact.restitution * speed;
  const double back = impact.restitution * std::max(-speed - impact.speed_after_meeting, 0.0);
  return std::sqrt(std::max(back * back + impact.gap_correction, 0.0));
}

/// Solves the fastest impact together with those that happen at the same time. Returns false if no
/// contact approaches faster than `at_rest`.
bool ImpactSequence::solve_fastest() {
  constexpr double at_rest = 1e-6;  // m/s
  double fastest = -at_rest;
  for (std::size_t i = 0; i < impacts_.size(); ++i)
    if (can_act(i)) fastest = std::min(fastest, speeds_[row_of(i)]);
  if (fastest == -at_rest) return false;
  find_simultaneous(fastest);
  solve_simultaneous();
  for (const SimultaneousImpact& simultaneous : simultaneous_)
    if (simultaneous.impulse > 0) apply(row_of(simultaneous.impact), simultaneous.impulse);
  return true;
}

/// Lists all points of the manifolds with a point that is as fast as `fastest`.
void ImpactSequence::find_simultaneous(double fastest) {
  simultaneous_.clear();
  for (std::size_t first = 0, last = 0; first < impacts_.size(); first = last) {
    bool is_fast = false;
    for (; last < impacts_.size() && impacts_[last].manifold == impacts_[first].manifold; ++last)
      is_fast |= can_act(last) && speeds_[row_of(last)] <= fastest * (1 - same_speed);
    for (std::size_t i = first; is_fast && i < last; ++i) {
      if (!can_act(i)) continue;
      simultaneous_.push_back({i, wanted_speed(i, speeds_[row_of(i)]), 0, true});
      was_solved_[i] = true;
    }
  }
}

/// Finds the impulses λ ≥ 0 after which no point is slower than wanted, and exactly as fast where
/// it has an impulse (Moreau's impact law). With u' = −e·u at all points, no energy is added, and
/// none is lost if e is 1. The points that act are found by block principal pivoting (Júdice and
/// Pires 1994), as in taut_ropes.cpp.
void ImpactSequence::solve_simultaneous() {
  constexpr int block_rounds = 4;
  const std::size_t rounds = block_rounds + 4 * simultaneous_.size();
  for (std::size_t round = 0; round < rounds; ++round) {
    solve_acting();
    SimultaneousImpact* last = nullptr;
    for (SimultaneousImpact& simultaneous : simultaneous_) {
      const double missing = simultaneous.wanted - speed_after(simultaneous);
      const double tolerance = same_speed * std::abs(simultaneous.wanted);
      if (simultaneous.acts ? simultaneous.impulse >= 0 : missing <= tolerance) continue;
      if (round < block_rounds) simultaneous.acts = !simultaneous.acts;
      last = &simultaneous;
    }
    if (last == nullptr) return;
    if (round >= block_rounds) last->acts = !last->acts;
  }
  solve_by_passes();
}

/// Approaches the impulses by projected Gauss–Seidel passes, if pivoting did not find them because
/// of rounding errors.
void ImpactSequence::solve_by_passes() {
  for (SimultaneousImpact& simultaneous : simultaneous_)
    simultaneous.impulse = 0;
  for (int pass = 0; pass < simultaneous_passes; ++pass) {
    for (SimultaneousImpact& simultaneous : simultaneous_) {
      const std::size_t row = row_of(simultaneous.impact);
      const double missing = simultaneous.wanted - speed_after(simultaneous);
      simultaneous.impulse = std::max(simultaneous.impulse + missing / response(row, row), 0.0);
    }
  }
}

/// Returns the speed of a point after all impulses of `simultaneous_`.
double ImpactSequence::speed_after(const SimultaneousImpact& simultaneous) const {
  const std::size_t row = row_of(simultaneous.impact);
  double speed = speeds_[row];
  for (const SimultaneousImpact& other : simultaneous_)
    speed += response(row, row_of(other.impact)) * other.impulse;
  return speed;
}

/// Computes the impulses that give all acting points their wanted speeds, by Cholesky's method. The
/// points of a manifold may depend on each other; a small softness shares the impulse among them.
void ImpactSequence::solve_acting() {
  constexpr double softness = 1e-8;
  std::vector<SimultaneousImpact*> acting;
  for (SimultaneousImpact& simultaneous : simultaneous_) {
    simultaneous.impulse = 0;
    if (simultaneous.acts) acting.push_back(&simultaneous);
  }
  const std::size_t count = acting.size();
  factor_.assign(count * count, 0);
  const auto factor = [&](std::size_t i, std::size_t k) -> double& {
    return factor_[i * count + k];
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = row_of(acting[i]->impact);
    double& impulse = acting[i]->impulse;
    impulse = acting[i]->wanted - speeds_[row];
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = response(row, row_of(acting[k]->impact)) * (i == k ? 1 + softness : 1);
      for (std::size_t j = 0; j < k; ++j)
        sum -= factor(i, j) * factor(k, j);
      factor(i, k) =
          i == k ? std::sqrt(std::max(sum, softness * response(row, row))) : sum / factor(k, k);
      if (k < i) impulse -= factor(i, k) * acting[k]->impulse;
    }
    impulse /= factor(i, i);
  }
  for (std::size_t i = count; i-- > 0;) {
    acting[i]->impulse /= factor(i, i);
    for (std::size_t k = 0; k < i; ++k)
      acting[k]->impulse -= factor(i, k) * acting[i]->impulse;
  }
}

/// Stops all remaining approach by inelastic impacts.
void ImpactSequence::stop_approach() {
  for (int pass = 0; pass < approach_passes; ++pass)
    for (std::size_t i = 0; i < impacts_.size(); ++i)
      if (can_act(i))
        apply(row_of(i), std::max(-speeds_[row_of(i)] / response(row_of(i), row_of(i)), 0.0));
}

void ImpactSequence::apply_friction() {
  if (stride_ == 1) return;
  for (int pass = 0; pass < friction_passes; ++pass)
    for (std::size_t i = 0; i < impacts_.size(); ++i)
      apply_friction(i, changes_[row_of(i)]);
}

/// Changes the friction of a contact towards the one that dissipates most. This is a step of the
/// projected gradient method, whose length 1/k is given by the largest response k.
void ImpactSequence::apply_friction(std::size_t i, double pressed) {
  ChainImpact& impact = impacts_[i];
  if (!(pressed > 0) || impact.static_friction == 0) return;
  const std::size_t first = row_of(i) + 1, second = first + 1;
  const double k11 = response(first, first), k22 = response(second, second),
               k12 = response(first, second);
  const double largest = 0.5 * (k11 + k22 + std::sqrt((k11 - k22) * (k11 - k22) + 4 * k12 * k12));
  if (!(largest > 0)) return;
  double wanted[2] = {impact.friction_impulse[0] - speeds_[first] / largest,
                      impact.friction_impulse[1] - speeds_[second] / largest};
  const double size = std::sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]);
  if (size > impact.static_friction * pressed) {
    const double share = impact.friction * pressed / size;
    wanted[0] *= share;
    wanted[1] *= share;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    apply(first + k, wanted[k] - impact.friction_impulse[k]);
    impact.friction_impulse[k] = wanted[k];
  }
}

}  // namespace jostle::physics
