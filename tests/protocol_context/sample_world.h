#pragma once

#include "protocol/context/context_codec.h"
#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <algorithm>
#include <vector>

namespace jostle::protocol::context {

/// A world of `count` bodies with baselines at ticks 0, 14 and 15, and a snapshot of tick 20. At
/// tick 0 all bodies are asleep. From each of these ticks to the next, about one in `one_in` bodies
/// is moved. The last body but one belongs to a player.
struct SampleWorld {
  samples::History history;
  QuantizedSnapshot snapshot;
  std::vector<BodyFacts> facts;

  SampleWorld(std::uint64_t seed, std::size_t count, std::uint32_t one_in) {
    base::Random random(seed);
    const QuantizedSnapshot resting = samples::resting({0}, count);
    history.put(resting);
    const QuantizedSnapshot before = samples::moved(resting, {14}, one_in, random);
    history.put(before);
    const QuantizedSnapshot baseline = samples::moved(before, {15}, one_in, random);
    history.put(baseline);
    snapshot = samples::moved(baseline, {20}, one_in, random);
    facts.resize(count);
    if (count > 1) facts[count - 2] = {384, true};
  }

  std::vector<ReferenceRun> one_run() const {
    return {{static_cast<std::uint32_t>(snapshot.bodies.size()), {{15}, {14}}}};
  }
  std::vector<EncodedPart> encode(const std::vector<ReferenceRun>& runs, std::size_t limit) const {
    return encode_parts({&snapshot, facts, {}, runs}, history.lookup(), limit);
  }
  std::vector<EncodedPart> encode_some(const std::vector<std::uint32_t>& chosen,
                                       const std::vector<ReferenceRun>& runs,
                                       std::size_t limit) const {
    return encode_parts({&snapshot, facts, chosen, runs}, history.lookup(), limit);
  }
  base::Result<DecodedPart, DecodeError> decode(const SnapshotHeader& header,
                                                std::span<const std::byte> payload) const {
    return decode_part(header, payload, snapshot.ids, facts, history.lookup());
  }
};

/// Returns true if the bodies of `part` are valid and survive a round trip: `encode` encodes a
/// snapshot that contains them into parts, and `decode` returns the same bodies for these parts.
template <typename Encode, typename Decode>
bool is_encodable(const DecodedPart& part, const SampleWorld& world, const Encode& encode,
                  const Decode& decode) {
  QuantizedSnapshot snapshot = world.snapshot;
  std::vector<std::uint32_t> sent = part.chosen;
  if (sent.empty()) {
    for (std::uint32_t i = 0; i < part.bodies.size(); ++i)
      sent.push_back(i);
  }
  if (sent.size() != part.bodies.size() || !std::ranges::all_of(part.bodies, samples::is_valid))
    return false;
  for (std::size_t i = 0; i < sent.size(); ++i)
    snapshot.bodies.at(sent[i]) = part.bodies[i];
  const std::vector<ReferenceRun> runs{{static_cast<std::uint32_t>(sent.size()), {{15}, {14}}}};
  const std::vector<EncodedPart> parts = encode(Content{&snapshot, world.facts, sent, runs});
  std::vector<std::uint32_t> received;
  std::vector<QuantizedBody> bodies;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SnapshotHeader header = samples::header_of(snapshot, parts, i);
    const auto decoded = decode(header, std::span<const std::byte>(parts[i].payload));
    if (!decoded) return false;
    bodies.insert(bodies.end(), decoded->bodies.begin(), decoded->bodies.end());
    for (std::uint32_t k = 0; k < decoded->bodies.size(); ++k)
      received.push_back(decoded->chosen.empty() ? header.first + k : decoded->chosen[k]);
  }
  return bodies == part.bodies && received == sent;
}

}  // namespace jostle::protocol::context
