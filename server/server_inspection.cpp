#include "protocol/inspect_codec.h"
#include "server/debug_draw_view.h"
#include "server/server.h"
#include "shared/base/assert.h"
#include "shared/remote_debug_draw/report_body.h"

#include <algorithm>
#include <cmath>
#include <utility>

// The part of Server for clients that inspect the world: debug draw, statistics, body reports.

namespace jostle::server {
namespace {

std::size_t count_particles(const physics::World& world) {
  std::size_t count = 0;
  for (const physics::ParticleSetHandle set : world.particle_sets())
    count += world.particles(set).size();
  return count;
}

/// Returns the waiting session whose `due` tick is the oldest; null if none is due.
template <typename IsWaiting>
ClientSession* longest_waiting(std::map<net::PeerId, ClientSession>& sessions,
                               state::Tick ClientSession::*due, state::Tick now,
                               IsWaiting&& is_waiting) {
  ClientSession* next = nullptr;
  for (auto& [peer, session] : sessions) {
    if (session.*due > now || !is_waiting(session)) continue;
    if (next == nullptr || session.*due < next->*due) next = &session;
  }
  return next;
}

}  // namespace

void Server::profile_tick() {
  const bool is_anyone_told =
      std::any_of(sessions_.begin(), sessions_.end(),
                  [](const auto& entry) { return entry.second.inspection.wants_statistics; });
  // The clock takes effect in the next step. It is set only on request, because timing costs a
  // little.
  simulation_.set_stage_clock(is_anyone_told ? options_.stage_clock : nullptr);
  profile_.end_tick(simulation_.world().stats().stage_seconds);
  if (is_anyone_told && is_due(statistics_per_second)) publish_statistics();
}

void Server::publish_statistics() {
  state::ServerStatistics statistics;
  statistics.tick = simulation_.tick();
  profile_.report(statistics);
  const physics::StepStats& stats = simulation_.world().stats();
  const auto set = [&](state::ServerCount of, std::size_t count) {
    statistics.counts[static_cast<std::size_t>(of)] = static_cast<std::uint32_t>(count);
  };
  set(state::ServerCount::Bodies, stats.bodies);
  set(state::ServerCount::AwakeBodies, stats.awake_bodies);
  set(state::ServerCount::CandidatePairs, stats.candidate_pairs);
  set(state::ServerCount::TouchingPairs, stats.touching_pairs);
  set(state::ServerCount::ContactPoints, stats.contact_points);
  set(state::ServerCount::Joints, simulation_.world().joint_count());
  set(state::ServerCount::Particles, count_particles(simulation_.world()));
  const PlayerCounts there = player_counts();
  set(state::ServerCount::Players, there.players);
  set(state::ServerCount::Clients, there.members);
  const std::uint64_t bytes =
      metrics_.snapshot_bytes - std::exchange(sent_bytes_, metrics_.snapshot_bytes);
  statistics.bytes_per_second =
      static_cast<float>(static_cast<double>(bytes) * statistics_per_second);
  const std::vector<std::byte> message = protocol::encode_statistics(statistics);
  for (auto& [peer, session] : sessions_)
    if (session.inspection.wants_statistics) send_auxiliary(session, message);
}

/// Makes at most one debug draw frame per tick, for the client that has waited longest. The
/// fraction of time spent on debug draw is limited, so the cost grows neither with the number of
/// clients nor with the world.
void Server::make_debug_draw() {
  ClientSession* const next =
      longest_waiting(sessions_, &ClientSession::debug_draw_due, simulation_.tick(),
                      [](const ClientSession& session) {
                        return session.inspection.layers != 0 && session.debug_draw_parts.empty();
                      });
  const std::int64_t began_us = io_.now_us();
  if (next == nullptr || !debug_draw_rest_.is_over(began_us)) return;
  auto parts = protocol::encode_debug_draw(
      debug_draw_for(simulation_, next->inspection.layers, next->interest,
                     std::min(most_debug_draw_items, protocol::max_debug_draw_items)),
      simulation_.world_def().revision);
  debug_draw_rest_.note(began_us, io_.now_us());
  std::size_t bytes = 0;
  for (std::vector<std::byte>& part : parts) {
    bytes += part.size() + net::unreliable_datagram_bytes;
    next->debug_draw_parts.push_back(std::move(part));
  }
  const double seconds = std::max(static_cast<double>(bytes) / debug_draw_bytes_per_second,
                                  1 / debug_draws_per_second);
  next->debug_draw_due =
      simulation_.tick() + static_cast<std::uint32_t>(std::ceil(seconds * options_.tick_rate_hz));
}

/// Sends the next parts of a client's debug draw frame, a few per tick. Sends none if the client's
/// budget is used up, because snapshots have priority on slow links.
void Server::send_debug_draw(ClientSession& session) {
  if (session.inspection.layers == 0) session.debug_draw_parts.clear();
  for (int i = 0; i < debug_draw_parts_per_tick && !session.debug_draw_parts.empty(); ++i) {
    const std::vector<std::byte>& part = session.debug_draw_parts.front();
    if (session.budget_bytes < static_cast<double>(part.size())) return;
    send_auxiliary(session, part);
    session.debug_draw_parts.pop_front();
  }
}

void Server::publish_debug_draws() {
  make_debug_draw();
  for (auto& [peer, session] : sessions_)
    send_debug_draw(session);
}

/// Sends a report on one body to the client that has waited longest. At most one report per tick.
void Server::publish_report() {
  ClientSession* const next = longest_waiting(
      sessions_, &ClientSession::report_due, simulation_.tick(), [](const ClientSession& session) {
        return session.state == ClientSessionState::Playing && !session.inspection.body.is_null();
      });
  if (next == nullptr) return;
  next->report_due =
      simulation_.tick() +
      static_cast<std::uint32_t>(std::ceil(options_.tick_rate_hz / reports_per_second));
  const state::BodyId body = next->inspection.body;
  const auto handle = simulation_.find_body(body);
  if (!handle) return;
  state::BodyReport report = remote_debug_draw::report_body(simulation_.world(), *handle);
  report.tick = simulation_.tick();
  report.body = body;
  const std::vector<std::byte> message = protocol::encode_body_report(report);
  if (next->budget_bytes >= static_cast<double>(message.size())) send_auxiliary(*next, message);
}

}  // namespace jostle::server
