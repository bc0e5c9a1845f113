#pragma once

#include "protocol/context/layout.h"
#include "protocol/context/log_odds.h"
#include "protocol/context/range_coder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace jostle::protocol::context {

/// Returns a linear prediction: the sum of `inputs` times `coefficients` (in 1/16384), computed in
/// 64 bits and clamped to ±2^26.
inline std::int32_t predict_linear(const std::int32_t* coefficients, const std::int32_t* inputs,
                                   std::size_t count) {
  constexpr std::int64_t limit = 1 << 26;
  std::int64_t sum = 1 << 13;
  for (std::size_t i = 0; i < count; ++i)
    sum += std::int64_t{coefficients[i]} * inputs[i];
  return static_cast<std::int32_t>(std::clamp(sum >> 14, -limit, limit));
}

/// Returns the probability that the bit is one, by logistic mixing (Mahoney, "Adaptive weighing of
/// context models for lossless data compression", 2005). It follows from the weighted sum of the
/// log-odds of all contexts. `slots` are the rows of the contexts, `node` is the entry in each row.
/// Each weight is the sum of the weights in the sets `first` and `second`.
///
/// Unlike in the paper, the weights are fixed. On packets of some hundred bytes, adaptive weights
/// saved less than 1 % and would require a copy of the tables per part.
template <std::size_t n, class Layout>
Probability mix(const Priors<Layout>& priors, const std::array<Slot, n>& slots, std::uint32_t node,
                MixerSet first, MixerSet second) {
  static_assert(n <= max_contexts);
  const std::int8_t* log_odds = priors.log_odds.data() + node;
  const std::int16_t* a = priors.weights.data() + std::size_t{first} * max_contexts;
  const std::int16_t* b = priors.weights.data() + std::size_t{second} * max_contexts;
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    sum += log_odds[slots[i]] * (a[i] + b[i]);
  // Add a bias if there are fewer contexts than weights.
  if (n < max_contexts) sum += log_odds_unit / 16 * (a[max_contexts - 1] + b[max_contexts - 1]);
  return to_probability((sum + 256) >> 9);
}

/// Encoder of the bits of a part with the probabilities that the priors give. PartEncoder,
/// PartDecoder and the trainer of tools/priors have the same interface, so that the code of the
/// model serves all three. `bit` returns the coded bit; a decoder ignores the given value.
template <class Layout_>
class PartEncoder {
 public:
  using Layout = Layout_;
  static constexpr bool decodes = false;
  static constexpr bool learns = false;

  explicit PartEncoder(const Priors<Layout>& priors) : priors_(&priors) {}
  /// Constructs an encoder that continues the output of another encoder.
  PartEncoder(const Priors<Layout>& priors, RangeEncoder range)
      : priors_(&priors), range_(std::move(range)) {}

  template <std::size_t n>
  bool bit(const std::array<Slot, n>& slots, std::uint32_t node, MixerSet first, MixerSet second,
           bool value) {
    range_.code(value, mix(*priors_, slots, node, first, second));
    return value;
  }
  bool single_context_bit(Slot slot, bool value) {
    range_.code(value, to_probability(priors_->log_odds[slot] * 16));
    return value;
  }
  /// Codes a bit with a constant probability, or with one that was itself coded in the part.
  bool explicit_bit(Probability probability, bool value) {
    range_.code(value, probability);
    return value;
  }
  std::uint32_t raw_bits(std::uint32_t value, unsigned count) {
    range_.code_raw(value, count);
    return value;
  }
  std::int32_t predict(const Regression& regression, int part, const std::int32_t* inputs) const {
    return predict_linear(
        &priors_
             ->coefficients[regression.first + static_cast<std::size_t>(part) * regression.inputs],
        inputs, regression.inputs);
  }
  void fail() {}

  std::size_t max_bytes() const { return range_.max_bytes(); }
  std::vector<std::byte> take() { return range_.take(); }
  RangeEncoder take_range() { return std::move(range_); }

 private:
  const Priors<Layout>* priors_;
  RangeEncoder range_;
};

template <class Layout_>
class PartDecoder {
 public:
  using Layout = Layout_;
  static constexpr bool decodes = true;
  static constexpr bool learns = false;

  PartDecoder(const Priors<Layout>& priors, std::span<const std::byte> bytes)
      : priors_(&priors), range_(bytes) {}
  /// Constructs a decoder that continues the input of another decoder.
  PartDecoder(const Priors<Layout>& priors, const RangeDecoder& range)
      : priors_(&priors), range_(range) {}

  template <std::size_t n>
  bool bit(const std::array<Slot, n>& slots, std::uint32_t node, MixerSet first, MixerSet second,
           bool /*value*/) {
    return range_.code(mix(*priors_, slots, node, first, second));
  }
  bool single_context_bit(Slot slot, bool /*value*/) {
    return range_.code(to_probability(priors_->log_odds[slot] * 16));
  }
  bool explicit_bit(Probability probability, bool /*value*/) { return range_.code(probability); }
  std::uint32_t raw_bits(std::uint32_t /*value*/, unsigned count) { return range_.code_raw(count); }
  std::int32_t predict(const Regression& regression, int part, const std::int32_t* inputs) const {
    return predict_linear(
        &priors_
             ->coefficients[regression.first + static_cast<std::size_t>(part) * regression.inputs],
        inputs, regression.inputs);
  }
  /// Marks the input as invalid, because the decoded values contradict each other.
  void fail() { is_sound_ = false; }

  bool is_sound() const { return is_sound_ && !range_.is_exhausted(); }
  bool is_whole() const { return range_.is_whole(); }
  const RangeDecoder& range() const { return range_; }

 private:
  const Priors<Layout>* priors_;
  RangeDecoder range_;
  bool is_sound_ = true;
};

}  // namespace jostle::protocol::context
