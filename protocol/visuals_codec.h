#pragma once

#include "protocol/decode_error.h"
#include "shared/base/result.h"
#include "shared/state/label.h"
#include "shared/state/particle_frame.h"
#include "shared/state/rope.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol {

// Messages of the State channel for particles, labels, values and ropes, which are displayed in
// addition to bodies. Each message is decoded independently; a lost one is replaced by the next.

/// A message with some of the particles of a frame.
struct ParticlePart {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  std::uint8_t part = 0, parts = 1;
  std::vector<state::ParticleGroup> groups;

  bool operator==(const ParticlePart&) const = default;
};

/// Kind of a message on the State channel.
enum class StateMessage : std::uint8_t {
  Snapshot,
  Particles,
  Labels,
  Values,
  Ropes,
  Frames,
  DebugDraw,
  Statistics,
  BodyReport
};
/// Returns the kind of a message by its file identifier; Snapshot if the identifier is unknown or
/// missing.
StateMessage kind_of_state_message(std::span<const std::byte> bytes);

/// Encodes a frame as one or more messages of at most max_state_message_bytes each. Positions are
/// rounded to 1/512 m. If the particles of a message span more than 128 m, they are rounded to
/// 2^n/512 m with the smallest n for which the span takes at most 65,535 steps. Velocities are
/// rounded to 1/127 of the largest velocity component of their group in the message. Particles more
/// than 4,000 km from the origin along an axis are left out.
std::vector<std::vector<std::byte>> encode_particles(const state::ParticleFrame& frame);
base::Result<ParticlePart, DecodeError> decode_particles(std::span<const std::byte> bytes);

std::vector<std::byte> encode_labels(const state::Labels& labels);
base::Result<state::Labels, DecodeError> decode_labels(std::span<const std::byte> bytes);

/// Encodes the values of rules that a client sees. Contract: there are at most
/// state::max_shown_values, with names and texts within the limits of state::Label.
std::vector<std::byte> encode_values(const state::Labels& values);
base::Result<state::Labels, DecodeError> decode_values(std::span<const std::byte> bytes);

/// Maximum number of ropes in one message.
inline constexpr std::size_t max_message_ropes = 28;
std::vector<std::byte> encode_ropes(const state::Ropes& ropes);
base::Result<state::Ropes, DecodeError> decode_ropes(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
