#include "server/statistics_publisher.h"

#include "protocol/inspect_codec.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace jostle::server {
namespace {

std::size_t count_particles(const physics::World& world) {
  std::size_t count = 0;
  for (const physics::ParticleSetHandle set : world.particle_sets())
    count += world.particles(set).size();
  return count;
}

}  // namespace

void StatisticsPublisher::end_tick() {
  const bool is_requested = clients_.has_any(
      [](const ClientSession& session) { return session.inspection.request.wants_statistics; });
  // The clock takes effect in the next step. It is set only on request, because timing costs a
  // little.
  simulation_.set_stage_clock(is_requested ? options_.stage_clock : nullptr);
  profile_.end_tick(simulation_.world().stats().stage_seconds);
  if (is_requested && is_due(options_, simulation_.tick(), statistics_per_second)) publish();
}

void StatisticsPublisher::publish() {
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
  const Clients::Counts counts = clients_.counts();
  set(state::ServerCount::Players, counts.players);
  set(state::ServerCount::Clients, counts.members);
  const std::uint64_t total_bytes = clients_.metrics().snapshot_bytes;
  const std::uint64_t bytes = total_bytes - std::exchange(sent_bytes_, total_bytes);
  statistics.bytes_per_second =
      static_cast<float>(static_cast<double>(bytes) * statistics_per_second);
  const std::vector<std::byte> message = protocol::encode_statistics(statistics);
  for (auto& [peer, session] : clients_)
    if (session.inspection.request.wants_statistics) clients_.send_auxiliary(session, message);
}

}  // namespace jostle::server
