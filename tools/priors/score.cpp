#include "tools/priors/score.h"

#include "protocol/context/context_codec.h"
#include "protocol/context/rotation.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace jostle::priors {
namespace {

constexpr std::uint32_t age_ticks = 6;
// The format's first frame is the initial one and not counted: the seventh after it is scored
// first.
constexpr std::uint32_t first_scored = 7;
constexpr std::size_t no_limit = 1U << 20;

double now_us() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(time).count();
}

double quantile(std::vector<double>& values, double part) {
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

}  // namespace

Score score(const FrameSet& set, std::uint32_t gap_ticks) {
  const std::size_t bodies = set.frames[0].size();
  const auto facts = facts_of_cubes(bodies);
  std::vector<state::BodyId> ids;
  for (std::uint32_t i = 0; i < bodies; ++i)
    ids.push_back({i + 1});
  // Tick 1 is the initial frame: 0 stands for a spawn pose.
  const protocol::BaselineLookup lookup = [&](state::BodyId id, state::Tick tick) {
    return &set.frames[tick.number - 1][id.value - 1];
  };
  Score score;
  std::vector<double> encode_us, decode_us, busy_encode_us, busy_decode_us;
  std::size_t bytes = 0, changed = 0;
  for (std::uint32_t i = first_scored; i < set.frames.size(); ++i) {
    const state::Tick tick{i + 1}, baseline{tick.number - age_ticks};
    const state::Tick previous{
        std::max(baseline.number - std::min(baseline.number - 1, gap_ticks), 1U)};
    const protocol::QuantizedSnapshot snapshot{tick, 1, ids, set.frames[i]};
    const protocol::context::ReferenceRun run{static_cast<std::uint32_t>(bodies),
                                              {baseline, previous}};
    const protocol::context::Content content{&snapshot, facts, {}, {&run, 1}};
    const double start = now_us();
    const auto parts = protocol::context::encode_parts(content, lookup, no_limit);
    const double encoded = now_us();
    protocol::SnapshotHeader header;
    header.tick = tick;
    header.count = static_cast<std::uint32_t>(bodies);
    const double decoding = now_us();
    const auto decoded =
        protocol::context::decode_part(header, parts[0].payload, ids, facts, lookup);
    const double decoded_at = now_us();
    bytes += parts[0].payload.size();
    if (parts[0].payload.size() <= protocol::max_part_payload_bytes() &&
        (!decoded || decoded->bodies != set.frames[i])) {
      std::fprintf(stderr, "frame %u does not come back\n", i);
      std::exit(1);
    }
    std::size_t changed_here = 0;
    for (std::size_t k = 0; k < bodies; ++k) {
      changed_here +=
          protocol::context::is_same_pose(set.frames[i][k], *lookup(ids[k], baseline)) ? 0 : 1;
    }
    changed += changed_here;
    const bool is_busy = changed_here >= 80 && changed_here <= 100;
    (is_busy ? busy_encode_us : encode_us).push_back(encoded - start);
    (is_busy ? busy_decode_us : decode_us).push_back(decoded_at - decoding);
    ++score.frames;
  }
  if (busy_encode_us.size() > 20) {
    encode_us = busy_encode_us;
    decode_us = busy_decode_us;
  }
  const auto frames = static_cast<double>(score.frames);
  score.bytes_per_frame = static_cast<double>(bytes) / frames;
  score.changed_per_frame = static_cast<double>(changed) / frames;
  score.encode_median_us = quantile(encode_us, 0.5);
  score.encode_p99_us = quantile(encode_us, 0.99);
  score.decode_median_us = quantile(decode_us, 0.5);
  score.decode_p99_us = quantile(decode_us, 0.99);
  return score;
}

}  // namespace jostle::priors
