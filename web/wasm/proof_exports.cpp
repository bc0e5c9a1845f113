// Runs that every build computes with the same bits: those of the determinism matrix
// (tools/matrix), with random players.
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"
#include "shared/sim/simulation.h"

#include "web/wasm/exports.h"
#include "web/wasm/scene_table.h"
#include <memory>
#include <string>
#include <utility>

namespace jostle::web {
namespace {

constexpr std::uint16_t player_count = 2;

struct Proof {
  sim::Simulation simulation;
  sim::RandomInputs players;
};

std::unique_ptr<Proof>& proof() {
  static std::unique_ptr<Proof> run;
  return run;
}

}  // namespace

/// Starts a run of an added scene. Stores an error message, or nothing.
JOSTLE_EXPORT(proof_start)
void proof_start(const char* scene_name, std::uint32_t size, std::uint32_t seed) {
  auto scene = load_page_scene(text_of(scene_name, size));
  if (!scene) return set_result(scene.error());
  proof() = std::make_unique<Proof>(Proof{
      sim::Simulation(*std::move(scene), {state::default_tick_rate_hz, seed}, sim::default_rules()),
      sim::RandomInputs(seed, player_count)});
  set_result("");
}

/// Simulates ticks and stores the hash of the state as 16 hexadecimal digits; empty without a run.
JOSTLE_EXPORT(proof_step) void proof_step(std::uint32_t ticks) {
  if (!proof()) return set_result("");
  for (std::uint32_t i = 0; i < ticks; ++i)
    proof()->simulation.step(proof()->players.next(proof()->simulation));
  const std::uint64_t hash = proof()->simulation.hash().total;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4)
    digits += "0123456789abcdef"[(hash >> shift) & 15];
  set_result(digits);
}

}  // namespace jostle::web
