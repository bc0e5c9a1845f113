#pragma once

#include "protocol/decode_error.h"
#include "protocol/messages.h"

#include <optional>
#include <span>

namespace jostle::protocol::detail {

// Limits of messages, shared by encoders and decoders: an encoder asserts that `check` finds no
// error, a decoder returns the error. Text lengths are not checked here, because encoders shorten
// texts.

std::optional<DecodeError> check(const state::PlayerInput& input);
std::optional<DecodeError> check(const SnapshotAck& ack);
std::optional<DecodeError> check(const InputPacket& packet);
std::optional<DecodeError> check(const state::ControlCommand& command);
std::optional<DecodeError> check(const state::TickCommands& commands);

std::optional<DecodeError> check(const Hello& hello);
std::optional<DecodeError> check(const Welcome& welcome);
std::optional<DecodeError> check(const Reject& reject);
std::optional<DecodeError> check(const BlobAnnounce& announce);
std::optional<DecodeError> check(const ControlRequest& request);
std::optional<DecodeError> check(const SceneListRequest& request);
std::optional<DecodeError> check(const SceneInfo& info);
std::optional<DecodeError> check(const SceneRequest& request);
std::optional<DecodeError> check(const Notice& notice);
std::optional<DecodeError> check(const SceneStatus& status);
std::optional<DecodeError> check(const SetInterest& interest);
std::optional<DecodeError> check(const SimulationRequest& request);
std::optional<DecodeError> check(const PredictionBaselineOffer& offer);
std::optional<DecodeError> check(const InspectRequest& request);
std::optional<DecodeError> check(const BlobChunk& chunk);

std::optional<DecodeError> check(const state::Shape& shape);
/// Checks each body, the number of bodies and shapes, and that ids ascend.
std::optional<DecodeError> check(std::span<const state::BodyInfo> bodies);
std::optional<DecodeError> check(const state::WorldDef& world);
std::optional<DecodeError> check(const state::WorldChange& change);

}  // namespace jostle::protocol::detail
