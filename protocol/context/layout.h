#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::protocol::context {

/// Maximum number of contexts that are mixed for one binary decision.
inline constexpr std::size_t max_contexts = 8;

/// A Slot is an index in Priors::log_odds. A MixerSet is the index of a set of max_contexts entries
/// in Priors::weights.
using Slot = std::uint32_t;
using MixerSet = std::uint32_t;

/// A group of `count` tables of `rows` rows with `width` entries each, stored one after the other
/// from slot `first` on.
struct Tables {
  std::uint32_t first = 0, count = 0, rows = 0, width = 1;

  constexpr std::uint32_t end() const { return first + count * rows * width; }
  constexpr Slot at(std::size_t table, int row) const {
    return first +
           (static_cast<std::uint32_t>(table) * rows + static_cast<std::uint32_t>(row)) * width;
  }
};

/// A group of `count` sets of weights, from set `first` on.
struct MixerSets {
  std::uint32_t first = 0, count = 0;

  constexpr std::uint32_t end() const { return first + count; }
  constexpr MixerSet at(int i) const { return first + static_cast<std::uint32_t>(i); }
};

/// Linear predictions: `classes` sets of `inputs` coefficients in 1/16384.
struct Regression {
  std::uint32_t first = 0, classes = 0, inputs = 0;

  constexpr std::uint32_t end() const { return first + classes * inputs; }
};

/// Number of classes of the expected size of a residual. A class is 7/16 (positions) or 5/16
/// (rotations) of an octave wide.
inline constexpr int size_levels = 24;
/// Number of magnitude classes of a residual: 0, 1, 2, 3-4, 5-8, …, and the last for magnitudes
/// written out in full.
inline constexpr int magnitude_classes = 16;

/// Number of kinds of bodies: players, and other bodies by nearness to a player (three levels) and
/// whether they are high above the ground.
inline constexpr int body_kinds = 7;

/// Tables of a number that is coded as a residual of a prediction.
struct ValueTables {
  Tables magnitude, sign, mantissa;
  MixerSets magnitude_by_node, magnitude_by_size, sign_by_class, sign_by_size;

  static constexpr ValueTables after(std::uint32_t slot, std::uint32_t set,
                                     std::uint32_t sign_tables) {
    ValueTables t;
    t.magnitude = {slot, 8, 128, magnitude_classes};
    t.sign = {t.magnitude.end(), sign_tables, 128, 1};
    t.mantissa = {t.sign.end(), 1, size_levels, 4 * magnitude_classes};
    t.magnitude_by_node = {set, 3 * magnitude_classes};
    t.magnitude_by_size = {t.magnitude_by_node.end(), 4 * size_levels};
    t.sign_by_class = {t.magnitude_by_size.end(), 3 * 4};
    t.sign_by_size = {t.sign_by_class.end(), size_levels};
    return t;
  }
};

/// The layout of Priors. `uses_prediction_baseline` selects codec 3, whose contexts also include a
/// simulated prediction; otherwise codec 2.
template <bool uses_prediction_baseline_>
struct Layout {
  static constexpr bool uses_prediction_baseline = uses_prediction_baseline_;
  static constexpr std::uint32_t more = uses_prediction_baseline ? 1 : 0;

  /// Probabilities of the flags of a part, which are set by hand and not trained. Rows:
  /// - 0: all bodies have the same baseline pair
  /// - 1: the baseline is the spawn pose
  /// - 2: there is a previous state
  /// - 3: all bodies of the range are included
  static constexpr Tables runs{0, 1, 4, 1};
  static constexpr Tables far_still{runs.end(), 1, 8, 1};
  static constexpr Tables changed{far_still.end(), 6 + 2 * more, 256, 1};
  static constexpr Tables moved{changed.end(), 4 + 2 * more, 64, 1};
  static constexpr Tables turned{moved.end(), 4 + 2 * more, 64, 1};
  static constexpr Tables awake{turned.end(), 3 + 2 * more, 64, 1};
  static constexpr Tables largest{awake.end(), 4, 128, 1};
  static constexpr Tables largest_rest{largest.end(), 2, 64, 2};
  /// Inputs of players in codec 3; see detail/input_coder.h.
  static constexpr Tables held{largest_rest.end(), 1, uses_prediction_baseline ? 16U : 0U, 1};

  static constexpr MixerSets changed_by_state{0, 6};
  static constexpr MixerSets changed_by_distance{changed_by_state.end(), 8};
  static constexpr MixerSets flag_by_kind{changed_by_distance.end(), 3};
  static constexpr MixerSets flag_by_state{flag_by_kind.end(), 3 * 8};
  static constexpr MixerSets largest_by_question{flag_by_state.end(), 3};
  static constexpr MixerSets largest_by_margin{largest_by_question.end(), 8};

  static constexpr auto position =
      ValueTables::after(held.end(), largest_by_margin.end(), 7 + more);
  static constexpr auto rotation =
      ValueTables::after(position.mantissa.end(), position.sign_by_size.end(), 7);

  static constexpr std::size_t slot_count = rotation.mantissa.end();
  static constexpr std::size_t weight_count = rotation.sign_by_size.end() * max_contexts;

  static constexpr Regression position_mean{0, 3 * body_kinds, 10 + more};
  static constexpr Regression position_size{position_mean.end(), 3 * body_kinds, 15 + 2 * more};
  static constexpr Regression rotation_mean{position_size.end(), 2 * body_kinds, 7 + more};
  static constexpr Regression component_mean{rotation_mean.end(), 8, 2};
  static constexpr Regression component_size{component_mean.end(), 12, 15 + 2 * more};
  static constexpr std::size_t coefficient_count = component_size.end();
};

/// The trained parameters of a coder, produced by tools/priors from runs whose seeds are not used
/// in any benchmark. Log-odds are in 1/16, weights in 1/8192 (two sets are added), coefficients in
/// 1/16384.
template <class Layout_>
struct Priors {
  using Layout = Layout_;

  std::array<std::int8_t, Layout::slot_count> log_odds{};
  std::array<std::int16_t, Layout::weight_count> weights{};
  std::array<std::int32_t, Layout::coefficient_count> coefficients{};
};

using PlainLayout = Layout<false>;     // codec 2
using PredictedLayout = Layout<true>;  // codec 3
using PlainPriors = Priors<PlainLayout>;
using PredictedPriors = Priors<PredictedLayout>;
constexpr std::size_t max_priors_bytes = 64 * 1024;
static_assert(sizeof(PlainPriors) <= max_priors_bytes &&
                  sizeof(PredictedPriors) <= max_priors_bytes,
              "priors should stay small enough for fast caches at both ends");

/// Returns the priors that this version uses for codec 2, and for codec 3.
const PlainPriors& trained_priors();
const PredictedPriors& trained_predicted_priors();
/// Returns the hash of priors. Both ends must use the same priors.
std::uint64_t hash(const PlainPriors& of);
std::uint64_t hash(const PredictedPriors& of);
std::uint64_t trained_priors_hash();
std::uint64_t trained_predicted_priors_hash();

}  // namespace jostle::protocol::context
