#include "client/sim/lockstep_peer.h"
#include "client/sim/world_predictor.h"

#include "web/wasm/client_host.h"
#include "web/wasm/exports.h"
#include "web/wasm/page_io.h"

namespace jostle::web {
namespace {

/// One update may take most of a frame of 16.7 ms: the page draws with the graphics processor.
constexpr prediction::PredictorOptions prediction_options{.max_update_us = 10'000};

prediction::LockstepPeer* lockstep_peer = nullptr;  // owned by the client host

}  // namespace

ClientEngine make_client_engine(EngineUse use) {
  ClientEngine engine;
  lockstep_peer = nullptr;
  if (use == EngineUse::Predict)
    engine.predictor = std::make_unique<prediction::WorldPredictor>(page_io(), prediction_options);
  if (use == EngineUse::Lockstep) {
    auto peer = std::make_unique<prediction::LockstepPeer>();
    lockstep_peer = peer.get();
    engine.lockstep = std::move(peer);
  }
  return engine;
}

/// Stores a recording of the last ticks of the lockstep engine as the result. Returns the number of
/// its ticks; 0: there is none.
JOSTLE_EXPORT(lockstep_recording) std::uint32_t lockstep_recording() {
  auto saved = lockstep_peer != nullptr ? lockstep_peer->recording() : std::nullopt;
  if (!saved) return 0;
  set_result({reinterpret_cast<const char*>(saved->bytes.data()), saved->bytes.size()});
  return saved->tick_count;
}

}  // namespace jostle::web
