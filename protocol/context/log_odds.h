#pragma once

#include "protocol/context/range_coder.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace jostle::protocol::context {

/// Fixed-point value of the log-odds ln(p / (1 - p)) = 1.
inline constexpr int log_odds_unit = 256;
/// Maximum magnitude of log-odds; beyond it they are clamped.
inline constexpr int max_log_odds = 2047;

namespace detail {

/// Computes e^x by its series, for |x| <= 8. The compiler evaluates it in IEEE doubles with basic
/// operations only, so the table is the same on every machine.
constexpr double exponential(double x) {
  constexpr int halvings = 4;
  double small = x;
  for (int i = 0; i < halvings; ++i)
    small /= 2;
  double sum = 1, term = 1;
  for (int i = 1; i < 20; ++i) {
    term *= small / i;
    sum += term;
  }
  for (int i = 0; i < halvings; ++i)
    sum *= sum;
  return sum;
}

constexpr std::array<std::uint16_t, 2 * (max_log_odds + 1)> make_probabilities() {
  std::array<std::uint16_t, 2 * (max_log_odds + 1)> table{};
  for (int i = 0; i < static_cast<int>(table.size()); ++i) {
    const double odds = exponential(static_cast<double>(max_log_odds + 1 - i) / log_odds_unit);
    const double probability = (1 << probability_bits) / (1 + odds);
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): positive, and std::lround is not constexpr
    const int rounded = static_cast<int>(probability + 0.5);
    table[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>(std::clamp(rounded, 24, 65'512));
  }
  return table;
}

inline constexpr auto probabilities = make_probabilities();

}  // namespace detail

constexpr Probability to_probability(int log_odds) {
  const int clamped = std::clamp(log_odds, -max_log_odds, max_log_odds);
  return detail::probabilities[static_cast<std::size_t>(clamped + max_log_odds + 1)];
}

}  // namespace jostle::protocol::context
