#pragma once

#include "protocol/context/coders.h"
#include "protocol/context/layout.h"
#include "tools/priors/regressions.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::priors {

/// An encoder that runs the models of the codec but learns from the symbols instead of writing
/// them. Counters follow Mahoney's adaptive probability maps (22 bits of probability, 10 of count).
/// The weights follow the gradient of the coding cost. Counters and weights use integers only.
template <class Layout_>
class TrainCoder {
 public:
  using Layout = Layout_;
  static constexpr bool decodes = false;
  static constexpr bool learns = true;

  TrainCoder();

  template <std::size_t n>
  bool bit(const std::array<protocol::context::Slot, n>& slots, std::uint32_t node,
           protocol::context::MixerSet first, protocol::context::MixerSet second, bool value) {
    std::array<std::uint32_t, n> nodes{};
    for (std::size_t i = 0; i < n; ++i)
      nodes[i] = slots[i] + node;
    learn(nodes.data(), n, first, second, value);
    return value;
  }
  bool single_context_bit(protocol::context::Slot slot, bool value);
  bool explicit_bit(protocol::context::Probability /*probability*/, bool value) { return value; }
  std::uint32_t raw_bits(std::uint32_t value, unsigned count) {
    cost_ += count;
    return value;
  }
  std::int32_t predict(const protocol::context::Regression& regression, int part,
                       const std::int32_t* inputs) const {
    return protocol::context::predict_linear(
        &coefficients_[regression.first + static_cast<std::size_t>(part) * regression.inputs],
        inputs, regression.inputs);
  }
  void observe(const protocol::context::Regression& regression, int part,
               const std::int32_t* inputs, double target, std::int32_t prediction);
  void observe_size(const protocol::context::Regression& regression, int part,
                    const std::int32_t* inputs, std::int32_t residual);
  void fail() {}

  /// Computes new coefficients from the observed samples.
  void solve_regressions();
  /// Resets counters and weights to their initial values.
  void forget_counts();
  void set_observing(bool is_observing) { is_observing_ = is_observing; }
  /// Switches the counters to log-odds that follow the gradient of the coding cost, as the weights
  /// do. The step is 2^-`shift` of the gradient. Later calls only change the step.
  void set_tuning(int shift);

  double take_cost_bits();
  protocol::context::Priors<Layout> priors() const;

 private:
  void learn(const std::uint32_t* slots, std::size_t count, protocol::context::MixerSet first,
             protocol::context::MixerSet second, bool value);
  void count_bit(std::uint32_t slot, bool value);
  std::int8_t stored_log_odds(std::uint32_t slot) const;

  std::vector<std::uint32_t> counters_;
  std::vector<std::int32_t> weights_;  // weights in units of 1/65536
  std::vector<std::int32_t> coefficients_;
  std::vector<RegressionFit> fits_;  // fits in the order of `regressions` in the source
  bool is_observing_ = true;
  int tuning_shift_ = 0;                // shift of the step size; 0: counters are used instead
  std::vector<std::int32_t> log_odds_;  // log-odds while tuning, in units of 1/2^20
  double cost_ = 0;
};

}  // namespace jostle::priors
