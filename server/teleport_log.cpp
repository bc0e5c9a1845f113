#include "server/teleport_log.h"

#include "protocol/limits.h"

#include <algorithm>

namespace jostle::server {
namespace {

// A body has jumped if it moved by more than the sum of the next two.
constexpr float least_jump = 1;       // m
constexpr float velocity_factor = 2;  // multiple of the way at its higher speed

}  // namespace

void TeleportLog::add(state::Tick tick, std::span<const state::BodyId> bodies) {
  while (!entries_.empty() &&
         tick - entries_.front().tick >= std::int64_t{protocol::teleport_window_ticks})
    entries_.pop_front();
  for (const state::BodyId body : bodies)
    add_to(tick, body);
}

void TeleportLog::add_to(state::Tick tick, state::BodyId body) {
  if (entries_.empty() || entries_.back().tick != tick) entries_.push_back({tick, {}});
  std::vector<state::BodyId>& bodies = entries_.back().bodies;
  const auto place = std::lower_bound(bodies.begin(), bodies.end(), body);
  if (place == bodies.end() || *place != body) bodies.insert(place, body);
}

void TeleportLog::add_jumps(const state::Snapshot& before, const state::Snapshot& now,
                            double seconds) {
  const auto is_known = [&](state::BodyId body) {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return entry.tick > before.tick &&
             std::binary_search(entry.bodies.begin(), entry.bodies.end(), body);
    });
  };
  auto old = before.bodies.begin();
  for (const state::BodyState& body : now.bodies) {
    while (old != before.bodies.end() && old->id < body.id)
      ++old;
    if (old == before.bodies.end()) break;
    if (old->id != body.id || old->pose.position == body.pose.position) continue;
    const float speed = std::max(length(old->linear_velocity), length(body.linear_velocity));
    const float most = least_jump + velocity_factor * speed * static_cast<float>(seconds);
    if (length(body.pose.position - old->pose.position) > most && !is_known(body.id))
      add_to(now.tick, body.id);
  }
}

bool TeleportLog::has_any_after(state::Tick known) const {
  return !entries_.empty() && entries_.back().tick > known;
}

std::vector<protocol::Teleport> TeleportLog::of_part(const protocol::EncodedPart& part,
                                                     std::span<const state::BodyId> ids,
                                                     state::Tick now, state::Tick known) const {
  std::vector<protocol::Teleport> found;
  std::vector<std::uint32_t> ages;
  for (const Entry& entry : entries_) {
    const std::int64_t age = now - entry.tick;
    if (entry.tick <= known || age < 0 || age >= std::int64_t{protocol::teleport_window_ticks})
      continue;
    const std::size_t before = found.size();
    for (const state::BodyId body : entry.bodies) {
      const auto place = std::lower_bound(ids.begin(), ids.end(), body);
      if (place == ids.end() || *place != body) continue;
      const auto index = static_cast<std::uint32_t>(place - ids.begin());
      const bool is_chosen =
          part.chosen.empty() ? index >= part.first && index - part.first < part.count
                              : std::binary_search(part.chosen.begin(), part.chosen.end(), index);
      if (is_chosen) found.push_back({index, static_cast<std::uint32_t>(age)});
    }
    if (found.size() > before) ages.push_back(static_cast<std::uint32_t>(age));
  }
  if (found.size() <= protocol::max_part_teleports) return found;
  found.clear();
  for (auto age = ages.rbegin(); age != ages.rend(); ++age) {
    if (found.size() < protocol::max_part_teleports)
      found.push_back({protocol::Teleport::all_bodies, *age});
  }
  return found;
}

}  // namespace jostle::server
