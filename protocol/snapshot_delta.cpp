#include "protocol/detail/body_delta.h"
#include "protocol/limits.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/assert.h"

#include <algorithm>
#include <array>
#include <optional>

namespace jostle::protocol {
namespace {

using detail::BodyDelta;
using detail::DeltaCoding;

constexpr unsigned run_length_order = 3;
constexpr unsigned baseline_age_bits = 7;
static_assert(bit_packed_window_ticks == 1U << baseline_age_bits);

/// Returns the group of a body: 1 if it was awake in its baseline, else 0. Bodies of group 0 are
/// expected not to change. DeltaCoding::is_awake_body_changed says what is expected of group 1.
/// Only the gaps between the exceptions are encoded for each group.
std::size_t group_of(const BodyDelta& delta) {
  return delta.was_awake ? 1 : 0;
}
bool is_unusual(const BodyDelta& delta, const DeltaCoding& coding) {
  return delta.is_changed() != (delta.was_awake && coding.is_awake_body_changed);
}
unsigned gap_order(std::size_t group, const DeltaCoding& coding) {
  return group == 1 ? coding.awake_gap_order : coding.asleep_gap_order;
}

/// Number of bits that all gaps of one group take, for each Golomb order, so that the encoder can
/// pick the best.
class GapCosts {
 public:
  void add(bool is_unusual_body) {
    if (!is_unusual_body) {
      ++gap_;
      return;
    }
    flush();
  }
  void flush() {
    for (unsigned order = 0; order < bits_.size(); ++order)
      bits_[order] += golomb_bits(gap_, order);
    gap_ = 0;
  }
  unsigned best_order() const {
    return static_cast<unsigned>(std::min_element(bits_.begin(), bits_.end()) - bits_.begin());
  }
  std::size_t best_bits() const { return *std::min_element(bits_.begin(), bits_.end()); }

 private:
  std::array<std::size_t, 8> bits_{};
  std::uint32_t gap_ = 0;
};

void choose_gaps(std::span<const BodyDelta> deltas, DeltaCoding& coding) {
  GapCosts asleep, awake_changed, awake_unchanged;
  for (const BodyDelta& delta : deltas) {
    const bool is_changed = delta.is_changed();
    if (!delta.was_awake) {
      asleep.add(is_changed);
    } else {
      awake_changed.add(!is_changed);
      awake_unchanged.add(is_changed);
    }
  }
  asleep.flush();
  awake_changed.flush();
  awake_unchanged.flush();
  coding.is_awake_body_changed = awake_changed.best_bits() <= awake_unchanged.best_bits();
  const GapCosts& awake = coding.is_awake_body_changed ? awake_changed : awake_unchanged;
  coding.awake_gap_order = awake.best_order();
  coding.asleep_gap_order = asleep.best_order();
}

void choose_widths(std::span<const BodyDelta> deltas, DeltaCoding& coding) {
  std::array<std::size_t, 4> position_bits{};
  std::array<std::size_t, 8> rotation_bits_of{};  // by offset * 2 + order
  unsigned last_width = detail::first_width_guess;
  for (const BodyDelta& delta : deltas) {
    if (!delta.is_changed()) continue;
    for (unsigned mode = 0; mode < position_bits.size(); ++mode)
      position_bits[mode] += detail::position_width_bits(delta.position_width, last_width, mode);
    for (unsigned i = 0; i < rotation_bits_of.size(); ++i) {
      rotation_bits_of[i] +=
          detail::rotation_width_bits(delta.rotation_width, delta.position_width, i / 2, i % 2);
    }
    last_width = delta.position_width;
  }
  const auto least = [](const auto& bits) {
    return static_cast<unsigned>(std::min_element(bits.begin(), bits.end()) - bits.begin());
  };
  coding.width_mode = least(position_bits);
  coding.rotation_offset = least(rotation_bits_of) / 2;
  coding.rotation_order = least(rotation_bits_of) % 2;
}

DeltaCoding choose_coding(std::span<const BodyDelta> deltas) {
  DeltaCoding coding;
  choose_gaps(deltas, coding);
  choose_widths(deltas, coding);
  coding.is_any_falling_asleep = std::any_of(deltas.begin(), deltas.end(), [](const auto& delta) {
    return delta.is_pose_changed() && !delta.is_awake;
  });
  return coding;
}

/// Computes the encoded length of a part as bodies are added to it one by one.
class PartMeter {
 public:
  explicit PartMeter(const DeltaCoding& coding) : coding_(&coding) {}

  std::size_t run_count() const { return run_count_; }

  void add(const BodyDelta& delta, state::Tick baseline) {
    if (run_count_ == 0 || baseline != run_.baseline) {
      if (run_count_ > 0) closed_bits_ += golomb_bits(run_.count - 1, run_length_order);
      closed_bits_ += baseline.number == 0 ? 1 : 1 + baseline_age_bits;
      run_ = {0, baseline};
      ++run_count_;
    }
    ++run_.count;
    std::uint32_t& gap = gaps_[group_of(delta)];
    ++gap;
    if (is_unusual(delta, *coding_)) {
      closed_bits_ += golomb_bits(gap - 1, gap_order(group_of(delta), *coding_));
      gap = 0;
    }
    if (!delta.is_changed()) return;
    closed_bits_ += detail::body_bits(delta, last_width_, *coding_);
    last_width_ = delta.position_width;
  }

  std::size_t bytes() const {
    std::size_t bits = detail::delta_coding_bits + closed_bits_;
    bits += golomb_bits(static_cast<std::uint32_t>(run_count_) - 1, 0);
    for (std::size_t group = 0; group < gaps_.size(); ++group) {
      if (gaps_[group] > 0) bits += golomb_bits(gaps_[group], gap_order(group, *coding_));
    }
    return (bits + 7) / 8;
  }

 private:
  const DeltaCoding* coding_;
  std::size_t closed_bits_ = 0;
  std::array<std::uint32_t, 2> gaps_{};
  BaselineRun run_;
  std::size_t run_count_ = 0;
  unsigned last_width_ = detail::first_width_guess;
};

/// Deltas of all bodies, and the baseline of each.
struct Plan {
  std::vector<BodyDelta> deltas;
  std::vector<state::Tick> baselines;
};

Plan make_plan(const QuantizedSnapshot& snapshot, std::span<const BaselineRun> runs,
               const BaselineLookup& lookup) {
  Plan plan;
  plan.deltas.reserve(snapshot.bodies.size());
  plan.baselines.reserve(snapshot.bodies.size());
  for (const BaselineRun& run : runs) {
    JOSTLE_ASSERT(run.baseline.number == 0 ||
                  (run.baseline < snapshot.tick &&
                   snapshot.tick - run.baseline <= std::int64_t{bit_packed_window_ticks}));
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const std::size_t at = plan.deltas.size();
      JOSTLE_ASSERT(at < snapshot.bodies.size());
      const QuantizedBody* baseline = lookup(snapshot.ids[at], run.baseline);
      JOSTLE_ASSERT(baseline != nullptr);
      plan.deltas.push_back(detail::subtract(snapshot.bodies[at], *baseline));
      plan.baselines.push_back(run.baseline);
    }
  }
  JOSTLE_ASSERT(plan.deltas.size() == snapshot.bodies.size());
  return plan;
}

void write_runs(BitWriter& writer, std::span<const state::Tick> baselines, state::Tick tick) {
  std::vector<BaselineRun> runs;
  for (const state::Tick baseline : baselines) {
    if (runs.empty() || runs.back().baseline != baseline) runs.push_back({0, baseline});
    ++runs.back().count;
  }
  writer.golomb(static_cast<std::uint32_t>(runs.size()) - 1, 0);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool is_spawn = runs[i].baseline.number == 0;
    writer.bit(is_spawn);
    if (!is_spawn) {
      const auto age = static_cast<std::uint32_t>(tick - runs[i].baseline);
      writer.bits(age - 1, baseline_age_bits);
    }
    if (i + 1 < runs.size()) writer.golomb(runs[i].count - 1, run_length_order);
  }
}

std::vector<std::byte> write_part(std::span<const BodyDelta> deltas,
                                  std::span<const state::Tick> baselines, state::Tick tick,
                                  const DeltaCoding& coding) {
  BitWriter writer;
  write(writer, coding);
  write_runs(writer, baselines, tick);
  std::array<bool, 2> is_gap_known{};
  unsigned last_width = detail::first_width_guess;
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    const std::size_t group = group_of(deltas[i]);
    if (!is_gap_known[group]) {
      std::uint32_t gap = 0;
      for (std::size_t j = i; j < deltas.size(); ++j) {
        if (group_of(deltas[j]) != group) continue;
        if (is_unusual(deltas[j], coding)) break;
        ++gap;
      }
      writer.golomb(gap, gap_order(group, coding));
      is_gap_known[group] = true;
    }
    if (is_unusual(deltas[i], coding)) is_gap_known[group] = false;
    if (!deltas[i].is_changed()) continue;
    write(writer, deltas[i], last_width, coding);
    last_width = deltas[i].position_width;
  }
  return writer.take();
}

/// Maximum number of bits of one body: gap, run, widths, values, largest, awake.
constexpr std::size_t max_body_bits = 8 + (1 + baseline_age_bits + 1 + run_length_order) + 13 +
                                      3 * detail::max_position_width + 13 +
                                      3 * detail::max_rotation_width + 3 + 1;
/// Maximum number of bytes that belong to no body: coding, number of runs, last gaps, padding.
constexpr std::size_t max_part_frame_bytes = 16;
/// Minimum number of bodies in a full part; max_baseline_runs may also end a part.
constexpr std::size_t min_bodies_of_full_part =
    std::min((max_state_message_bytes - max_snapshot_header_bytes - max_part_frame_bytes) * 8 /
                 max_body_bits,
             max_baseline_runs);
static_assert(max_snapshot_parts * min_bodies_of_full_part >= max_snapshot_bodies,
              "max_snapshot_bodies must always fit in max_snapshot_parts");

std::vector<BaselineRun> read_runs(BitReader& reader, const SnapshotHeader& header,
                                   std::optional<DecodeError>& fault) {
  std::vector<BaselineRun> runs;
  const std::uint32_t last = reader.golomb(0);
  if (!reader.ok()) {
    fault = DecodeError::Malformed;
    return runs;
  }
  if (last >= max_baseline_runs || last >= header.count) {
    fault = DecodeError::OutOfRange;
    return runs;
  }
  std::uint32_t left = header.count;
  for (std::uint32_t i = 0; i <= last; ++i) {
    BaselineRun run;
    if (!reader.bit()) {
      const std::uint32_t age = reader.bits(baseline_age_bits) + 1;
      // Reject a baseline at tick 0 or before. The spawn pose is not coded as tick 0 but with the
      // bit above.
      if (age >= header.tick.number) fault = DecodeError::OutOfRange;
      run.baseline = state::previous(header.tick, age);
    }
    run.count = left;
    if (i < last) {
      const std::uint64_t count = std::uint64_t{reader.golomb(run_length_order)} + 1;
      if (count >= left) fault = DecodeError::OutOfRange;
      run.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, left));
    }
    if (!reader.ok()) fault = DecodeError::Malformed;
    if (fault) return runs;
    left -= run.count;
    runs.push_back(run);
  }
  return runs;
}

/// Decoder of the bodies of a part in order.
class BodyDecoder {
 public:
  BodyDecoder(BitReader& reader, const DeltaCoding& coding) : reader_(reader), coding_(coding) {}

  /// Returns the next body; null if the bits are invalid.
  std::optional<QuantizedBody> next(const QuantizedBody& baseline) {
    BodyDelta delta;
    delta.was_awake = baseline.is_awake;
    if (!take_is_changed(delta)) {
      if (!reader_.ok()) return {};
      return baseline;
    }
    detail::read(reader_, delta, baseline.largest, last_width_, coding_);
    if (!reader_.ok()) return {};
    last_width_ = delta.position_width;
    return detail::add(baseline, delta);
  }

  /// Returns true if all input was read and no gap reaches beyond the last body.
  bool at_end() const {
    const auto is_used_up = [](const auto& gap) { return !gap || *gap == 0; };
    return is_used_up(gaps_[0]) && is_used_up(gaps_[1]) && reader_.at_end();
  }

 private:
  bool take_is_changed(const BodyDelta& delta) {
    const std::size_t group = group_of(delta);
    const bool is_usually_changed = delta.was_awake && coding_.is_awake_body_changed;
    std::optional<std::uint32_t>& gap = gaps_[group];
    if (!gap) gap = reader_.golomb(gap_order(group, coding_));
    if (*gap > 0) {
      --*gap;
      return is_usually_changed;
    }
    gap.reset();
    return !is_usually_changed;
  }

  BitReader& reader_;
  const DeltaCoding& coding_;
  std::array<std::optional<std::uint32_t>, 2> gaps_;
  unsigned last_width_ = detail::first_width_guess;
};

}  // namespace

std::vector<EncodedPart> encode_parts(const QuantizedSnapshot& snapshot,
                                      std::span<const BaselineRun> runs,
                                      const BaselineLookup& lookup, std::size_t max_payload_bytes) {
  JOSTLE_ASSERT(snapshot.ids.size() == snapshot.bodies.size());
  JOSTLE_ASSERT(snapshot.bodies.size() <= max_snapshot_bodies);
  JOSTLE_ASSERT(max_payload_bytes >= max_part_frame_bytes + (max_body_bits + 7) / 8);
  const Plan plan = make_plan(snapshot, runs, lookup);
  const DeltaCoding coding = choose_coding(plan.deltas);
  const std::size_t count = plan.deltas.size();

  std::vector<EncodedPart> parts;
  if (count == 0) parts.emplace_back();
  for (std::size_t first = 0; first < count;) {
    PartMeter meter(coding);
    std::size_t end = first, bytes = 0;
    for (; end < count; ++end) {
      meter.add(plan.deltas[end], plan.baselines[end]);
      if (meter.bytes() > max_payload_bytes || meter.run_count() > max_baseline_runs) break;
      bytes = meter.bytes();
    }
    JOSTLE_ASSERT(end > first);
    EncodedPart part;
    part.first = static_cast<std::uint32_t>(first);
    part.count = static_cast<std::uint32_t>(end - first);
    part.payload =
        write_part(std::span(plan.deltas).subspan(first, part.count),
                   std::span(plan.baselines).subspan(first, part.count), snapshot.tick, coding);
    JOSTLE_ASSERT(part.payload.size() == bytes);
    parts.push_back(std::move(part));
    first = end;
  }
  JOSTLE_ASSERT(parts.size() <= max_snapshot_parts);
  return parts;
}

base::Result<std::vector<QuantizedBody>, DecodeError> decode_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, const BaselineLookup& lookup) {
  if (payload.size() > max_state_message_bytes) return DecodeError::TooLarge;
  if (header.first > ids.size() || header.count > ids.size() - header.first)
    return DecodeError::OutOfRange;
  std::vector<QuantizedBody> bodies;
  if (header.count == 0) {
    if (!payload.empty()) return DecodeError::Malformed;
    return bodies;
  }
  BitReader reader(payload);
  const DeltaCoding coding = detail::read_coding(reader);
  std::optional<DecodeError> fault;
  const std::vector<BaselineRun> runs = read_runs(reader, header, fault);
  if (fault) return *fault;

  bodies.reserve(header.count);
  BodyDecoder decoder(reader, coding);
  for (const BaselineRun& run : runs) {
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const QuantizedBody* baseline = lookup(ids[header.first + bodies.size()], run.baseline);
      if (baseline == nullptr) return DecodeError::UnknownBaseline;
      const std::optional<QuantizedBody> body = decoder.next(*baseline);
      if (!body) return DecodeError::Malformed;
      bodies.push_back(*body);
    }
  }
  if (!decoder.at_end()) return DecodeError::Malformed;
  return bodies;
}

}  // namespace jostle::protocol
