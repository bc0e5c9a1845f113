#pragma once

#include "protocol/context/detail/surroundings.h"
#include "protocol/context/detail/value_coder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace jostle::protocol::context::detail {

/// Coder of the rotation of a body, after its position.
///
/// A linear prediction gives the vector part of the turn since the baseline. Its inputs are
/// constant angular velocity, the turns of the player and of the neighbours, the slowdown of the
/// position, and rolling. The predicted turn is applied to the baseline, and the four components of
/// the result are sorted by size. The index of the largest component is coded as a rank in that
/// order.
///
/// The three other components are coded relative to their predictions, in steps of the wire. Each
/// prediction is corrected by the residuals of the components before it, in two ways. The first
/// correction assumes that the turn was faster or slower along its whole path (`along_`). The
/// second uses the unit length of the quaternion (`tangent_`): the mean of a component, given the
/// others, for an error that is equal in all directions of the sphere's tangent space.
template <class Coder>
class RotationCoder {
 public:
  /// `step` is the displacement from the baseline, in 1/512 m, which was coded before the rotation.
  /// Its deviation from the expected displacement corrects the predicted turn.
  RotationCoder(Coder& coder, const BodyContext& outlook, const IntVec3& step)
      : coder_(coder), o_(outlook) {
    std::int64_t along = 0, squared = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int32_t v = o_.expected_step[i];
      step_[i] = std::clamp(step[i], -max_step, max_step);
      const std::int32_t slip = step_[i] - v;
      along += std::int64_t{slip} * v;
      squared += std::int64_t{v} * v;
      slip_size_ = std::max(slip_size_, std::abs(slip));
    }
    faster_ = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(along * 256 / (squared + 256), -512, 512));
    predict_turn();
  }

  /// Codes the fields `largest` and `smallest` of `body`; a decoder ignores their values. Returns
  /// the vector part of the turn since the baseline.
  IntVec3 code(QuantizedBody& body) {
    code_largest(body);
    if (predicted_[body.largest] < 0) {
      for (std::size_t i = 0; i < 4; ++i) {
        predicted_[i] = -predicted_[i];
        moving_[i] = -moving_[i];
      }
    }
    int k = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i == body.largest) continue;
      code_component(k, i, body.smallest[static_cast<std::size_t>(k)]);
      ++k;
    }
    const IntVec3 turn = turn_between(o_.rotation, unpack_rotation(body));
    if constexpr (Coder::learns) {
      for (std::size_t i = 0; i < 3; ++i)
        coder_.observe(L::rotation_mean, part_of(i), turn_inputs_[i].data(), turn[i], turn_[i]);
    }
    return turn;
  }

 private:
  using L = typename Coder::Layout;
  static constexpr std::size_t turn_count = L::rotation_mean.inputs;
  static constexpr std::size_t size_count = L::component_size.inputs;
  using SizeInputs = std::array<std::int32_t, size_count>;

  /// Distance of centres below which neighbours may touch, 1/512 m.
  static constexpr std::int32_t touching = 420;
  static constexpr std::int32_t zero = 1 << (rotation_bits - 1);
  /// The value sqrt(2) * 255 * 16 / one in 1/65536: converts a component to 1/16 steps of the wire.
  static constexpr std::int64_t sixteenths = 23'080;

  bool is_rigid() const { return o_.player != nullptr && o_.nearness < 2; }
  int part_of(std::size_t axis) const { return o_.kind * 2 + (axis == up_axis ? 1 : 0); }

  void predict_turn() {
    // If the centre of a rolling ball of radius r moves by d, the vector part of its turn is up × d
    // / (2 r).
    const std::int32_t reach = o_.reference->facts.reach;
    const auto rolled = [&](std::int32_t d) {
      return static_cast<std::int32_t>(
          std::clamp<std::int64_t>(std::int64_t{d} * one / (2 * std::max(reach, 1)), -one, one));
    };
    const bool touches = o_.has_neighbour && o_.neighbour_distance < touching;
    const IntVec3& v = o_.expected_step;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int32_t before = o_.expected_turn[i];
      const std::int32_t step = i == 0 ? step_[2] : i == 2 ? -step_[0] : 0;
      const std::int32_t expected = i == 0 ? v[2] : i == 2 ? -v[0] : 0;
      turn_inputs_[i] = {before,
                         is_rigid() ? o_.player->turn[i] - before : 0,
                         o_.neighbour_turn_slip[i],
                         touches ? o_.neighbour_turn[i] - before : 0,
                         faster_ * before / 256,
                         rolled(step) - before,
                         rolled(step - expected)};
      if constexpr (L::uses_prediction_baseline) turn_inputs_[i][7] = o_.turn_drift[i];
      turn_[i] = std::clamp(coder_.predict(L::rotation_mean, part_of(i), turn_inputs_[i].data()),
                            -4 * one, 4 * one);
      rolling_mismatch_ = std::max(rolling_mismatch_, std::abs(turn_inputs_[i][5]));
    }
    const IntQuat turn = from_vector(turn_);
    predicted_ = multiply(turn, o_.rotation);
    moving_ = multiply({turn_[0], turn_[1], turn_[2], 0}, predicted_);
    for (std::size_t i = 0; i < 3; ++i) {
      turn_size_ = std::max(turn_size_, std::abs(turn_[i]));
      turn_drift_ = std::max(turn_drift_, std::abs(o_.turn_drift[i]));
      slip_of_neighbours_ = std::max(slip_of_neighbours_, std::abs(o_.neighbour_turn_slip[i]));
      if (is_rigid())
        unlike_player_ =
            std::max(unlike_player_, std::abs(o_.player->turn[i] - o_.expected_turn[i]));
    }
  }

  void code_largest(QuantizedBody& body) {
    std::array<std::uint8_t, 4> rank{0, 1, 2, 3};
    const auto size = [&](std::size_t i) { return std::abs(predicted_[rank[i]]); };
    for (std::size_t i = 1; i < 4; ++i) {
      for (std::size_t j = i; j > 0 && size(j) > size(j - 1); --j)
        std::swap(rank[j], rank[j - 1]);
    }
    const std::int32_t log = log_size((size(0) - size(1)) / 16);
    const std::int32_t log_second = log_size((size(1) - size(2)) / 16);
    const int margin = std::min(log / 16, 7), second = std::min(log_second / 16, 7);
    const int keeps = o_.reference->baseline->largest == rank[0] ? 1 : 0;
    const Tables& t = L::largest;
    const std::array<Slot, 4> first{t.at(0, std::min(log / 8, 15) * 2 + keeps),
                                    t.at(1, (margin * 8 + octave(turn_size_ / 16, 7)) * 2 + keeps),
                                    t.at(2, margin * 8 + octave(slip_of_neighbours_ / 16, 7)),
                                    t.at(3, margin * 8 + octave(slip_size_, 7))};
    const Tables& u = L::largest_rest;
    const std::array<Slot, 2> rest{u.at(0, std::min(log_second / 4, 31)),
                                   u.at(1, margin * 8 + second)};
    std::size_t wanted = 0;
    while (wanted < 3 && rank[wanted] != body.largest)
      ++wanted;
    const auto ask = [&](int question, bool is_further) {
      const MixerSet a = L::largest_by_question.at(question);
      const MixerSet b = L::largest_by_margin.at(question == 0 ? margin : second);
      if (question == 0) return coder_.bit(first, 0, a, b, is_further);
      return coder_.bit(rest, static_cast<std::uint32_t>(question - 1), a, b, is_further);
    };
    std::size_t found = 0;
    for (int question = 0; question < 3 && ask(question, wanted > found); ++question)
      ++found;
    body.largest = rank[found];
  }

  std::int32_t to_sixteenths(std::int32_t component) const {
    return static_cast<std::int32_t>((component * sixteenths + 32'768) >> 16);
  }

  void code_component(int k, std::size_t i, std::uint16_t& component) {
    const std::int32_t base = to_sixteenths(predicted_[i]), moving = to_sixteenths(moving_[i]);
    const std::int64_t square = std::int64_t{predicted_[i]} * predicted_[i];
    const std::int64_t left = std::max<std::int64_t>(one_squared - squares_, one_squared / 64);
    const std::array<std::int32_t, 2> inputs{
        static_cast<std::int32_t>(along_ * moving / (along_squared_ + 4'096)),
        static_cast<std::int32_t>(std::clamp<std::int64_t>(
            -predicted_[i] * (tangent_ / 4'096) / (left / 4'096), -16'000, 16'000))};
    const int log_turn = log_size(turn_size_ / 16);
    const int part = k == 0 ? 0 : (k - 1) * 4 + std::min(log_turn / 32, 3);
    const std::int32_t correction =
        k == 0 ? 0
               : std::clamp(coder_.predict(L::component_mean, part, inputs.data()), -8'192, 8'192);
    const std::int32_t prediction = base + correction;
    const std::int32_t step = std::clamp((prediction + 8) >> 4, 1 - zero, zero - 1);
    const int freedom =
        log_size(64 * std::max<std::int64_t>(one_squared - squares_ - square, 0) / left);
    SizeInputs sizes{64,
                     log_turn,
                     log_size(moving / 4),
                     log_size(rolling_mismatch_ / 16),
                     log_size(slip_size_),
                     log_size(slip_of_neighbours_ / 16),
                     log_size(most_wrong_),
                     log_size(o_.player_distance),
                     log_size(unlike_player_ / 16),
                     freedom,
                     log_size(faster_),
                     log_size(o_.speed),
                     o_.has_neighbour ? std::min(log_size(o_.neighbour_distance), 160) : 176,
                     log_size(o_.reference->age_ticks),
                     log_size(o_.reference->gap_ticks)};
    if constexpr (L::uses_prediction_baseline) {
      sizes[15] = log_size(turn_drift_ / 16);
      sizes[16] = o_.drift_size * 16;
    }
    const int size_part = k * 4 + (o_.kind == 0 ? 3 : o_.nearness);
    const std::int32_t log = coder_.predict(L::component_size, size_part, sizes.data());
    const int size = std::clamp(log / 5 + 2, 0, size_levels - 1);
    const std::int32_t residual =
        code_value(coder_, L::rotation,
                   contexts(k, prediction - step * 16, correction, inputs[0], size, sizes, moving),
                   component - zero - step);
    const std::int64_t value = std::int64_t{step} + residual + zero;
    if (value < 0 || value > rotation_max) coder_.fail();
    component = static_cast<std::uint16_t>(std::clamp<std::int64_t>(value, 0, rotation_max));
    const std::int32_t error = (component - zero) * 16 - base;
    if constexpr (Coder::learns) {
      if (k > 0) coder_.observe(L::component_mean, part, inputs.data(), error, correction);
      coder_.observe_size(L::component_size, size_part, sizes.data(), residual);
    }
    along_ += std::int64_t{error} * moving;
    along_squared_ += std::int64_t{moving} * moving;
    squares_ += square;
    tangent_ += std::int64_t{predicted_[i]} * error;
    most_wrong_ = std::max(most_wrong_, std::abs(component - zero - step));
  }

  ValueContext<6> contexts(int k, std::int32_t rest, std::int32_t correction, std::int32_t along,
                           int size, const SizeInputs& sizes, std::int32_t moving) const {
    const Tables &m = L::rotation.magnitude, &s = L::rotation.sign;
    const auto ten = [](std::int32_t log) { return std::min(log / 12, 9); };
    const auto eight = [](std::int32_t log) { return std::min(log / 16, 7); };
    const int fraction = std::clamp((rest + 8) >> 2, 0, 3), high = o_.is_high ? 1 : 0;
    const int awake = o_.reference->baseline->is_awake ? 1 : 0;
    ValueContext<6> c;
    c.axis = k;
    c.size = size;
    c.magnitude = {m.at(0, k * size_levels + size),
                   m.at(1, ten(sizes[6]) * 10 + eight(sizes[2])),
                   m.at(2, eight(sizes[4]) * 8 + eight(sizes[1])),
                   m.at(3, ten(sizes[3]) * 10 + ten(sizes[1])),
                   m.at(4, (ten(sizes[5]) * 4 + o_.neighbour_class) * 3 + k),
                   m.at(5, ((o_.distance_class * 2 + high) * 3 + k) * 2 + awake),
                   m.at(6, std::min(size / 2, 11) * 8 + eight(sizes[9])),
                   m.at(7, size * 4 + fraction)};
    const int of_moving = sign_class(moving, 4), of_along = sign_class(along, 8);
    const int of_correction = sign_class(correction, 4), of_faster = sign_class(faster_, 8);
    c.sign = {s.at(0, fraction * size_levels + size),
              s.at(1, ((of_moving * 3 + of_along) * 3 + of_faster) * 3 + k),
              s.at(2, (of_correction * 8 + octave(correction / 4, 7)) * 4 + fraction),
              s.at(3, (of_moving * 3 + of_faster) * 8 + eight(sizes[4])),
              s.at(4, (of_moving * 8 + eight(sizes[2])) * 3 + k),
              s.at(5, (o_.kind * 3 + of_moving) * 3 + k)};
    if constexpr (L::uses_prediction_baseline)
      c.magnitude[3] = m.at(3, ten(sizes[15]) * 10 + ten(sizes[1]));
    return c;
  }

  Coder& coder_;
  const BodyContext& o_;
  IntVec3 step_{};
  std::array<std::array<std::int32_t, turn_count>, 3> turn_inputs_{};
  IntVec3 turn_{};                  // predicted turn
  IntQuat predicted_{}, moving_{};  // predicted rotation and its change as the turn continues
  // Speed along the expected direction relative to the expected speed, minus 1, in 1/256.
  std::int32_t faster_ = 0;
  std::int32_t slip_size_ = 0, turn_size_ = 0, rolling_mismatch_ = 0, slip_of_neighbours_ = 0,
               unlike_player_ = 0, turn_drift_ = 0;
  // Sums over the components coded so far.
  std::int64_t along_ = 0, along_squared_ = 0, squares_ = 0, tangent_ = 0;
  std::int32_t most_wrong_ = 0;
};

}  // namespace jostle::protocol::context::detail
