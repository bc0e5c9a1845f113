#include "protocol/control_codec.h"

#include "protocol/detail/checks.h"
#include "protocol/detail/identifiers.h"
#include "protocol/detail/message_bytes.h"
#include "protocol/detail/verified_root.h"
#include "protocol/detail/world_change.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/schema/control_generated.h"
#include "protocol/text.h"
#include "shared/base/assert.h"

#include <flatbuffers/flatbuffers.h>

#include <optional>
#include <string_view>

namespace jostle::protocol {
namespace {

using flatbuffers::FlatBufferBuilder;
using DecodedControl = base::Result<ControlMessage, DecodeError>;

constexpr detail::TableLimits control_limits{.max_depth = 3, .max_tables = 2};

/// Returns the text of a field; null if it is missing, too long or not allowed on the wire.
std::optional<std::string> read_text(const flatbuffers::String* text, std::size_t max_bytes) {
  if (text == nullptr) return {};
  const std::string_view view(text->c_str(), text->size());
  if (!is_wire_text(view, max_bytes)) return {};
  return std::string(view);
}

/// Writer of the table of a message.
struct TableWriter {
  FlatBufferBuilder& builder;

  flatbuffers::Offset<flatbuffers::String> text(std::string_view value, std::size_t max_bytes) {
    return builder.CreateString(to_wire_text(value, max_bytes));
  }

  flatbuffers::Offset<void> operator()(const Hello& m) {
    const auto name = text(m.client_name, max_name_bytes);
    return wire::CreateHello(builder, m.version_major, m.version_minor, m.schema_hash,
                             m.priors_hash, static_cast<std::uint8_t>(m.role), name,
                             m.reconnect_token, static_cast<std::uint8_t>(m.profile))
        .Union();
  }
  flatbuffers::Offset<void> operator()(const Welcome& m) {
    const auto name = text(m.server_name, max_name_bytes);
    return wire::CreateWelcome(builder, m.player.value, m.tick_rate_hz, m.snapshot_interval_ticks,
                               m.tick.number, m.world_revision, name, m.reconnect_token)
        .Union();
  }
  flatbuffers::Offset<void> operator()(const Reject& m) {
    const auto words = text(m.text, max_text_bytes);
    return wire::CreateReject(builder, static_cast<std::uint8_t>(m.code), words).Union();
  }
  flatbuffers::Offset<void> operator()(const BlobAnnounce& m) {
    return wire::CreateBlobAnnounce(builder, m.content_hash, m.size,
                                    static_cast<std::uint8_t>(m.kind), m.content_size)
        .Union();
  }
  flatbuffers::Offset<void> operator()(const ControlRequest& m) {
    return wire::CreateControlRequest(builder, static_cast<std::uint8_t>(m.command.kind),
                                      m.command.count)
        .Union();
  }
  flatbuffers::Offset<void> operator()(const SceneListRequest&) {
    return wire::CreateSceneListRequest(builder).Union();
  }
  flatbuffers::Offset<void> operator()(const PredictionBaselineOffer& m) {
    return wire::CreatePredictionBaselineOffer(builder, m.hash, m.scene_hash).Union();
  }
  flatbuffers::Offset<void> operator()(const InspectRequest& m) {
    return wire::CreateInspectRequest(builder, m.layers, m.wants_statistics, m.body.value).Union();
  }
  flatbuffers::Offset<void> operator()(const SimulationRequest&) {
    return wire::CreateSimulationRequest(builder).Union();
  }
  flatbuffers::Offset<void> operator()(const SceneInfo& m) {
    const auto name = text(m.name, max_name_bytes);
    const auto description = text(m.description, max_text_bytes);
    return wire::CreateSceneInfo(builder, m.index, m.count, name, description).Union();
  }
  flatbuffers::Offset<void> operator()(const SceneRequest& m) {
    const auto name = text(m.name, max_name_bytes);
    return wire::CreateSceneRequest(builder, name).Union();
  }
  flatbuffers::Offset<void> operator()(const Notice& m) {
    const auto words = text(m.text, max_text_bytes);
    return wire::CreateNotice(builder, words).Union();
  }
  flatbuffers::Offset<void> operator()(const SceneStatus& m) {
    return wire::CreateSceneStatus(builder, m.is_paused, m.is_gravity_off, m.shoot_on_click,
                                   m.rate_percent)
        .Union();
  }
  flatbuffers::Offset<void> operator()(const SetInterest& m) {
    std::vector<std::uint32_t> ids;
    for (const state::BodyId id : m.bodies)
      ids.push_back(id.value);
    const auto bodies = builder.CreateVector(ids);
    const wire::Interest view(m.eye.x, m.eye.y, m.eye.z, m.forward.x, m.forward.y, m.forward.z,
                              m.half_angle, m.radius, m.max_bytes_per_second);
    return wire::CreateSetInterest(builder, &view, bodies).Union();
  }
};

wire::Message union_type(const PredictionBaselineOffer&) {
  return wire::Message::PredictionBaselineOffer;
}
wire::Message union_type(const InspectRequest&) {
  return wire::Message::InspectRequest;
}
wire::Message union_type(const SimulationRequest&) {
  return wire::Message::SimulationRequest;
}
wire::Message union_type(const Hello&) {
  return wire::Message::Hello;
}
wire::Message union_type(const Welcome&) {
  return wire::Message::Welcome;
}
wire::Message union_type(const Reject&) {
  return wire::Message::Reject;
}
wire::Message union_type(const BlobAnnounce&) {
  return wire::Message::BlobAnnounce;
}
wire::Message union_type(const ControlRequest&) {
  return wire::Message::ControlRequest;
}
wire::Message union_type(const SceneListRequest&) {
  return wire::Message::SceneListRequest;
}
wire::Message union_type(const SceneInfo&) {
  return wire::Message::SceneInfo;
}
wire::Message union_type(const SceneRequest&) {
  return wire::Message::SceneRequest;
}
wire::Message union_type(const Notice&) {
  return wire::Message::Notice;
}
wire::Message union_type(const SceneStatus&) {
  return wire::Message::SceneStatus;
}
wire::Message union_type(const SetInterest&) {
  return wire::Message::SetInterest;
}

template <typename M>
std::vector<std::byte> encode_table(const M& message) {
  JOSTLE_ASSERT(!detail::check(message));
  FlatBufferBuilder builder;
  const auto table = TableWriter{builder}(message);
  builder.Finish(wire::CreateControl(builder, union_type(message), table),
                 detail::control_identifier);
  return detail::to_bytes(builder);
}
std::vector<std::byte> encode_table(const state::WorldChange& change) {
  std::vector<std::byte> bytes = detail::encode_world_change(change);
  JOSTLE_ASSERT(bytes.size() <= max_control_message_bytes);
  return bytes;
}

std::vector<std::byte> encode_table(const state::TickCommands& commands) {
  std::vector<std::byte> bytes = encode_commands(commands);
  JOSTLE_ASSERT(bytes.size() <= max_control_message_bytes);
  return bytes;
}

template <typename M>
DecodedControl checked_control(const M& message) {
  if (const auto fault = detail::check(message)) return *fault;
  return ControlMessage(message);
}

DecodedControl read(const wire::Hello& source) {
  const auto name = read_text(source.client_name(), max_name_bytes);
  if (!name) return DecodeError::OutOfRange;
  return checked_control(Hello{source.version_major(), source.version_minor(), source.schema_hash(),
                               source.priors_hash(), static_cast<Role>(source.role()), *name,
                               source.reconnect_token(), static_cast<Profile>(source.profile())});
}
DecodedControl read(const wire::Welcome& source) {
  const auto name = read_text(source.server_name(), max_name_bytes);
  if (!name) return DecodeError::OutOfRange;
  return checked_control(Welcome{{source.player()},
                                 source.tick_rate_hz(),
                                 source.snapshot_interval_ticks(),
                                 {source.tick()},
                                 source.world_revision(),
                                 *name,
                                 source.reconnect_token()});
}
DecodedControl read(const wire::Reject& source) {
  const auto words = read_text(source.text(), max_text_bytes);
  if (!words) return DecodeError::OutOfRange;
  return checked_control(Reject{static_cast<RejectCode>(source.code()), *words});
}
DecodedControl read(const wire::BlobAnnounce& source) {
  return checked_control(BlobAnnounce{source.content_hash(), source.size(),
                                      static_cast<BlobKind>(source.kind()), source.content_size()});
}
DecodedControl read(const wire::ControlRequest& source) {
  return checked_control(
      ControlRequest{{static_cast<state::ControlKind>(source.kind()), source.count()}});
}
DecodedControl read(const wire::SceneInfo& source) {
  const auto name = read_text(source.name(), max_name_bytes);
  const auto description = read_text(source.description(), max_text_bytes);
  if (!name || !description) return DecodeError::OutOfRange;
  return checked_control(SceneInfo{source.index(), source.count(), *name, *description});
}
DecodedControl read(const wire::SceneRequest& source) {
  const auto name = read_text(source.name(), max_name_bytes);
  if (!name) return DecodeError::OutOfRange;
  return checked_control(SceneRequest{*name});
}
DecodedControl read(const wire::Notice& source) {
  const auto words = read_text(source.text(), max_text_bytes);
  if (!words) return DecodeError::OutOfRange;
  return checked_control(Notice{*words});
}
DecodedControl read(const wire::SetInterest& source) {
  if (source.interest() == nullptr || source.bodies() == nullptr) return DecodeError::Malformed;
  if (source.bodies()->size() > max_interest_bodies) return DecodeError::OutOfRange;
  const wire::Interest& view = *source.interest();
  SetInterest interest;
  interest.eye = {view.eye_x(), view.eye_y(), view.eye_z()};
  interest.forward = {view.forward_x(), view.forward_y(), view.forward_z()};
  interest.half_angle = view.half_angle();
  interest.radius = view.radius();
  interest.max_bytes_per_second = view.max_bytes_per_second();
  for (const std::uint32_t id : *source.bodies())
    interest.bodies.push_back({id});
  return checked_control(interest);
}

}  // namespace

std::vector<std::byte> encode_control(const ControlMessage& message) {
  return std::visit([](const auto& m) { return encode_table(m); }, message);
}

DecodedControl decode_control(std::span<const std::byte> bytes, std::size_t max_bytes) {
  if (bytes.size() > max_bytes) return DecodeError::TooLarge;
  if (detail::is_world_change(bytes)) {
    auto change = detail::decode_world_change(bytes);
    if (!change) return change.error();
    return ControlMessage(std::move(*change));
  }
  if (is_commands(bytes)) {
    auto commands = decode_commands(bytes);
    if (!commands) return commands.error();
    return ControlMessage(std::move(*commands));
  }
  const detail::AlignedBytes message(bytes);
  const auto* control = detail::verified_root<wire::Control>(
      message, bytes.size(), detail::control_identifier, control_limits);
  if (control == nullptr || control->message() == nullptr) return DecodeError::Malformed;
  switch (control->message_type()) {
    case wire::Message::Hello:
      return read(*control->message_as_Hello());
    case wire::Message::Welcome:
      return read(*control->message_as_Welcome());
    case wire::Message::Reject:
      return read(*control->message_as_Reject());
    case wire::Message::BlobAnnounce:
      return read(*control->message_as_BlobAnnounce());
    case wire::Message::ControlRequest:
      return read(*control->message_as_ControlRequest());
    case wire::Message::SceneListRequest:
      return ControlMessage(SceneListRequest{});
    case wire::Message::SceneInfo:
      return read(*control->message_as_SceneInfo());
    case wire::Message::SceneRequest:
      return read(*control->message_as_SceneRequest());
    case wire::Message::Notice:
      return read(*control->message_as_Notice());
    case wire::Message::SetInterest:
      return read(*control->message_as_SetInterest());
    case wire::Message::PredictionBaselineOffer: {
      const auto& source = *control->message_as_PredictionBaselineOffer();
      return ControlMessage(PredictionBaselineOffer{source.hash(), source.scene_hash()});
    }
    case wire::Message::InspectRequest: {
      const auto& source = *control->message_as_InspectRequest();
      return checked_control(
          InspectRequest{source.layers(), source.wants_statistics(), {source.body()}});
    }
    case wire::Message::SceneStatus: {
      const auto& source = *control->message_as_SceneStatus();
      return checked_control(SceneStatus{source.is_paused(), source.is_gravity_off(),
                                         source.shoot_on_click(), source.rate_percent()});
    }
    case wire::Message::SimulationRequest:
      return ControlMessage(SimulationRequest{});
    case wire::Message::NONE:
      break;
  }
  return DecodeError::Malformed;
}

bool fits_control_message(const state::WorldChange& change) {
  return detail::encode_world_change(change).size() <= max_control_message_bytes;
}

std::vector<std::byte> encode_chunk(const BlobChunk& chunk) {
  JOSTLE_ASSERT(!detail::check(chunk));
  FlatBufferBuilder builder(max_chunk_message_bytes);
  const auto bytes = builder.CreateVector(reinterpret_cast<const std::uint8_t*>(chunk.bytes.data()),
                                          chunk.bytes.size());
  builder.Finish(wire::CreateBlobChunk(builder, chunk.content_hash, chunk.offset, bytes),
                 detail::chunk_identifier);
  JOSTLE_ASSERT(builder.GetSize() <= max_chunk_message_bytes);
  return detail::to_bytes(builder);
}

base::Result<BlobChunk, DecodeError> decode_chunk(std::span<const std::byte> bytes) {
  if (bytes.size() > max_chunk_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(bytes);
  const auto* source = detail::verified_root<wire::BlobChunk>(
      message, bytes.size(), detail::chunk_identifier, control_limits);
  if (source == nullptr || source->bytes() == nullptr) return DecodeError::Malformed;
  BlobChunk chunk;
  chunk.content_hash = source->content_hash();
  chunk.offset = source->offset();
  const auto* data = reinterpret_cast<const std::byte*>(source->bytes()->data());
  chunk.bytes.assign(data, data + source->bytes()->size());
  if (const auto fault = detail::check(chunk)) return *fault;
  return chunk;
}

std::vector<std::byte> encode_ping(const TimePing& ping) {
  FlatBufferBuilder builder(max_time_message_bytes);
  const wire::Ping content(ping.client_send_us, ping.id);
  builder.Finish(wire::CreateTimePing(builder, &content), detail::ping_identifier);
  return detail::to_bytes(builder);
}

base::Result<TimePing, DecodeError> decode_ping(std::span<const std::byte> bytes) {
  if (bytes.size() > max_time_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(bytes);
  const auto* source = detail::verified_root<wire::TimePing>(
      message, bytes.size(), detail::ping_identifier, control_limits);
  if (source == nullptr || source->ping() == nullptr) return DecodeError::Malformed;
  return TimePing{source->ping()->id(), source->ping()->client_send_us()};
}

std::vector<std::byte> encode_pong(const TimePong& pong) {
  FlatBufferBuilder builder(max_time_message_bytes);
  const wire::Pong content(pong.client_send_us, pong.server_receive_us, pong.server_send_us,
                           pong.tick_due_us, pong.id, pong.tick.number, pong.durable_tick.number);
  builder.Finish(wire::CreateTimePong(builder, &content), detail::pong_identifier);
  return detail::to_bytes(builder);
}

base::Result<TimePong, DecodeError> decode_pong(std::span<const std::byte> bytes) {
  if (bytes.size() > max_time_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(bytes);
  const auto* source = detail::verified_root<wire::TimePong>(
      message, bytes.size(), detail::pong_identifier, control_limits);
  if (source == nullptr || source->pong() == nullptr) return DecodeError::Malformed;
  const wire::Pong& pong = *source->pong();
  return TimePong{
      pong.id(),     pong.client_send_us(), pong.server_receive_us(), pong.server_send_us(),
      {pong.tick()}, pong.tick_due_us(),    {pong.durable_tick()}};
}

}  // namespace jostle::protocol
