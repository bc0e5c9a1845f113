#include "protocol/context/context_codec.h"

#include "protocol/context/coders.h"
#include "protocol/context/detail/part_coder.h"
#include "protocol/limits.h"
#include "shared/base/assert.h"

#include <algorithm>
#include <bit>

namespace jostle::protocol::context {
namespace {

constexpr unsigned run_length_order = 3, age_order = 2, gap_order = 0;
/// Ages and gaps that the model tells apart.
constexpr std::int32_t max_told_ticks = static_cast<std::int32_t>(baseline_window_ticks);

/// Exponential Golomb code (see BitWriter::golomb). A decoder stops at 16 bits.
template <class Coder>
std::uint32_t code_golomb(Coder& coder, std::uint32_t value, unsigned order) {
  const std::uint32_t prefixed = (value >> order) + 1;
  const unsigned wanted = static_cast<unsigned>(std::bit_width(prefixed)) - 1;
  unsigned extra = 0;
  while (extra < 16 && coder.even_bits(extra < wanted ? 1 : 0, 1) != 0)
    ++extra;
  const std::uint32_t below = extra == 0 ? 0 : coder.even_bits(prefixed - (1U << extra), extra);
  const std::uint32_t high = (1U << extra) + below - 1;
  return order == 0 ? high : high << order | coder.even_bits(value & ((1U << order) - 1), order);
}

/// One run; `left` bodies are not covered yet. A decoder fills it.
template <class Coder>
void code_run(Coder& coder, ReferenceRun& run, state::Tick tick, std::uint32_t left) {
  const Tables& t = layout::runs;
  const bool is_last = coder.lone_bit(t.at(0, 0), run.count == left);
  run.count = is_last ? left : code_golomb(coder, run.count - 1, run_length_order) + 1;
  if (run.count > left || (!is_last && run.count == left)) {
    coder.fail();
    run.count = left;
  }
  const bool is_spawn = coder.lone_bit(t.at(0, 1), run.baseline.number == 0);
  if (is_spawn) {
    run.baseline = run.previous = state::Tick{0};
    return;
  }
  const auto age = code_golomb(coder, tick.number - run.baseline.number - 1, age_order) + 1;
  if (age > baseline_window_ticks || age >= tick.number) {
    coder.fail();
    run.baseline = run.previous = state::Tick{0};
    return;
  }
  run.baseline = state::Tick{tick.number - age};
  const bool has_previous = coder.lone_bit(t.at(0, 2), run.previous != run.baseline);
  if (!has_previous) {
    run.previous = run.baseline;
    return;
  }
  const auto gap = code_golomb(coder, run.baseline.number - run.previous.number - 1, gap_order) + 1;
  if (gap > baseline_window_ticks || gap >= run.baseline.number) {
    coder.fail();
    run.previous = run.baseline;
    return;
  }
  run.previous = state::Tick{run.baseline.number - gap};
}

/// False where a reference is not held.
bool find_reference(const ReferenceRun& run, state::Tick tick, state::BodyId id,
                    const BodyFacts& facts, const BaselineLookup& lookup,
                    BodyReference& reference) {
  reference.facts = facts;
  reference.baseline = lookup(id, run.baseline);
  reference.previous = run.previous == run.baseline ? reference.baseline : lookup(id, run.previous);
  if (reference.baseline == nullptr || reference.previous == nullptr) return false;
  const auto told = [](std::int64_t ticks) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(ticks, 0, max_told_ticks));
  };
  reference.age_ticks = std::max(told(tick - run.baseline), 1);
  reference.gap_ticks = told(run.baseline - run.previous);
  return true;
}

/// The runs of [first, first + count).
std::vector<ReferenceRun> cut_runs(std::span<const ReferenceRun> runs, std::size_t first,
                                   std::size_t count) {
  std::vector<ReferenceRun> cut;
  std::size_t at = 0;
  for (const ReferenceRun& run : runs) {
    const std::size_t from = std::max(at, first), to = std::min(at + run.count, first + count);
    at += run.count;
    if (from >= to) continue;
    cut.push_back({static_cast<std::uint32_t>(to - from), run.baseline, run.previous});
  }
  return cut;
}

/// A part that may have become too long, and how many bodies were coded until then.
struct Attempt {
  std::vector<std::byte> payload;
  std::size_t coded = 0;
};

Attempt encode_range(std::span<const QuantizedBody> bodies,
                     std::span<const BodyReference> references, std::vector<ReferenceRun> runs,
                     state::Tick tick, std::size_t max_bytes) {
  Attempt attempt;
  PartEncoder coder(trained_priors());
  auto left = static_cast<std::uint32_t>(bodies.size());
  for (ReferenceRun& run : runs) {
    code_run(coder, run, tick, left);
    left -= run.count;
  }
  std::vector<QuantizedBody> copy(bodies.begin(), bodies.end());
  detail::PartCoder<PartEncoder>(coder, references).code(copy, [&] {
    ++attempt.coded;
    return coder.max_bytes() <= max_bytes + 4;
  });
  attempt.payload = coder.take();
  return attempt;
}

/// Bodies that fill the next part nearly, by the one before: a part that is too long is coded
/// again.
std::size_t likely_count(std::span<const EncodedPart> parts, std::size_t max_bytes) {
  if (parts.empty()) return max_snapshot_bodies;
  const EncodedPart& last = parts.back();
  return 1 + last.count * max_bytes * 15 / (16 * (last.payload.size() + 1));
}

}  // namespace

std::vector<EncodedPart> encode_parts(const QuantizedSnapshot& snapshot,
                                      std::span<const ReferenceRun> runs,
                                      std::span<const BodyFacts> facts,
                                      const BaselineLookup& lookup, std::size_t max_payload_bytes) {
  const std::size_t size = snapshot.bodies.size();
  JOSTLE_ASSERT(snapshot.ids.size() == size && facts.size() == size);
  JOSTLE_ASSERT(runs.size() <= max_baseline_runs && max_payload_bytes >= min_part_bytes);
  std::vector<BodyReference> references(size);
  std::size_t at = 0;
  for (const ReferenceRun& run : runs) {
    JOSTLE_ASSERT(run.baseline.number == 0 ||
                  (run.baseline < snapshot.tick &&
                   snapshot.tick - run.baseline <= std::int64_t{baseline_window_ticks}));
    JOSTLE_ASSERT(run.previous == run.baseline ||
                  (run.previous.number > 0 && run.previous < run.baseline &&
                   run.baseline - run.previous <= std::int64_t{baseline_window_ticks}));
    for (std::uint32_t i = 0; i < run.count; ++i, ++at) {
      JOSTLE_ASSERT(at < size);
      const bool is_found =
          find_reference(run, snapshot.tick, snapshot.ids[at], facts[at], lookup, references[at]);
      JOSTLE_ASSERT(is_found);
    }
  }
  JOSTLE_ASSERT(at == size);

  std::vector<EncodedPart> parts;
  std::size_t first = 0;
  do {
    std::size_t count = std::min(size - first, likely_count(parts, max_payload_bytes));
    for (std::size_t fewer = 1;; fewer *= 2) {
      Attempt attempt =
          encode_range(std::span(snapshot.bodies).subspan(first, count),
                       std::span(references).subspan(first, count), cut_runs(runs, first, count),
                       snapshot.tick, max_payload_bytes);
      if (attempt.coded == count && attempt.payload.size() <= max_payload_bytes) {
        parts.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count),
                         std::move(attempt.payload)});
        break;
      }
      JOSTLE_ASSERT(count > 1);  // min_part_bytes
      // Players outside the shorter range no longer help those within: it may not fit at once.
      const std::size_t wanted = std::min(attempt.coded, count);
      count = wanted > fewer ? wanted - fewer : 1;
    }
    first += count;
  } while (first < size);
  return parts;
}

base::Result<std::vector<QuantizedBody>, DecodeError> decode_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, std::span<const BodyFacts> facts,
    const BaselineLookup& lookup) {
  if (payload.size() > max_part_payload_bytes()) return DecodeError::TooLarge;
  if (header.count > ids.size() || header.first > ids.size() - header.count ||
      facts.size() != ids.size())
    return DecodeError::OutOfRange;
  PartDecoder coder(trained_priors(), payload);
  std::vector<BodyReference> references(header.count);
  std::uint32_t found = 0;
  for (std::size_t runs = 0; found < header.count; ++runs) {
    if (runs == max_baseline_runs) return DecodeError::OutOfRange;
    ReferenceRun run;
    code_run(coder, run, header.tick, header.count - found);
    if (!coder.is_sound()) return DecodeError::OutOfRange;
    for (std::uint32_t i = 0; i < run.count; ++i, ++found) {
      const std::size_t at = header.first + found;
      if (!find_reference(run, header.tick, ids[at], facts[at], lookup, references[found]))
        return DecodeError::UnknownBaseline;
    }
  }
  std::vector<QuantizedBody> bodies(header.count);
  detail::PartCoder<PartDecoder>(coder, references).code(bodies, [&] { return coder.is_sound(); });
  if (!coder.is_sound()) return DecodeError::OutOfRange;
  if (!coder.is_whole()) return DecodeError::Malformed;
  return bodies;
}

}  // namespace jostle::protocol::context
