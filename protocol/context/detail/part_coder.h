#pragma once

#include "protocol/context/detail/position_coder.h"
#include "protocol/context/detail/rotation_coder.h"
#include "protocol/context/detail/surroundings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace jostle::protocol::context::detail {

/// Coder of the bodies of a part, player bodies first. Encoder, decoder and trainer share this
/// code.
template <class Coder>
class PartCoder {
 public:
  PartCoder(Coder& coder, std::span<const BodyReference> references)
      : coder_(coder), references_(references), surroundings_(references) {}

  /// Codes `bodies`, one per entry of `references`; a decoder fills `bodies`. Stops after the first
  /// body for which `goes_on` returns false.
  template <class GoesOn>
  void code(std::span<QuantizedBody> bodies, const GoesOn& goes_on) {
    for (const bool players : {true, false}) {
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (references_[i].facts.is_player != players) continue;
        code_body(i, bodies[i]);
        if (!goes_on()) return;
      }
    }
  }

 private:
  using L = typename Coder::Layout;

  void code_body(std::size_t i, QuantizedBody& body) {
    const BodyReference& reference = references_[i];
    const QuantizedBody& baseline = *reference.baseline;
    BodyContext outlook;
    surroundings_.look(i, outlook);
    const bool is_changed = code_changed(outlook, Coder::decodes || !is_same_pose(body, baseline));
    const bool was_awake = body.is_awake;
    if constexpr (Coder::decodes) body = baseline;
    surroundings_.complete(outlook, is_changed);
    CodedBody coded;
    coded.position = baseline.position;
    coded.is_changed = is_changed;
    if (is_changed) code_pose(outlook, body, coded);
    body.is_awake = code_awake(outlook, is_changed, was_awake);
    if (!is_changed && !outlook.has_moved && !outlook.is_change_predicted) {
      if (reference.facts.is_player) surroundings_.add(coded, true);
      return;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      coded.slip[axis] = coded.step[axis] - outlook.expected_step[axis];
      coded.turn_slip[axis] = coded.turn[axis] - outlook.expected_turn[axis];
    }
    surroundings_.add(coded, reference.facts.is_player);
  }

  bool code_changed(const BodyContext& o, bool is_changed) {
    const int awake = o.reference->baseline->is_awake ? 1 : 0;
    const int state = (o.has_moved ? 2 : 0) + awake;
    // Most bodies lie still, far from everything that moves. Code these with one bit, without
    // mixing.
    if (o.is_far_still())
      return coder_.single_context_bit(L::far_still.at(0, awake * 4 + o.distance_class / 2),
                                       is_changed);
    const int speed = octave(o.speed, 7);
    const int neighbour =
        !o.has_neighbour ? 0
                         : (o.neighbour_distance < 280 ? 1 : 3) + (o.has_neighbour_changed ? 1 : 0);
    std::int32_t pushed = 0;
    for (std::size_t i = 0; i < 3; ++i)
      pushed = std::max(pushed, std::abs(o.neighbour_step[i]));
    const Tables& t = L::changed;
    const std::array<Slot, 6> of_references{
        t.at(0, (state * 8 + o.distance_class) * 5 + neighbour),
        t.at(1, state * 8 + speed),
        t.at(2, (o.distance_class * 3 + o.cell) * 4 + state),
        t.at(3, state * 16 + std::min(log_size(pushed) / 8, 15)),
        t.at(4, (neighbour * 3 + o.cell) * 4 + state),
        t.at(5, o.turn_size * 8 + speed)};
    const MixerSet by_state = L::changed_by_state.at(state),
                   by_distance = L::changed_by_distance.at(o.distance_class);
    if constexpr (L::uses_prediction_baseline) {
      const int expected = o.is_change_predicted ? 1 : 0;
      const auto slots =
          joined(of_references,
                 {t.at(6, (o.predicted_step_size * 4 + std::min(o.predicted_turn_size / 2, 3)) * 4 +
                              state),
                  t.at(7, (predicted_awake(o) * 2 + expected) * 32 + state * 8 + o.turn_size)});
      return coder_.bit(slots, 0, by_state, by_distance, is_changed);
    } else {
      return coder_.bit(of_references, 0, by_state, by_distance, is_changed);
    }
  }

  /// Returns the contexts that codec 2 uses, followed by those of the prediction.
  template <std::size_t n>
  static std::array<Slot, n + 2> joined(const std::array<Slot, n>& some,
                                        const std::array<Slot, 2>& more) {
    std::array<Slot, n + 2> all{};
    std::copy(some.begin(), some.end(), all.begin());
    std::copy(more.begin(), more.end(), all.begin() + n);
    return all;
  }
  /// Returns 0 if there is no prediction, 1 if the body is predicted to be asleep, 2 if awake.
  static int predicted_awake(const BodyContext& o) {
    return !o.is_predicted ? 0 : o.reference->predicted->is_awake ? 2 : 1;
  }

  bool code_flag(const Tables& tables, int kind, const BodyContext& o, bool value) {
    const int speed = octave(o.speed, 7), near = o.distance_class;
    const int neighbour = (o.has_neighbour ? 2 : 0) + (o.has_neighbour_changed ? 1 : 0);
    const std::array<Slot, 4> of_references{
        tables.at(0, speed * 8 + o.turn_size),
        tables.at(1, near * 8 + (kind == 0 ? speed : o.turn_size)),
        tables.at(2, o.neighbour_class * 8 + speed), tables.at(3, neighbour * 8 + o.turn_size)};
    const MixerSet by_kind = L::flag_by_kind.at(kind),
                   by_state = L::flag_by_state.at(kind * 8 + o.turn_size);
    if constexpr (L::uses_prediction_baseline) {
      const int step = std::min(o.predicted_step_size, 7),
                turn = std::min(o.predicted_turn_size, 7);
      const auto slots =
          joined(of_references, {tables.at(4, step * 8 + turn),
                                 tables.at(5, (kind == 0 ? step : turn) * 8 + o.drift_size / 2)});
      return coder_.bit(slots, 0, by_kind, by_state, value);
    } else {
      return coder_.bit(of_references, 0, by_kind, by_state, value);
    }
  }

  void code_pose(const BodyContext& outlook, QuantizedBody& body, CodedBody& coded) {
    const QuantizedBody& baseline = *outlook.reference->baseline;
    const bool has_moved = code_flag(L::moved, 0, outlook, body.position != baseline.position);
    bool has_turned = true;
    if (has_moved) {
      has_turned =
          code_flag(L::turned, 1, outlook,
                    body.largest != baseline.largest || body.smallest != baseline.smallest);
      IntVec3 step{};
      for (std::size_t i = 0; i < 3; ++i)
        step[i] = wrap(body.position[i], baseline.position[i], false);
      step = PositionCoder<Coder>(coder_, outlook).code(step);
      for (std::size_t i = 0; i < 3; ++i) {
        body.position[i] = wrap(baseline.position[i], step[i], true);
        coded.step[i] = std::clamp(step[i], -max_step, max_step);
        if (body.position[i] < -max_wire_position || body.position[i] > max_wire_position)
          coder_.fail();
      }
    }
    if (has_turned) coded.turn = RotationCoder<Coder>(coder_, outlook, coded.step).code(body);
  }

  bool code_awake(const BodyContext& o, bool is_changed, bool is_awake) {
    const int state = ((o.reference->baseline->is_awake ? 2 : 0) + (is_changed ? 1 : 0)) * 2 +
                      (o.has_moved ? 1 : 0);
    const Tables& t = L::awake;
    if (state == 0 && !o.is_change_predicted)
      return coder_.single_context_bit(t.at(0, 8), is_awake);
    const int neighbour =
        !o.has_neighbour ? 0
                         : (o.neighbour_distance < 280 ? 1 : 3) + (o.has_neighbour_changed ? 1 : 0);
    const std::array<Slot, 3> of_references{t.at(0, state), t.at(1, state * 8 + o.distance_class),
                                            t.at(2, state * 5 + neighbour)};
    const MixerSet by_kind = L::flag_by_kind.at(2), by_state = L::flag_by_state.at(16 + state);
    if constexpr (L::uses_prediction_baseline) {
      const int predicted = predicted_awake(o);
      const auto slots = joined(of_references, {t.at(3, state * 3 + predicted),
                                                t.at(4, std::min(o.predicted_step_size, 7) * 6 +
                                                            predicted * 2 + (is_changed ? 1 : 0))});
      return coder_.bit(slots, 0, by_kind, by_state, is_awake);
    } else {
      return coder_.bit(of_references, 0, by_kind, by_state, is_awake);
    }
  }

  /// Returns a + b or a - b, modulo 2^32.
  static std::int32_t wrap(std::int32_t a, std::int32_t b, bool adds) {
    const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
    return static_cast<std::int32_t>(adds ? ua + ub : ua - ub);
  }

  /// Limit to which quantize() clamps positions.
  static constexpr std::int32_t max_wire_position = 4'194'303 * position_steps_per_metre;

  Coder& coder_;
  std::span<const BodyReference> references_;
  PartContext surroundings_;
};

}  // namespace jostle::protocol::context::detail
