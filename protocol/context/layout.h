#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::protocol::context {

/// Contexts that one binary decision may mix.
inline constexpr std::size_t max_contexts = 8;

/// A place in Priors::log_odds, and in Priors::weights (of a set of max_contexts).
using Slot = std::uint32_t;
using MixerSet = std::uint32_t;

/// `count` tables of the same length, one after the other.
struct Tables {
  std::uint32_t first = 0, count = 0, rows = 0, width = 1;

  constexpr std::uint32_t end() const { return first + count * rows * width; }
  constexpr Slot at(std::size_t table, int row) const {
    return first +
           (static_cast<std::uint32_t>(table) * rows + static_cast<std::uint32_t>(row)) * width;
  }
};

/// `count` sets of weights.
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

/// The expected size of a residual, in classes of about half an octave.
inline constexpr int size_levels = 24;
/// A residual's magnitude: 0, 1, 2, 3-4, 5-8, ..., then those that are written out.
inline constexpr int magnitude_classes = 16;

/// Where bodies are, seen from the nearest player, and whether they touch the ground.
inline constexpr int body_kinds = 7;

/// Tables of a number coded against a prediction.
struct ValueTables {
  Tables magnitude, sign, mantissa;
  MixerSets magnitude_by_node, magnitude_by_size, sign_by_class, sign_by_size;

  static constexpr ValueTables after(std::uint32_t slot, std::uint32_t set) {
    ValueTables t;
    t.magnitude = {slot, 8, 128, magnitude_classes};
    t.sign = {t.magnitude.end(), 7, 128, 1};
    t.mantissa = {t.sign.end(), 1, size_levels, 4 * magnitude_classes};
    t.magnitude_by_node = {set, 3 * magnitude_classes};
    t.magnitude_by_size = {t.magnitude_by_node.end(), 4 * size_levels};
    t.sign_by_class = {t.magnitude_by_size.end(), 3 * 4};
    t.sign_by_size = {t.sign_by_class.end(), size_levels};
    return t;
  }
};

namespace layout {

/// Last run, spawn pose, has a previous state, all bodies are in it: set by hand, for it is not
/// what is trained.
inline constexpr Tables runs{0, 1, 4, 1};
inline constexpr Tables far_still{runs.end(), 1, 8, 1};
inline constexpr Tables changed{far_still.end(), 6, 256, 1};
inline constexpr Tables moved{changed.end(), 4, 64, 1};
inline constexpr Tables turned{moved.end(), 4, 64, 1};
inline constexpr Tables awake{turned.end(), 3, 64, 1};
inline constexpr Tables largest{awake.end(), 4, 128, 1};
inline constexpr Tables largest_rest{largest.end(), 2, 64, 2};

inline constexpr MixerSets changed_by_state{0, 6};
inline constexpr MixerSets changed_by_distance{changed_by_state.end(), 8};
inline constexpr MixerSets flag_by_kind{changed_by_distance.end(), 3};
inline constexpr MixerSets flag_by_state{flag_by_kind.end(), 3 * 8};
inline constexpr MixerSets largest_by_question{flag_by_state.end(), 3};
inline constexpr MixerSets largest_by_margin{largest_by_question.end(), 8};

inline constexpr auto position = ValueTables::after(largest_rest.end(), largest_by_margin.end());
inline constexpr auto rotation =
    ValueTables::after(position.mantissa.end(), position.sign_by_size.end());

inline constexpr std::size_t slot_count = rotation.mantissa.end();
inline constexpr std::size_t weight_count = rotation.sign_by_size.end() * max_contexts;

inline constexpr Regression position_mean{0, 3 * body_kinds, 10};
inline constexpr Regression position_size{position_mean.end(), 3 * body_kinds, 15};
inline constexpr Regression rotation_mean{position_size.end(), 2 * body_kinds, 7};
inline constexpr Regression component_mean{rotation_mean.end(), 8, 2};
inline constexpr Regression component_size{component_mean.end(), 12, 15};
inline constexpr std::size_t coefficient_count = component_size.end();

}  // namespace layout

/// All that the coder knows beforehand: made by tools/priors from runs of seeds that no score uses.
/// Log-odds in 1/16, weights in 1/8192 (two sets are added), coefficients in 1/16384.
struct Priors {
  std::array<std::int8_t, layout::slot_count> log_odds{};
  std::array<std::int16_t, layout::weight_count> weights{};
  std::array<std::int32_t, layout::coefficient_count> coefficients{};
};
static_assert(sizeof(Priors) <= 64 * 1024, "both ends hold it in their first-level caches' reach");

/// The priors of this version of the codec.
const Priors& trained_priors();
/// Which priors these are: both ends must have the same ones.
std::uint64_t hash(const Priors& of);
std::uint64_t trained_priors_hash();

}  // namespace jostle::protocol::context
