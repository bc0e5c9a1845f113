#include "protocol/context/detail/part_plan.h"

#include "protocol/limits.h"
#include "shared/base/assert.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jostle::protocol::context::detail {
namespace {

/// Number of ticks to which ages and gaps of baselines are clamped in the contexts of the model.
constexpr std::int32_t max_reference_ticks = 128;

bool is_usable(const BaselinePair& pair, state::Tick tick) {
  const auto is_within = [](state::Tick earlier, state::Tick later) {
    return earlier.number > 0 && earlier < later &&
           later - earlier <= std::int64_t{baseline_window_ticks};
  };
  if (pair.previous != pair.baseline && !is_within(pair.previous, pair.baseline)) return false;
  return pair.baseline.number == 0 || is_within(pair.baseline, tick);
}

/// Estimates the number of bodies that nearly fill the next part, from the size of the previous
/// part. The estimate for the first part is all bodies; if only some bodies are sent, as many as
/// fit at three bytes each. A part that turns out too long is encoded again.
std::size_t likely_count(std::size_t last_count, std::size_t last_bytes, std::size_t max_bytes,
                         bool has_all) {
  if (last_count == 0) return has_all ? max_snapshot_bodies : 1 + max_bytes / 3;
  return 1 + last_count * max_bytes * 15 / (16 * (last_bytes + 1));
}

/// Returns the number of bodies from `from` on that together have at most max_reference_pairs
/// different pairs.
std::size_t few_pairs_count(const Plan& plan, std::size_t from) {
  std::vector<BaselinePair> different;
  for (std::size_t i = from; i < plan.pairs.size(); ++i) {
    if (i > from && plan.pairs[i] == plan.pairs[i - 1]) continue;
    if (std::find(different.begin(), different.end(), plan.pairs[i]) != different.end()) continue;
    if (different.size() == max_reference_pairs) return i - from;
    different.push_back(plan.pairs[i]);
  }
  return plan.pairs.size() - from;
}

}  // namespace

bool find_reference(const BaselinePair& pair, state::Tick tick, state::BodyId id,
                    const BodyFacts& facts, const BaselineLookup& lookup,
                    BodyReference& reference) {
  reference.facts = facts;
  reference.baseline = lookup(id, pair.baseline);
  reference.previous =
      pair.previous == pair.baseline ? reference.baseline : lookup(id, pair.previous);
  if (reference.baseline == nullptr || reference.previous == nullptr) return false;
  const auto limited = [](std::int64_t ticks) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(ticks, 0, max_reference_ticks));
  };
  reference.age_ticks = std::max(limited(tick - pair.baseline), 1);
  reference.gap_ticks = limited(pair.baseline - pair.previous);
  return true;
}

Plan make_plan(const Content& content, const BaselineLookup& lookup) {
  const QuantizedSnapshot& snapshot = *content.snapshot;
  JOSTLE_ASSERT(snapshot.ids.size() == snapshot.bodies.size() &&
                content.facts.size() == snapshot.bodies.size());
  Plan plan;
  plan.tick = snapshot.tick;
  plan.has_all = !content.chosen.has_value();
  if (content.chosen) {
    plan.indices.assign(content.chosen->begin(), content.chosen->end());
  } else {
    plan.indices.resize(snapshot.bodies.size());
    std::iota(plan.indices.begin(), plan.indices.end(), 0U);
  }
  const std::size_t count = plan.indices.size();
  plan.bodies.reserve(count);
  plan.pairs.reserve(count);
  plan.references.resize(count);
  for (const ReferenceRun& run : content.runs) {
    JOSTLE_ASSERT(is_usable(run.references, plan.tick));
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const std::size_t at = plan.pairs.size();
      JOSTLE_ASSERT(at < count);
      const std::uint32_t index = plan.indices[at];
      JOSTLE_ASSERT(index < snapshot.bodies.size() && (at == 0 || index > plan.indices[at - 1]));
      plan.bodies.push_back(snapshot.bodies[index]);
      plan.pairs.push_back(run.references);
      const bool is_found = find_reference(run.references, plan.tick, snapshot.ids[index],
                                           content.facts[index], lookup, plan.references[at]);
      JOSTLE_ASSERT(is_found);
    }
  }
  JOSTLE_ASSERT(plan.pairs.size() == count);
  return plan;
}

EncodedPart part_of(const Plan& plan, std::size_t from, std::size_t count) {
  EncodedPart part;
  if (count > 0) {
    part.first = plan.indices[from];
    part.count = plan.indices[from + count - 1] + 1 - part.first;
  }
  if (part.count != count) {
    const auto begin = plan.indices.begin() + static_cast<std::ptrdiff_t>(from);
    part.chosen.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return part;
}

std::vector<EncodedPart> fill_parts(const Plan& plan, std::size_t max_payload_bytes,
                                    const EncodeRange& encode) {
  std::vector<EncodedPart> parts;
  std::size_t from = 0, last_count = 0, last_bytes = 0;
  do {
    std::size_t count =
        std::min(few_pairs_count(plan, from),
                 likely_count(last_count, last_bytes, max_payload_bytes, plan.has_all));
    for (std::size_t fewer = 1;; fewer *= 2) {
      Attempt attempt = encode(from, count, max_payload_bytes);
      if (attempt.coded == count && attempt.part.payload.size() <= max_payload_bytes) {
        parts.push_back(std::move(attempt.part));
        break;
      }
      JOSTLE_ASSERT(count > 1);  // one body always fits into min_part_bytes
      // Player bodies outside of the shortened range no longer help to predict the others, so even
      // the shorter range may not fit.
      const std::size_t wanted = std::min(attempt.coded, count);
      count = wanted > fewer ? wanted - fewer : 1;
    }
    from += count;
    last_count = count;
    last_bytes = parts.back().payload.size();
  } while (from < plan.indices.size());
  return parts;
}

}  // namespace jostle::protocol::context::detail
