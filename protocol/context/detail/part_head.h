#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/context/layout.h"
#include "protocol/context/range_coder.h"
#include "protocol/limits.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

// Head of a part: the list of its bodies and their baseline pairs. Encoder and decoder share this
// code; `Coder` is one of the classes in coders.h.

namespace jostle::protocol::context::detail {

inline constexpr unsigned pair_count_order = 1, age_order = 2, gap_order = 0;

/// Number of bits of a coded fraction, which is in 1/64.
inline constexpr unsigned share_bits = 6;
constexpr std::uint32_t share_of(std::size_t some, std::size_t all) {
  const std::size_t share = all == 0 ? 0 : (some << share_bits) / all;
  return static_cast<std::uint32_t>(std::min<std::size_t>(share, (1U << share_bits) - 1));
}
constexpr Probability probability_of(std::uint32_t share) {
  return (2 * share + 1) << (probability_bits - share_bits - 1);
}

/// Codes a number with an exponential Golomb code as BitWriter::golomb(), but with the bits of the
/// prefix inverted: ones that end with a zero. A decoder stops after 16 ones.
template <class Coder>
std::uint32_t code_golomb(Coder& coder, std::uint32_t value, unsigned order) {
  const std::uint32_t prefixed = (value >> order) + 1;
  const unsigned wanted = static_cast<unsigned>(std::bit_width(prefixed)) - 1;
  unsigned extra = 0;
  while (extra < 16 && coder.raw_bits(extra < wanted ? 1 : 0, 1) != 0)
    ++extra;
  const std::uint32_t below = extra == 0 ? 0 : coder.raw_bits(prefixed - (1U << extra), extra);
  const std::uint32_t high = (1U << extra) + below - 1;
  return order == 0 ? high : high << order | coder.raw_bits(value & ((1U << order) - 1), order);
}

/// Codes which bodies of the range [first, first + count) are in the part. `chosen` holds their
/// indices; empty: all. A decoder fills `chosen`.
template <class Coder>
void code_chosen(Coder& coder, std::uint32_t first, std::uint32_t count,
                 std::vector<std::uint32_t>& chosen) {
  using L = typename Coder::Layout;
  if (coder.single_context_bit(L::runs.at(0, 3), chosen.empty())) return;
  const Probability likely =
      probability_of(coder.raw_bits(share_of(chosen.size(), count), share_bits));
  std::vector<std::uint32_t> found;
  std::size_t next = 0;
  for (std::uint32_t i = first; i < first + count; ++i) {
    const bool is_next = next < chosen.size() && chosen[next] == i;
    if (!coder.explicit_bit(likely, is_next)) continue;
    found.push_back(i);
    ++next;
  }
  if (found.empty()) coder.fail();
  chosen = std::move(found);
}

/// Codes one baseline pair; a decoder fills `pair`. A decoder fails if a tick is too old or before
/// tick 1.
template <class Coder>
void code_pair(Coder& coder, BaselinePair& pair, state::Tick tick) {
  using L = typename Coder::Layout;
  const Tables& t = L::runs;
  const bool is_spawn = coder.single_context_bit(t.at(0, 1), pair.baseline.number == 0);
  if (is_spawn) {
    pair = {};
    return;
  }
  const auto age = code_golomb(coder, tick.number - pair.baseline.number - 1, age_order) + 1;
  if (age > baseline_window_ticks || age >= tick.number) {
    coder.fail();
    pair = {};
    return;
  }
  pair.baseline = state::Tick{tick.number - age};
  const bool has_previous = coder.single_context_bit(t.at(0, 2), pair.previous != pair.baseline);
  if (!has_previous) {
    pair.previous = pair.baseline;
    return;
  }
  const auto gap =
      code_golomb(coder, pair.baseline.number - pair.previous.number - 1, gap_order) + 1;
  if (gap > baseline_window_ticks || gap >= pair.baseline.number) {
    coder.fail();
    pair.previous = pair.baseline;
    return;
  }
  pair.previous = state::Tick{pair.baseline.number - gap};
}

/// Codes the baseline pairs of all bodies of a part. Few pairs are distinct, so the distinct pairs
/// are listed first, and each body then refers to one of them. `pairs` has one entry per body; a
/// decoder fills `pairs`.
template <class Coder>
void code_references(Coder& coder, std::span<BaselinePair> pairs, state::Tick tick) {
  using L = typename Coder::Layout;
  std::vector<BaselinePair> different;
  std::size_t changes = 0;
  if constexpr (!Coder::decodes) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (i > 0 && pairs[i] == pairs[i - 1]) continue;
      changes += i > 0 ? 1 : 0;
      if (std::find(different.begin(), different.end(), pairs[i]) == different.end())
        different.push_back(pairs[i]);
    }
  }
  if (pairs.empty()) return;
  const bool is_one = coder.single_context_bit(L::runs.at(0, 0), different.size() == 1);
  auto count = static_cast<std::uint32_t>(different.size());
  count = is_one ? 1 : code_golomb(coder, count - 2, pair_count_order) + 2;
  if (count > max_reference_pairs) return coder.fail();
  different.resize(count);
  for (BaselinePair& pair : different)
    code_pair(coder, pair, tick);
  if (is_one) {
    std::fill(pairs.begin(), pairs.end(), different[0]);
    return;
  }
  // The pairs are listed in order of appearance, so the first body has the first pair.
  const Probability other =
      probability_of(coder.raw_bits(share_of(changes, pairs.size()), share_bits));
  const auto index_bits = static_cast<unsigned>(std::bit_width(count - 1));
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i > 0 && coder.explicit_bit(other, pairs[i] != different[last])) {
      const auto place = std::find(different.begin(), different.end(), pairs[i]);
      last = coder.raw_bits(static_cast<std::uint32_t>(place - different.begin()), index_bits);
      if (last >= count) return coder.fail();
    }
    pairs[i] = different[last];
  }
}

}  // namespace jostle::protocol::context::detail
