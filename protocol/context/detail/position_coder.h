#pragma once

#include "protocol/context/detail/surroundings.h"
#include "protocol/context/detail/value_coder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace jostle::protocol::context::detail {

/// Coder of the position of a body, axis by axis, the vertical axis last.
///
/// For each axis, two linear predictions are made: the displacement from the baseline, and the size
/// of the residual of that displacement. Both predictions select the contexts in which the residual
/// is coded. Their inputs are constant velocity, gravity, motion as one rigid body with the player,
/// rolling, and the prediction errors of the neighbours and of the axes coded before.
template <class Coder>
class PositionCoder {
 public:
  PositionCoder(Coder& coder, const BodyContext& outlook)
      : coder_(coder),
        o_(outlook),
        height_(difference(outlook.reference->baseline->position[up_axis],
                           outlook.reference->facts.reach)) {
    if (is_rigid()) {
      IntVec3 arm{};
      for (std::size_t i = 0; i < 3; ++i)
        arm[i] = difference(o_.reference->baseline->position[i], o_.player->position[i]);
      carried_ = displacement_of_turn(o_.player->turn, arm);
      for (std::size_t i = 0; i < 3; ++i)
        carried_[i] += o_.player->step[i];
    }
    for (std::size_t i = 0; i < 3; ++i)
      turning_ = std::max(turning_, std::abs(o_.expected_turn[i]));
  }

  /// Codes `step`, the displacement from the baseline, and returns it; a decoder ignores the
  /// argument.
  IntVec3 code(const IntVec3& step) {
    constexpr std::array<std::size_t, 3> order{0, 2, up_axis};
    IntVec3 result{};
    for (int i = 0; i < 3; ++i) {
      const std::size_t axis = order[static_cast<std::size_t>(i)];
      result[axis] = code_axis(i, axis, step[axis]);
    }
    return result;
  }

 private:
  using L = typename Coder::Layout;
  static constexpr std::size_t mean_count = L::position_mean.inputs;
  static constexpr std::size_t size_count = L::position_size.inputs;
  static constexpr std::size_t sign_count = L::position.sign.count;
  using MeanInputs = std::array<std::int32_t, mean_count>;
  using SizeInputs = std::array<std::int32_t, size_count>;

  /// Distance of centres below which neighbours may touch, 1/512 m.
  static constexpr std::int32_t touching = 420;
  /// Distance below which the player may attract a body, 1/512 m.
  static constexpr std::int32_t drawn_within = 1'400;

  bool is_rigid() const { return o_.player != nullptr && o_.nearness < 2; }
  std::int32_t expected(std::size_t axis) const { return o_.expected_step[axis]; }

  /// Returns the inputs of the displacement's prediction. Displacements among them are in 1/8192 m.
  MeanInputs mean_inputs(std::size_t axis) const {
    const std::int32_t v = expected(axis), age = o_.reference->age_ticks;
    const std::int32_t reach = o_.reference->facts.reach;
    const std::int64_t along = along_squared_ > 0 ? along_ * v * 16 / (along_squared_ + 1'024) : 0;
    std::int32_t last = 0;
    if (axis == up_axis) {  // depth below the ground if motion continues
      last = std::max(-height_ - v, 0) * 16;
    } else {
      // rolling (rotation vector × up, times the height of the centre) minus the expected
      // displacement
      const std::int32_t turn = axis == 0 ? -o_.expected_turn[2] : o_.expected_turn[0];
      last = turn * reach / 256 - v * 16;
    }
    std::int32_t pull = 0;
    if (o_.player != nullptr && o_.player_distance < drawn_within) {
      pull = difference(o_.player->position[axis], o_.reference->baseline->position[axis]) * 8'192 /
             (o_.player_distance + 64);
    }
    MeanInputs inputs{o_.expected_fine[axis],
                      16 * std::min(age * (age + o_.reference->gap_ticks), 1 << 16),
                      is_rigid() ? (carried_[axis] - v) * 16 : 0,
                      o_.neighbour_slip[axis] * 16,
                      o_.has_neighbour && o_.neighbour_distance < touching
                          ? (o_.neighbour_step[axis] - v) * 16
                          : 0,
                      static_cast<std::int32_t>(std::clamp<std::int64_t>(along, -65'536, 65'536)),
                      pull,
                      last,
                      is_rigid() ? (o_.player->step[axis] - v) * 16 : 0,
                      is_rigid() ? o_.player->slip[axis] * 16 : 0};
    if constexpr (L::uses_prediction_baseline) inputs[10] = o_.drift[axis];
    return inputs;
  }

  /// Returns the sizes of all likely sources of error, for the prediction of the residual's size.
  SizeInputs size_inputs(std::size_t axis, std::int32_t step) const {
    const BodyReference& reference = *o_.reference;
    const std::int32_t v = expected(axis);
    const bool touches = o_.has_neighbour && o_.neighbour_distance < touching;
    SizeInputs sizes{64,
                     log_size(v),
                     log_size(o_.speed),
                     log_size(touches ? o_.neighbour_step[axis] - v : 0),
                     touches ? 64 : 0,
                     log_size(o_.neighbour_slip[axis]),
                     o_.has_neighbour ? std::min(log_size(o_.neighbour_distance), 160) : 176,
                     log_size(most_wrong_),
                     is_rigid() ? log_size(carried_[axis] - step) : 0,
                     log_size(o_.player_distance),
                     log_size(turning_ / 32),
                     log_size(step - v),
                     axis == up_axis ? std::min(log_size(height_), 160) : 0,
                     log_size(reference.age_ticks),
                     log_size(reference.gap_ticks)};
    if constexpr (L::uses_prediction_baseline) {
      sizes[15] = log_size(o_.drift[axis] / 4);
      sizes[16] = o_.drift_size * 16;
    }
    return sizes;
  }

  ValueContext<sign_count> contexts(int order, std::size_t axis, std::int32_t prediction,
                                    std::int32_t step, int size, const SizeInputs& sizes) const {
    const Tables &m = L::position.magnitude, &s = L::position.sign;
    const auto ten = [](std::int32_t log) { return std::min(log / 14, 9); };
    const auto eight = [](std::int32_t log) { return std::min(log / 16, 7); };
    const std::int32_t v = expected(axis), of_slip = sizes[5], carried = sizes[8];
    const int fraction = std::clamp((prediction - step * 16 + 8) >> 2, 0, 3);
    const int high = o_.is_high ? 1 : 0, near = std::min(o_.distance_class, 5);
    const int awake = o_.reference->baseline->is_awake ? 1 : 0;
    ValueContext<sign_count> c;
    c.axis = order;
    c.size = size;
    c.magnitude = {m.at(0, order * size_levels + size),
                   m.at(1, (ten(sizes[7]) * 3 + order) * 4 + std::min(size / 5, 3)),
                   m.at(2, ten(sizes[3]) * 10 + ten(sizes[1])),
                   m.at(3, (ten(of_slip) * 4 + o_.neighbour_class) * 3 + order),
                   m.at(4, ((o_.distance_class * 2 + high) * 3 + order) * 2 + awake),
                   m.at(5, ten(carried) * 6 + near + (axis == up_axis ? 64 : 0)),
                   m.at(6, ten(sizes[11]) * 10 + std::min(size / 2, 9)),
                   m.at(7, size * 4 + fraction)};
    const int of_v = sign_class(v, 1), of_neighbour = sign_class(o_.neighbour_slip[axis], 1);
    const int of_touch = sizes[4] > 0 ? sign_class(o_.neighbour_step[axis] - v, 2) : 1;
    const int of_carried = is_rigid() ? sign_class(carried_[axis] - step, 2) : 1;
    const int of_change = sign_class(step - v, 1);
    const int of_along = sign_class(
        static_cast<std::int32_t>(std::clamp<std::int64_t>(along_ * v, -(1 << 30), 1 << 30)), 16);
    c.sign = {s.at(0, ((of_v * 3 + of_touch) * 3 + of_neighbour) * 3 + order),
              s.at(1, fraction * size_levels + size),
              s.at(2, ((of_carried * 3 + of_change) * 3 + of_v) * 3 + order),
              s.at(3, (of_along * 3 + of_v) * 8 + eight(sizes[7])),
              s.at(4, (eight(of_slip) * 3 + of_neighbour) * 3 + order),
              s.at(5, (of_change * 8 + eight(sizes[11])) * 4 + fraction),
              s.at(6, (o_.kind * 3 + order) * 3 + of_v)};
    if constexpr (L::uses_prediction_baseline) {
      c.magnitude[2] = m.at(2, ten(sizes[15]) * 10 + ten(sizes[1]));
      c.sign[7] = s.at(7, (sign_class(o_.drift[axis], 12) * 8 + eight(sizes[15])) * 3 + order);
    }
    return c;
  }

  std::int32_t code_axis(int order, std::size_t axis, std::int32_t wanted) {
    const int part = o_.kind * 3 + order;
    const auto inputs = mean_inputs(axis);
    const std::int32_t prediction = coder_.predict(L::position_mean, part, inputs.data());
    const std::int32_t step = (prediction + 8) >> 4;
    const auto sizes = size_inputs(axis, step);
    const std::int32_t log = coder_.predict(L::position_size, part, sizes.data());
    const int size = std::clamp(log / 7 + 2, 0, size_levels - 1);
    const std::int32_t residual =
        code_value(coder_, L::position, contexts(order, axis, prediction, step, size, sizes),
                   static_cast<std::int32_t>(static_cast<std::uint32_t>(wanted) -
                                             static_cast<std::uint32_t>(step)));
    const auto result = static_cast<std::int32_t>(static_cast<std::uint32_t>(step) +
                                                  static_cast<std::uint32_t>(residual));
    if constexpr (Coder::learns) {
      coder_.observe(L::position_mean, part, inputs.data(), result * 16.0, prediction);
      coder_.observe_size(L::position_size, part, sizes.data(), residual);
    }
    const std::int32_t slip = std::clamp(result, -max_step, max_step) - expected(axis);
    most_wrong_ =
        std::max(most_wrong_, std::min(std::abs(std::max(residual, -max_step)), max_step));
    along_ += std::int64_t{slip} * expected(axis);
    along_squared_ += std::int64_t{expected(axis)} * expected(axis);
    return result;
  }

  Coder& coder_;
  const BodyContext& o_;
  std::int32_t height_;  // height of the centre above its rest position on the ground
  IntVec3 carried_{};    // displacement if the body moves rigidly with the player
  std::int32_t turning_ = 0;
  // Results of the axes coded so far: the largest residual, and sums for the deviation along the
  // expected direction.
  std::int32_t most_wrong_ = 0;
  std::int64_t along_ = 0, along_squared_ = 0;
};

}  // namespace jostle::protocol::context::detail
