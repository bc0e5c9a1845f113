#include "tools/snapshots/measure_snapshots.h"

#include "protocol/snapshot_codec.h"
#include "shared/base/random.h"
#include "shared/net/transport.h"
#include "tools/snapshots/cpu_time.h"
#include "tools/snapshots/decoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace jostle::snapshots {
namespace {

std::size_t wire_bytes(const Part& part, std::size_t index, std::size_t parts) {
  protocol::SnapshotHeader header;
  header.tick = {1'000'000};
  header.part = static_cast<std::uint8_t>(index);
  header.parts = static_cast<std::uint8_t>(parts);
  header.first = part.first;
  header.count = part.count;
  header.input_ack = header.tick;
  header.server_send_us = 1'000'000'000;
  return net::unreliable_datagram_bytes +
         protocol::encode_snapshot_message(header, protocol::SnapshotCodec::BitPacked, part.payload)
             .size();
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::lround(share * last))];
}

bool is_busy(std::size_t changed) {
  return changed >= 80 && changed <= 100;
}

/// Returns the frame numbers from `first` to `end` - 1, shuffled by the seed.
std::vector<std::uint32_t> shuffled(std::uint32_t first, std::uint32_t end, std::uint64_t seed) {
  std::vector<std::uint32_t> order(end - first);
  std::iota(order.begin(), order.end(), first);
  base::Random random(seed);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  return order;
}

/// Returns the distance in frames from a baseline to the frame before it, which is acknowledged as
/// well. Returns 0 for the first frame, which has none before it.
std::uint32_t gap_before(std::uint32_t baseline) {
  return baseline == 0 ? 0 : 1;
}

struct Encoded {
  std::vector<std::vector<Part>> frames;  // frames from number `age` on
  std::vector<double> microseconds;
  std::vector<std::size_t> changed;
};
struct DecodeTimes {
  std::vector<double> microseconds, prediction_baseline_us;  // times in the order of Encoded
};
Encoded encode_all(const FrameSet& set, const FrameCodec& codec, std::uint32_t age,
                   SnapshotFigures& figures) {
  Encoded encoded;
  for (std::size_t i = age; i < set.frames.size(); ++i) {
    const Frame& baseline = set.frames[i - age];
    const std::uint32_t gap = gap_before(static_cast<std::uint32_t>(i) - age);
    Reference reference{age, &baseline, gap, &set.frames[i - age - gap]};
    if (!set.inputs.empty())
      reference.inputs = std::span(set.inputs).subspan(i - age - gap + 1, age + gap);
    double prediction_baseline_us = 0;
    const double begin = cpu_us();
    encoded.frames.push_back(codec.encode(set.frames[i], reference, prediction_baseline_us));
    encoded.microseconds.push_back(cpu_us() - begin - prediction_baseline_us);
    encoded.changed.push_back(count_changed(set.frames[i], baseline));
    figures.changed_bodies += static_cast<double>(encoded.changed.back());
    const std::vector<Part>& parts = encoded.frames.back();
    figures.parts += static_cast<double>(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      figures.payload_bytes += static_cast<double>(parts[k].payload.size());
      figures.wire_bytes += static_cast<double>(wire_bytes(parts[k], k, parts.size()));
    }
  }
  return encoded;
}

/// Decodes all frames in the decoder process, in random order, and compares them with the
/// originals. Times are in µs.
base::Result<DecodeTimes, std::string> decode_all(const FrameSet& set, const Encoded& encoded,
                                                  const SnapshotOptions& options) {
  DecoderProcess decoder;
  std::vector<std::string> arguments{"snapshot-decoder", options.codec};
  if (!options.scene.empty()) arguments.push_back(options.scene);
  if (const auto started = decoder.start(options.program, arguments); !started)
    return started.error();
  DecodeTimes times{std::vector<double>(encoded.frames.size()),
                    std::vector<double>(encoded.frames.size())};
  std::set<std::uint32_t> acknowledged;
  const auto end = static_cast<std::uint32_t>(set.frames.size());
  for (const std::uint32_t number : shuffled(options.age, end, options.seed)) {
    const std::uint32_t baseline = number - options.age, gap = gap_before(baseline);
    for (const std::uint32_t frame : {baseline - gap, baseline}) {
      if (acknowledged.insert(frame).second && !decoder.acknowledge(frame, set.frames[frame]))
        return std::string("the decoder process ended early");
    }
    const auto decoded = decoder.decode(baseline, options.age, gap, encoded.frames[baseline]);
    if (!decoded) return "frame " + std::to_string(number) + ": " + decoded.error();
    if (decoded->frame != set.frames[number])
      return "frame " + std::to_string(number) + " differs after decoding";
    times.microseconds[baseline] = decoded->microseconds;
    times.prediction_baseline_us[baseline] = decoded->prediction_baseline_us;
  }
  return times;
}

/// Returns the median over the frames with 80 to 100 changed bodies, to which the targets of
/// docs/BENCHMARKS.md apply.
double busy_median(const std::vector<double>& values, const std::vector<std::size_t>& changed) {
  std::vector<double> busy;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_busy(changed[i])) busy.push_back(values[i]);
  return percentile(busy, 0.5);
}

}  // namespace

base::Result<SnapshotFigures, std::string> measure_snapshots(const FrameSet& set,
                                                             const scene::SceneDef* scene,
                                                             const SnapshotOptions& options) {
  const std::unique_ptr<FrameCodec> codec = make_codec(options.codec, scene);
  if (!codec)
    return "unknown codec '" + options.codec + "', use one of " + std::string(codec_names);
  if (codec->needs_inputs() && set.inputs.size() != set.frames.size())
    return "codec '" + options.codec +
           "' needs the player's input of each frame, which files do not contain";
  if (set.frames.size() <= options.age) {
    return "--age " + std::to_string(options.age) + " needs at least " +
           std::to_string(options.age + 1) + " frames, but the set has only " +
           std::to_string(set.frames.size());
  }
  SnapshotFigures figures;
  const Encoded encoded = encode_all(set, *codec, options.age, figures);
  const auto times = decode_all(set, encoded, options);
  if (!times) return times.error();
  figures.frames = encoded.frames.size();
  const auto count = static_cast<double>(figures.frames);
  for (double* sum :
       {&figures.changed_bodies, &figures.payload_bytes, &figures.wire_bytes, &figures.parts})
    *sum /= count;
  figures.encode_median_us = percentile(encoded.microseconds, 0.5);
  figures.encode_p99_us = percentile(encoded.microseconds, 0.99);
  figures.decode_median_us = percentile(times->microseconds, 0.5);
  figures.decode_p99_us = percentile(times->microseconds, 0.99);
  figures.prediction_baseline_median_us = percentile(times->prediction_baseline_us, 0.5);
  figures.prediction_baseline_p99_us = percentile(times->prediction_baseline_us, 0.99);
  figures.busy_frames = static_cast<std::size_t>(
      std::count_if(encoded.changed.begin(), encoded.changed.end(), is_busy));
  figures.busy_encode_median_us = busy_median(encoded.microseconds, encoded.changed);
  figures.busy_decode_median_us = busy_median(times->microseconds, encoded.changed);
  figures.busy_prediction_baseline_median_us =
      busy_median(times->prediction_baseline_us, encoded.changed);
  return figures;
}

}  // namespace jostle::snapshots
