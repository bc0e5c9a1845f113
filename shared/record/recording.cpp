#include "shared/record/recording.h"

namespace jostle::record {
namespace {

std::uint32_t low_half(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash);
}

}  // namespace

TickHash tick_hash_of(const sim::SimulationHash& hash) {
  const physics::StateHash& world = hash.world;
  return {.total = hash.total,
          .parts = {low_half(world.bodies), low_half(world.shapes), low_half(world.contacts),
                    low_half(world.islands), low_half(world.joints), low_half(world.fields),
                    low_half(world.particles), low_half(hash.rules)}};
}

std::string parts_that_differ(const TickHash& a, const TickHash& b) {
  std::string text;
  for (std::size_t i = 0; i < hash_parts.size(); ++i) {
    if (a.parts[i] == b.parts[i]) continue;
    text += (text.empty() ? "" : ", ") + std::string(hash_parts[i]);
  }
  return text.empty() ? "no part of the state, only the total hash" : text;
}

std::vector<BodyHash> body_hashes_of(const sim::Simulation& simulation) {
  std::vector<BodyHash> hashes;
  const auto& bodies = simulation.world_def().bodies;
  hashes.reserve(bodies.size());
  for (const state::BodyInfo& body : bodies)
    hashes.push_back({body.id, simulation.world().hash(*simulation.find_body(body.id))});
  return hashes;
}

std::size_t Recording::tick_count() const {
  std::size_t count = 0;
  for (const RecordedBlock& block : blocks)
    count += block.ticks.size();
  return count;
}

std::string RecordingError::text() const {
  return "at byte " + std::to_string(offset) + ": " + message;
}

}  // namespace jostle::record
