#include "protocol/precise/frame_codec.h"

#include "protocol/limits.h"
#include "protocol/precise/precise_codec.h"
#include "shared/base/assert.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace jostle::protocol::precise {
namespace {

/// Size of the head of a part: the age of its baseline in ticks, low byte first; 0: no baseline.
constexpr std::size_t age_bytes = 2;

std::optional<FineBody> coded(const state::BodyState& body, const FineBody* /*kind*/) {
  return to_fine(body);
}
std::optional<LosslessBody> coded(const state::BodyState& body, const LosslessBody* /*kind*/) {
  return to_exact(body);
}

template <class Body>
std::optional<Bodies> bodies_of(const state::Snapshot& snapshot) {
  std::vector<Body> bodies;
  bodies.reserve(snapshot.bodies.size());
  for (const state::BodyState& state : snapshot.bodies) {
    const std::optional<Body> body = coded(state, static_cast<const Body*>(nullptr));
    if (!body) return std::nullopt;
    bodies.push_back(*body);
  }
  return Bodies{std::move(bodies)};
}

/// Returns the bodies of `ids` as they were in another frame. A body that is missing there gets the
/// default: at rest at the origin.
template <class Body>
std::vector<Body> aligned(std::span<const state::BodyId> ids,
                          std::span<const state::BodyId> frame_ids, std::span<const Body> bodies) {
  std::vector<Body> result(ids.size());
  auto place = std::lower_bound(frame_ids.begin(), frame_ids.end(),
                                ids.empty() ? state::BodyId{} : ids.front());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    while (place != frame_ids.end() && *place < ids[i])
      ++place;
    if (place == frame_ids.end()) break;
    if (*place == ids[i]) result[i] = bodies[static_cast<std::size_t>(place - frame_ids.begin())];
  }
  return result;
}

float seconds_of(std::int64_t age_ticks, int tick_rate_hz) {
  JOSTLE_ASSERT(tick_rate_hz > 0);
  return std::min(static_cast<float>(age_ticks) / static_cast<float>(tick_rate_hz),
                  max_age_seconds);
}

/// Encodes about as many bodies from `first` on as fit in `max_bytes`, at least one. `guess` is the
/// number that is tried first.
template <class Body>
EncodedPart encode_next(std::span<const Body> bodies, std::span<const Body> baseline,
                        float age_seconds, std::size_t first, std::size_t guess,
                        std::size_t max_bytes) {
  constexpr int max_tries = 4;
  // Fractions of the payload limit.
  constexpr double well_filled = 0.8;  // a part at least this full is accepted
  constexpr double aim = 0.95;         // target of the next attempt
  const std::size_t left = bodies.size() - first;
  EncodedPart best;
  std::size_t count = std::min(guess, left), too_many = left + 1;
  for (int i = 0; i < max_tries || best.count == 0; ++i) {
    const Reference<Body> reference{baseline.empty() ? baseline : baseline.subspan(first, count),
                                    age_seconds};
    std::vector<std::byte> bytes = encode(bodies.subspan(first, count), reference);
    const double fill = static_cast<double>(bytes.size()) / static_cast<double>(max_bytes);
    if (bytes.size() <= max_bytes) {
      best = {static_cast<std::uint32_t>(first),
              static_cast<std::uint32_t>(count),
              std::move(bytes),
              {}};
      if (count == left || count + 1 >= too_many || fill >= well_filled) break;
    } else {
      too_many = count;
    }
    const auto wanted =
        static_cast<std::size_t>(static_cast<double>(count) * aim / std::max(fill, 1e-3));
    const std::size_t next = std::clamp<std::size_t>(wanted, 1, std::min(left, too_many - 1));
    if (best.count > 0 && next <= best.count) break;
    count = next;
  }
  return best;
}

template <class Body>
std::vector<EncodedPart> encode_as(const Frame& now, const Frame* baseline, int tick_rate_hz,
                                   std::size_t max_payload_bytes) {
  constexpr std::size_t first_guess = 32;
  const auto& bodies = std::get<std::vector<Body>>(now.bodies);
  JOSTLE_ASSERT(bodies.size() == now.ids.size());
  std::vector<Body> before;
  std::int64_t age_ticks = 0;
  if (baseline != nullptr) {
    age_ticks = now.tick - baseline->tick;
    JOSTLE_ASSERT(age_ticks > 0 && age_ticks <= max_frame_age_ticks);
    before = aligned<Body>(now.ids, baseline->ids, std::get<std::vector<Body>>(baseline->bodies));
  }
  const float age_seconds = seconds_of(age_ticks, tick_rate_hz);
  std::vector<EncodedPart> parts;
  std::size_t guess = first_guess;
  for (std::size_t first = 0; first < bodies.size() || parts.empty();) {
    EncodedPart part;
    if (first < bodies.size())
      part = encode_next<Body>(bodies, before, age_seconds, first, guess,
                               max_payload_bytes - age_bytes);
    first += part.count;
    guess = part.count;
    part.payload.insert(part.payload.begin(), {static_cast<std::byte>(age_ticks & 0xFF),
                                               static_cast<std::byte>(age_ticks >> 8)});
    parts.push_back(std::move(part));
  }
  return parts;
}

template <class Body>
base::Result<Bodies, DecodeError> decode_as(const SnapshotHeader& header,
                                            std::span<const std::byte> payload,
                                            std::span<const state::BodyId> ids, int tick_rate_hz,
                                            const FrameLookup& lookup) {
  if (payload.size() < age_bytes) return DecodeError::Malformed;
  if (header.first > ids.size() || header.count > ids.size() - header.first)
    return DecodeError::OutOfRange;
  const std::int64_t age_ticks =
      static_cast<std::int64_t>(payload[0]) | static_cast<std::int64_t>(payload[1]) << 8;
  if (age_ticks > max_frame_age_ticks || age_ticks >= std::int64_t{header.tick.number} + 1)
    return DecodeError::OutOfRange;
  std::vector<Body> before;
  if (age_ticks > 0) {
    const FrameView frame =
        lookup(state::previous(header.tick, static_cast<std::uint32_t>(age_ticks)));
    if (frame.bodies == nullptr || !std::holds_alternative<std::vector<Body>>(*frame.bodies))
      return DecodeError::UnknownBaseline;
    before = aligned<Body>(ids.subspan(header.first, header.count), frame.ids,
                           std::get<std::vector<Body>>(*frame.bodies));
  }
  auto bodies = decode(payload.subspan(age_bytes), header.count,
                       Reference<Body>{before, seconds_of(age_ticks, tick_rate_hz)});
  if (!bodies) return bodies.error();
  return Bodies{*std::move(bodies)};
}

}  // namespace

std::size_t size_of(const Bodies& bodies) {
  return std::visit([](const auto& list) { return list.size(); }, bodies);
}

Profile profile_of(const Bodies& bodies) {
  return std::holds_alternative<std::vector<FineBody>>(bodies) ? Profile::Fine : Profile::Lossless;
}

std::optional<state::BodyState> body_at(const Bodies& bodies, std::size_t index) {
  JOSTLE_ASSERT(index < size_of(bodies));
  if (const auto* fine = std::get_if<std::vector<FineBody>>(&bodies))
    return from_fine((*fine)[index]);
  return from_exact(std::get<std::vector<LosslessBody>>(bodies)[index]);
}

std::optional<Frame> frame_of(const state::Snapshot& snapshot, Profile profile) {
  JOSTLE_ASSERT(profile != Profile::Visual);
  auto bodies =
      profile == Profile::Fine ? bodies_of<FineBody>(snapshot) : bodies_of<LosslessBody>(snapshot);
  if (!bodies) return std::nullopt;
  Frame frame{snapshot.tick, snapshot.world_revision, {}, *std::move(bodies)};
  frame.ids.reserve(snapshot.bodies.size());
  for (const state::BodyState& body : snapshot.bodies)
    frame.ids.push_back(body.id);
  return frame;
}

std::vector<EncodedPart> encode_parts(const Frame& now, const Frame* baseline, int tick_rate_hz,
                                      std::size_t max_payload_bytes) {
  JOSTLE_ASSERT(baseline == nullptr || baseline->bodies.index() == now.bodies.index());
  return profile_of(now.bodies) == Profile::Fine
             ? encode_as<FineBody>(now, baseline, tick_rate_hz, max_payload_bytes)
             : encode_as<LosslessBody>(now, baseline, tick_rate_hz, max_payload_bytes);
}

base::Result<Bodies, DecodeError> decode_part(Profile profile, const SnapshotHeader& header,
                                              std::span<const std::byte> payload,
                                              std::span<const state::BodyId> ids, int tick_rate_hz,
                                              const FrameLookup& lookup) {
  JOSTLE_ASSERT(profile != Profile::Visual);
  return profile == Profile::Fine
             ? decode_as<FineBody>(header, payload, ids, tick_rate_hz, lookup)
             : decode_as<LosslessBody>(header, payload, ids, tick_rate_hz, lookup);
}

std::vector<std::byte> encode_frame(const Frame& frame) {
  PreciseKeyframe keyframe{
      frame.tick, frame.world_revision, profile_of(frame.bodies), frame.ids, {}};
  keyframe.coded = std::visit(
      [](const auto& bodies) {
        using Body = typename std::remove_cvref_t<decltype(bodies)>::value_type;
        return encode(std::span<const Body>(bodies), Reference<Body>{});
      },
      frame.bodies);
  return encode_precise_keyframe(keyframe);
}

base::Result<Frame, DecodeError> decode_frame(std::span<const std::byte> bytes) {
  auto keyframe = decode_precise_keyframe(bytes);
  if (!keyframe) return keyframe.error();
  Frame frame{keyframe->tick, keyframe->world_revision, std::move(keyframe->ids), {}};
  const auto decode_into = [&](auto kind) -> std::optional<DecodeError> {
    using Body = decltype(kind);
    auto bodies = decode(keyframe->coded, frame.ids.size(), Reference<Body>{});
    if (!bodies) return bodies.error();
    frame.bodies = *std::move(bodies);
    return std::nullopt;
  };
  const auto error =
      keyframe->profile == Profile::Fine ? decode_into(FineBody{}) : decode_into(LosslessBody{});
  if (error) return *error;
  return frame;
}

}  // namespace jostle::protocol::precise
