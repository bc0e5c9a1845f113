#include "shared/physics/solver/locked_coordinates.h"

#include "shared/physics/world/joint_coordinates.h"

#include <array>

namespace jostle::physics {
namespace {

using Six = std::array<double, max_coordinates>;
using Matrix = std::array<Six, max_coordinates>;

/// Returns the part of a Jacobian row for one body, in one lane: the force, then the torque.
Six side_of(const Lanes (&force)[3], const Lanes (&torque)[3], std::size_t lane) {
  Six side{};
  for (std::size_t i = 0; i < 3; ++i) {
    side[i] = static_cast<double>(force[i][lane]);
    side[3 + i] = static_cast<double>(torque[i][lane]);
  }
  return side;
}

/// Response of a body to an impulse: translation along its free world axes, and rotation.
struct Answer {
  std::array<double, 3> inverse_mass{};
  double unlocked_mass = 0;  // inverse mass without locks, 1/kg
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  Six motion_by(const Six& row) const {
    return {inverse_mass[0] * row[0],
            inverse_mass[1] * row[1],
            inverse_mass[2] * row[2],
            xx * row[3] + xy * row[4] + xz * row[5],
            xy * row[3] + yy * row[4] + yz * row[5],
            xz * row[3] + yz * row[4] + zz * row[5]};
  }
  /// Returns an upper bound of the speed change along the row by a unit impulse on the row, if no
  /// translation of the body were locked.
  double most_by(const Six& row) const {
    return unlocked_mass * (row[0] * row[0] + row[1] * row[1] + row[2] * row[2]) +
           (xx + yy + zz) * (row[3] * row[3] + row[4] * row[4] + row[5] * row[5]);
  }
};

Answer answer_of(const Lanes (&free)[3], const Lanes (&inertia)[6], float inverse_mass,
                 std::size_t lane) {
  Answer answer;
  answer.unlocked_mass = static_cast<double>(inverse_mass);
  for (std::size_t i = 0; i < 3; ++i)
    answer.inverse_mass[i] = answer.unlocked_mass * static_cast<double>(free[i][lane]);
  const auto entry = [&](std::size_t i) { return static_cast<double>(inertia[i][lane]); };
  answer.xx = entry(0), answer.xy = entry(1), answer.xz = entry(2);
  answer.yy = entry(3), answer.yz = entry(4), answer.zz = entry(5);
  return answer;
}

double dot(const Six& a, const Six& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

/// K, which the sweep changes in place, and values that belong to its diagonal before the sweep.
struct Responses {
  Matrix k{};
  Six of_a{};           // contribution of body a to the diagonal
  Six most{};           // upper bounds of the diagonal without locks
  std::size_t count{};  // number of coordinates
};

Responses responses_of(const CoordinateBundle& bundle, std::size_t count, std::size_t lane,
                       float inverse_mass_a, float inverse_mass_b) {
  const Answer a = answer_of(bundle.free_a, bundle.inverse_inertia_a, inverse_mass_a, lane);
  const Answer b = answer_of(bundle.free_b, bundle.inverse_inertia_b, inverse_mass_b, lane);
  Matrix rows_a{}, rows_b{};
  Responses responses;
  responses.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    const Coordinate& row = bundle.coordinates[i];
    rows_a[i] = side_of(row.force_a, row.torque_a, lane);
    rows_b[i] = side_of(row.force_b, row.torque_b, lane);
    const Six by_a = a.motion_by(rows_a[i]), by_b = b.motion_by(rows_b[i]);
    for (std::size_t k = 0; k <= i; ++k)
      responses.k[i][k] = responses.k[k][i] = dot(rows_a[k], by_a) + dot(rows_b[k], by_b);
    responses.of_a[i] = dot(rows_a[i], by_a);
    responses.most[i] = a.most_by(rows_a[i]) + b.most_by(rows_b[i]);
  }
  return responses;
}

/// Minimum response of a row, relative to an upper bound of its response without locks. Below it,
/// the row's direction is within 0.001 rad of the locked directions, and the row counts as moving
/// no body.
constexpr double least_of_most = 1e-6;
/// Minimum pivot of a coordinate, relative to its response before the sweep. Below it, other locks
/// hold the coordinate.
constexpr double least_of_alone = 1e-6;
/// Minimum response of a row while the locks hold, relative to its response before the sweep. Below
/// it, the locks hold the row's coordinate.
constexpr double least_of_row = 1e-4;

/// Performs one step of the sweep, which exchanges the impulse and the speed of the coordinate
/// `pivot` (Goodnight 1979).
void sweep(Responses& responses, std::size_t pivot) {
  Matrix& k = responses.k;
  const double inverse = 1.0 / k[pivot][pivot];
  for (std::size_t i = 0; i < responses.count; ++i) {
    for (std::size_t j = 0; j < responses.count; ++j)
      if (i != pivot && j != pivot) k[i][j] -= k[i][pivot] * k[j][pivot] * inverse;
  }
  for (std::size_t i = 0; i < responses.count; ++i)
    if (i != pivot) k[i][pivot] = k[pivot][i] = k[i][pivot] * inverse;
  k[pivot][pivot] = -inverse;
}

void store_row(const Responses& responses, double alone, std::size_t i, std::size_t lane,
               Coordinate& row) {
  const double response = responses.k[i][i];
  const bool is_free = row.is_locked[lane] == 0.0f && row.acts[lane] > 0.0f &&
                       alone > least_of_most * responses.most[i] && response > least_of_row * alone;
  row.response[lane] = is_free ? static_cast<float>(response) : 0.0f;
  row.mass[lane] = is_free ? static_cast<float>(1.0 / response) : 0.0f;
  const float of = row.spring_of[lane];
  const double of_a = responses.of_a[i];
  const float given = of > 0.0f    ? of
                      : of == 0.0f ? row.mass[lane]
                      : of_a > 0   ? static_cast<float>(1.0 / of_a)
                                   : 0.0f;
  row.spring_mass[lane] = !is_free ? 0.0f : given > 0.0f ? given : row.mass[lane];
}

}  // namespace

void sweep_with_locks(CoordinateBundle& bundle, std::size_t count, std::size_t lane,
                      float inverse_mass_a, float inverse_mass_b) {
  Responses responses = responses_of(bundle, count, lane, inverse_mass_a, inverse_mass_b);
  Six alone{};
  for (std::size_t i = 0; i < count; ++i)
    alone[i] = responses.k[i][i];
  for (std::size_t i = 0; i < count; ++i) {
    Coordinate& row = bundle.coordinates[i];
    const bool is_held = row.is_locked[lane] > 0.0f &&
                         alone[i] > least_of_most * responses.most[i] &&
                         responses.k[i][i] > least_of_alone * alone[i];
    row.is_held[lane] = is_held ? 1.0f : 0.0f;
    if (is_held) sweep(responses, i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    store_row(responses, alone[i], i, lane, bundle.coordinates[i]);
    for (std::size_t k = 0; k <= i; ++k)
      bundle.swept[triangle_place(k, i)][lane] = static_cast<float>(responses.k[i][k]);
  }
}

}  // namespace jostle::physics
