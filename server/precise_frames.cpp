#include "server/precise_frames.h"

#include "protocol/limits.h"

#include <algorithm>
#include <utility>

namespace jostle::server {

using protocol::precise::Frame;

void PreciseFrames::begin(const state::Snapshot& now, const Wanted& wanted, int tick_rate_hz,
                          std::size_t room) {
  room_ = room;
  tick_ = now.tick;
  tick_rate_hz_ = tick_rate_hz;
  spent_us_ = 0;
  for (const Profile profile : {Profile::Fine, Profile::Lossless}) {
    OfProfile& kept = of(profile);
    kept.codings.clear();
    kept.keyframe.clear();
    if (!wanted[static_cast<std::size_t>(profile)]) {
      kept.frames.clear();
      continue;
    }
    while (!kept.frames.empty() && now.tick - kept.frames.front()->tick > kept_ticks)
      kept.frames.pop_front();
    if (auto frame = protocol::precise::frame_of(now, profile))
      kept.frames.push_back(std::make_shared<const Frame>(*std::move(frame)));
  }
}

SharedFrame PreciseFrames::newest(Profile profile) const {
  const auto& frames = of(profile).frames;
  return !frames.empty() && frames.back()->tick == tick_ ? frames.back() : nullptr;
}

const std::vector<std::byte>& PreciseFrames::keyframe(Profile profile) {
  OfProfile& kept = of(profile);
  if (const SharedFrame now = newest(profile); now && kept.keyframe.empty())
    kept.keyframe = protocol::precise::encode_frame(*now);
  return kept.keyframe;
}

SharedFrame PreciseFrames::baseline_of(const OfProfile& of, const BaselineTracker& client,
                                       const SharedFrame& older) const {
  const auto is_known = [&](const SharedFrame& frame) {
    return frame->tick < tick_ && client.has_acknowledged_all(frame->tick);
  };
  const auto known = std::find_if(of.frames.rbegin(), of.frames.rend(), is_known);
  if (known != of.frames.rend()) return *known;
  const bool is_usable =
      older && is_known(older) && tick_ - older->tick <= protocol::precise::max_frame_age_ticks;
  return is_usable ? older : nullptr;
}

const EncodedSnapshot* PreciseFrames::coded(Profile profile, const BaselineTracker& client,
                                            const SharedFrame& older) {
  const SharedFrame now = newest(profile);
  if (!now) return nullptr;
  OfProfile& kept = of(profile);
  SharedFrame baseline = baseline_of(kept, client, older);
  const auto known =
      std::find_if(kept.codings.begin(), kept.codings.end(),
                   [&](const Coding& coding) { return coding.baseline == baseline; });
  const auto if_it_fits = [](const EncodedSnapshot& coded) {
    return coded.parts->size() <= protocol::max_snapshot_parts ? &coded : nullptr;
  };
  if (known != kept.codings.end()) return if_it_fits(known->coded);
  if (spent_us_ > max_coding_us) return nullptr;
  const std::int64_t began_us = io_.now_us();
  const auto codec =
      profile == Profile::Fine ? protocol::SnapshotCodec::Fine : protocol::SnapshotCodec::Lossless;
  EncodedSnapshot coded =
      share(codec, protocol::precise::encode_parts(*now, baseline.get(), tick_rate_hz_, room_));
  spent_us_ += io_.now_us() - began_us;
  kept.usual_bytes = coded.payload_bytes;
  kept.codings.push_back({std::move(baseline), std::move(coded)});
  return if_it_fits(kept.codings.back().coded);
}

std::optional<std::uint64_t> PreciseFrames::usual_bytes(Profile profile) const {
  return of(profile).usual_bytes;
}

}  // namespace jostle::server
