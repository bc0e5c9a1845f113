#include "tools/priors/train_coder.h"

#include <algorithm>
#include <cmath>

namespace jostle::priors {
namespace {

using namespace protocol::context;

template <class L>
constexpr std::array<Regression, 5> regressions{
    L::position_mean, L::position_size, L::rotation_mean, L::component_mean, L::component_size};
constexpr std::uint32_t count_bits = 10, count_limit = (1U << count_bits) - 1;
constexpr std::int32_t probability_one = (1 << 22) - 1;
constexpr std::int32_t first_weight = 14'000;

/// Returns a table of the log-odds of the probabilities i / 4096: the inverse of to_probability.
std::array<std::int16_t, 4'096> make_log_odds() {
  std::array<std::int16_t, 4'096> table{};
  int x = -max_log_odds;
  for (std::size_t i = 0; i < table.size(); ++i) {
    while (x < max_log_odds && to_probability(x) < i * 16 + 8)
      ++x;
    table[i] = static_cast<std::int16_t>(x);
  }
  return table;
}

int log_odds_of(std::uint32_t counter) {
  static const auto table = make_log_odds();
  return table[counter >> 20];
}

/// Shifts right and rounds half up. Rounding down would drift over millions of steps.
std::int64_t shift_rounded(std::int64_t value, int shift) {
  return (value + (std::int64_t{1} << (shift - 1))) >> shift;
}

double cost_of(Probability one, bool value) {
  return -std::log2((value ? one : 65'536 - one) / 65'536.0);
}

}  // namespace

template <class Layout>
TrainCoder<Layout>::TrainCoder() : coefficients_(Layout::coefficient_count) {
  constexpr std::array<double, 5> units{16, 1, 45, 16, 1};
  for (std::size_t i = 0; i < regressions<Layout>.size(); ++i)
    fits_.emplace_back(regressions<Layout>[i], units[i], units[i] > 1);
  forget_counts();
}

template <class Layout>
std::int8_t TrainCoder<Layout>::stored_log_odds(std::uint32_t slot) const {
  const int log_odds = tuning_shift_ > 0 ? log_odds_[slot] >> 12 : log_odds_of(counters_[slot]);
  return static_cast<std::int8_t>(std::clamp((log_odds + 2'056) / 16 - 128, -127, 127));
}

template <class Layout>
void TrainCoder<Layout>::set_tuning(int shift) {
  if (tuning_shift_ == 0) {
    log_odds_.resize(counters_.size());
    for (std::size_t i = 0; i < counters_.size(); ++i)
      log_odds_[i] = log_odds_of(counters_[i]) * (1 << 12);
  }
  tuning_shift_ = shift;
}

template <class Layout>
void TrainCoder<Layout>::forget_counts() {
  counters_.assign(Layout::slot_count, 1U << 31);
  weights_.assign(Layout::weight_count, first_weight);
}

template <class Layout>
void TrainCoder<Layout>::count_bit(std::uint32_t slot, bool value) {
  std::uint32_t& counter = counters_[slot];
  const std::uint32_t count = counter & count_limit;
  auto probability = static_cast<std::int32_t>(counter >> count_bits);
  const std::int32_t distance = (value ? probability_one : 0) - probability;
  probability += static_cast<std::int32_t>(std::int64_t{distance} * 10 /
                                           (10 * static_cast<std::int64_t>(count) + 16));
  counter =
      static_cast<std::uint32_t>(probability) << count_bits | std::min(count + 1, count_limit);
}

template <class Layout>
bool TrainCoder<Layout>::single_context_bit(Slot slot, bool value) {
  cost_ += cost_of(to_probability(stored_log_odds(slot) * 16), value);
  if (tuning_shift_ == 0) count_bit(slot, value);
  return value;
}

template <class Layout>
void TrainCoder<Layout>::learn(const std::uint32_t* slots, std::size_t count, MixerSet first,
                               MixerSet second, bool value) {
  std::array<std::int32_t, max_contexts> inputs{};
  for (std::size_t i = 0; i < count; ++i)
    inputs[i] = tuning_shift_ > 0 ? log_odds_[slots[i]] >> 12 : log_odds_of(counters_[slots[i]]);
  if (count < max_contexts) inputs[max_contexts - 1] = log_odds_unit;
  std::int32_t* a = &weights_[std::size_t{first} * max_contexts];
  std::int32_t* b = &weights_[std::size_t{second} * max_contexts];
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < max_contexts; ++i)
    sum += std::int64_t{inputs[i]} * (a[i] + b[i]);
  const Probability one_probability = to_probability(static_cast<int>(
      std::clamp<std::int64_t>((sum + (1 << 16)) >> 17, -max_log_odds, max_log_odds)));
  cost_ += cost_of(one_probability, value);
  const int error = (value ? 65'536 : 0) - static_cast<int>(one_probability);
  for (std::size_t i = 0; i < count && tuning_shift_ > 0; ++i) {
    std::int32_t& log_odds = log_odds_[slots[i]];
    const std::int64_t change = shift_rounded(std::int64_t{error} * (a[i] + b[i]), tuning_shift_);
    log_odds = static_cast<std::int32_t>(std::clamp<std::int64_t>(
        log_odds + change, -max_log_odds * (1 << 12), max_log_odds * (1 << 12)));
  }
  for (std::size_t i = 0; i < max_contexts; ++i) {
    const auto change = static_cast<std::int32_t>(
        shift_rounded(std::int64_t{inputs[i]} * error, tuning_shift_ > 0 ? tuning_shift_ - 1 : 17));
    a[i] += change;
    b[i] += change;
  }
  for (std::size_t i = 0; i < count && tuning_shift_ == 0; ++i)
    count_bit(slots[i], value);
}

template <class Layout>
void TrainCoder<Layout>::observe(const Regression& regression, int part, const std::int32_t* inputs,
                                 double target, std::int32_t prediction) {
  if (!is_observing_) return;
  for (std::size_t i = 0; i < regressions<Layout>.size(); ++i) {
    if (regressions<Layout>[i].first == regression.first)
      fits_[i].add(part, inputs, target, prediction);
  }
}

template <class Layout>
void TrainCoder<Layout>::observe_size(const Regression& regression, int part,
                                      const std::int32_t* inputs, std::int32_t residual) {
  // The target is in sixteenths of an octave, like the result of log_size.
  std::int64_t size = std::abs(std::int64_t{residual}) + 1;
  std::int64_t whole = 0;
  while (size >> (whole + 1) != 0)
    ++whole;
  const double part_of_octave =
      static_cast<double>(size) / static_cast<double>(std::int64_t{1} << whole) - 1;
  observe(regression, part, inputs, 16 * (static_cast<double>(whole) + part_of_octave), 0);
}

template <class Layout>
void TrainCoder<Layout>::solve_regressions() {
  for (RegressionFit& fit : fits_)
    fit.solve(coefficients_.data());
}

template <class Layout>
double TrainCoder<Layout>::take_cost_bits() {
  const double cost = cost_;
  cost_ = 0;
  return cost;
}

template <class Layout>
Priors<Layout> TrainCoder<Layout>::priors() const {
  Priors<Layout> priors;
  for (std::size_t i = 0; i < priors.log_odds.size(); ++i)
    priors.log_odds[i] = stored_log_odds(static_cast<std::uint32_t>(i));
  priors.log_odds[Layout::runs.at(0, 0)] = 90;   // a snapshot usually has a single run
  priors.log_odds[Layout::runs.at(0, 1)] = -90;  // a run usually has a baseline
  priors.log_odds[Layout::runs.at(0, 2)] = 90;   // a run usually has a previous snapshot
  // a snapshot usually has all bodies, except on slow links
  priors.log_odds[Layout::runs.at(0, 3)] = 127;
  for (std::size_t i = 0; i < priors.weights.size(); ++i)
    priors.weights[i] =
        static_cast<std::int16_t>(std::clamp((weights_[i] + 8) >> 4, -32'767, 32'767));
  std::copy(coefficients_.begin(), coefficients_.end(), priors.coefficients.begin());
  return priors;
}

template class TrainCoder<PlainLayout>;
template class TrainCoder<PredictedLayout>;

}  // namespace jostle::priors
