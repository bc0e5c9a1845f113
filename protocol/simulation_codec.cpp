#include "protocol/simulation_codec.h"

#include "protocol/detail/identifiers.h"
#include "protocol/detail/message_bytes.h"
#include "protocol/detail/verified_root.h"
#include "protocol/limits.h"
#include "protocol/schema/world_generated.h"
#include "shared/base/hash.h"
#include "shared/state/tick.h"

#include <flatbuffers/flatbuffers.h>

namespace jostle::protocol {
namespace {}  // namespace

Blob encode_simulation(const SimulationStart& start) {
  flatbuffers::FlatBufferBuilder builder;
  const auto file = builder.CreateString(start.scene_file);
  const auto text = builder.CreateString(start.scene_text);
  const auto state = builder.CreateVector(reinterpret_cast<const std::uint8_t*>(start.state.data()),
                                          start.state.size());
  builder.Finish(wire::CreateSimulation(builder, file, text, start.seed,
                                        static_cast<std::uint32_t>(start.tick_rate_hz), state),
                 detail::simulation_identifier);
  Blob blob;
  blob.bytes = detail::to_bytes(builder);
  blob.content_hash = base::hash_bytes(blob.bytes);
  return blob;
}

base::Result<SimulationStart, DecodeError> decode_simulation(std::span<const std::byte> bytes) {
  if (bytes.size() > max_blob_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(bytes);
  const auto* root =
      detail::verified_root<wire::Simulation>(message, bytes.size(), detail::simulation_identifier);
  if (root == nullptr) return DecodeError::Malformed;
  const auto& source = *root;
  if (source.scene_file() == nullptr || source.scene_text() == nullptr || source.state() == nullptr)
    return DecodeError::Malformed;
  const bool is_rate_possible =
      source.tick_rate_hz() >= static_cast<std::uint32_t>(state::min_tick_rate_hz) &&
      source.tick_rate_hz() <= static_cast<std::uint32_t>(state::max_tick_rate_hz);
  if (!is_rate_possible || source.scene_file()->size() > max_text_bytes)
    return DecodeError::OutOfRange;
  SimulationStart start;
  start.scene_file = source.scene_file()->str();
  start.scene_text = source.scene_text()->str();
  start.seed = source.seed();
  start.tick_rate_hz = static_cast<int>(source.tick_rate_hz());
  const auto* state = reinterpret_cast<const std::byte*>(source.state()->data());
  start.state.assign(state, state + source.state()->size());
  return start;
}

}  // namespace jostle::protocol
