#include "protocol/lockstep_codec.h"

#include "protocol/detail/checks.h"
#include "protocol/detail/identifiers.h"
#include "protocol/detail/message_bytes.h"
#include "protocol/detail/verified_root.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/schema/lockstep_generated.h"
#include "protocol/text.h"
#include "shared/base/assert.h"
#include "shared/base/bytes.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace jostle::protocol {
namespace {

using flatbuffers::FlatBufferBuilder;

// --- Frames --------------------------------------------------------------------------------------

/// Encoding of a frame.
enum class FrameKind : std::uint8_t {
  Whole = 0,   // u16 size, then the bytes of encode_commands()
  Inputs = 1,  // u8 count, then inputs
  Same = 2,    // equal to the previous frame except for the ticks
};
/// Flags of an input: the fields that follow the player id. If `has_movement` is not set, the
/// movement is that of the same player in the previous frame, or zero if that frame has no input of
/// the player.
constexpr std::uint8_t has_movement = 1;
constexpr std::uint8_t has_actions = 2, has_custom = 4;

const state::PlayerInput* input_of(const state::TickCommands* frame, state::PlayerId player) {
  if (frame == nullptr) return nullptr;
  for (const state::Command& command : frame->commands) {
    const auto* input = std::get_if<state::InputCommand>(&command);
    if (input != nullptr && input->player == player) return &input->input;
  }
  return nullptr;
}

bool moves_as(const state::PlayerInput& a, const state::PlayerInput& b) {
  return a.move_x == b.move_x && a.move_z == b.move_z && a.buttons == b.buttons;
}

bool is_of_inputs(const state::TickCommands& frame) {
  return frame.commands.size() <= std::numeric_limits<std::uint8_t>::max() &&
         std::all_of(frame.commands.begin(), frame.commands.end(), [&](const auto& command) {
           const auto* input = std::get_if<state::InputCommand>(&command);
           return input != nullptr && input->input.tick == frame.tick;
         });
}

state::TickCommands with_tick(state::TickCommands frame, state::Tick tick) {
  frame.tick = tick;
  for (state::Command& command : frame.commands)
    if (auto* input = std::get_if<state::InputCommand>(&command)) input->input.tick = tick;
  return frame;
}

void write_vector(base::ByteWriter& writer, const math::Vec3& v) {
  writer.f32(v.x);
  writer.f32(v.y);
  writer.f32(v.z);
}

math::Vec3 read_vector(base::ByteReader& reader) {
  const float x = reader.f32(), y = reader.f32(), z = reader.f32();
  return {x, y, z};
}

void write_input(base::ByteWriter& writer, const state::InputCommand& command,
                 const state::TickCommands* before) {
  const state::PlayerInput& input = command.input;
  const state::PlayerInput* const last = input_of(before, command.player);
  const bool moves = !moves_as(input, last != nullptr ? *last : state::PlayerInput{});
  writer.u16(command.player.value);
  writer.u8(static_cast<std::uint8_t>((moves ? has_movement : 0) |
                                      (input.actions.empty() ? 0 : has_actions) |
                                      (input.custom.empty() ? 0 : has_custom)));
  if (moves) {
    writer.f32(input.move_x);
    writer.f32(input.move_z);
    writer.u16(input.buttons);
  }
  if (!input.actions.empty()) {
    writer.u8(static_cast<std::uint8_t>(input.actions.size()));
    for (const state::Action& action : input.actions) {
      writer.u8(static_cast<std::uint8_t>(action.kind));
      writer.u32(action.body.value);
      write_vector(writer, action.point);
      write_vector(writer, action.vector);
    }
  }
  if (input.custom.empty()) return;
  writer.u8(static_cast<std::uint8_t>(input.custom.size()));
  writer.raw(input.custom);
}

void write_frame(base::ByteWriter& writer, const state::TickCommands& frame,
                 const state::TickCommands* before) {
  if (before != nullptr && is_of_inputs(frame) && is_of_inputs(*before) &&
      with_tick(*before, frame.tick) == frame) {
    writer.u8(static_cast<std::uint8_t>(FrameKind::Same));
  } else if (is_of_inputs(frame)) {
    writer.u8(static_cast<std::uint8_t>(FrameKind::Inputs));
    writer.u8(static_cast<std::uint8_t>(frame.commands.size()));
    for (const state::Command& command : frame.commands)
      write_input(writer, std::get<state::InputCommand>(command), before);
  } else {
    const std::vector<std::byte> whole = encode_commands(frame);
    writer.u8(static_cast<std::uint8_t>(FrameKind::Whole));
    writer.u16(static_cast<std::uint16_t>(
        std::min<std::size_t>(whole.size(), std::numeric_limits<std::uint16_t>::max())));
    writer.raw(whole);
  }
}

state::InputCommand read_input(base::ByteReader& reader, state::Tick tick,
                               const state::TickCommands* before) {
  state::InputCommand command;
  state::PlayerInput& input = command.input;
  command.player = {reader.u16()};
  input.tick = tick;
  const std::uint8_t holds = reader.u8();
  if (holds > (has_movement | has_actions | has_custom)) reader.fail();
  if ((holds & has_movement) != 0) {
    input.move_x = reader.f32();
    input.move_z = reader.f32();
    input.buttons = reader.u16();
  } else if (const state::PlayerInput* const last = input_of(before, command.player)) {
    input.move_x = last->move_x;
    input.move_z = last->move_z;
    input.buttons = last->buttons;
  }
  const std::uint8_t actions = (holds & has_actions) != 0 ? reader.u8() : std::uint8_t{0};
  if (actions > state::max_actions_per_input) reader.fail();
  for (int i = 0; i < actions && reader.ok(); ++i) {
    state::Action action;
    action.kind = static_cast<state::ActionKind>(reader.u8());
    action.body = {reader.u32()};
    action.point = read_vector(reader);
    action.vector = read_vector(reader);
    input.actions.push_back(action);
  }
  const std::uint8_t custom = (holds & has_custom) != 0 ? reader.u8() : std::uint8_t{0};
  if (custom > state::max_custom_bytes) reader.fail();
  const auto bytes = reader.raw(custom);
  input.custom.assign(bytes.begin(), bytes.end());
  return command;
}

/// Reads a frame; returns null if it is invalid.
std::optional<state::TickCommands> read_frame(base::ByteReader& reader, state::Tick tick,
                                              const state::TickCommands* before) {
  state::TickCommands frame;
  frame.tick = tick;
  switch (static_cast<FrameKind>(reader.u8())) {
    case FrameKind::Same:
      if (before == nullptr || !is_of_inputs(*before)) return std::nullopt;
      return with_tick(*before, tick);
    case FrameKind::Inputs: {
      const std::uint8_t count = reader.u8();
      for (int i = 0; i < count && reader.ok(); ++i)
        frame.commands.emplace_back(read_input(reader, tick, before));
      if (!reader.ok() || detail::check(frame)) return std::nullopt;
      return frame;
    }
    case FrameKind::Whole: {
      const std::uint16_t size = reader.u16();
      auto whole = decode_commands(reader.raw(size));
      if (!whole || whole->tick != tick) return std::nullopt;
      return *std::move(whole);
    }
  }
  return std::nullopt;
}

std::vector<std::byte> finish_frames(const InputFrames& message, std::uint16_t count,
                                     const std::vector<std::byte>& frames) {
  FlatBufferBuilder builder(max_state_message_bytes);
  const wire::FramesHead head(message.server_send_us, message.frames.front().tick.number,
                              message.input_ack.number, message.input_margin_ticks, count);
  const auto bytes =
      builder.CreateVector(reinterpret_cast<const std::uint8_t*>(frames.data()), frames.size());
  builder.Finish(wire::CreateInputFrames(builder, &head, bytes), detail::frames_identifier);
  return detail::to_bytes(builder);
}

// --- Control -------------------------------------------------------------------------------------

std::optional<DecodeError> check(const LockstepRequest&) {
  return std::nullopt;
}
std::optional<DecodeError> check(const DesyncQuestion& question) {
  if (static_cast<std::uint8_t>(question.level) >= desync_level_count ||
      question.hashes.size() > desync_window_ticks)
    return DecodeError::OutOfRange;
  return std::nullopt;
}
std::optional<DecodeError> check(const DesyncAnswer& answer) {
  if (static_cast<std::uint8_t>(answer.level) >= desync_level_count ||
      answer.hashes.size() > max_desync_hashes || answer.numbers.size() > max_desync_numbers)
    return DecodeError::OutOfRange;
  return std::nullopt;
}
std::optional<DecodeError> check(const DesyncReport&) {
  return std::nullopt;
}

struct ContentWriter {
  FlatBufferBuilder& builder;

  flatbuffers::Offset<void> operator()(const LockstepRequest& m) {
    return wire::CreateLockstepRequest(builder, m.engine_hash).Union();
  }
  flatbuffers::Offset<void> operator()(const DesyncQuestion& m) {
    const auto hashes = builder.CreateVector(m.hashes);
    return wire::CreateDesyncQuestion(builder, static_cast<std::uint8_t>(m.level), m.tick.number,
                                      m.block, hashes)
        .Union();
  }
  flatbuffers::Offset<void> operator()(const DesyncAnswer& m) {
    std::vector<std::uint32_t> halves;
    for (const std::uint64_t number : m.numbers) {
      halves.push_back(static_cast<std::uint32_t>(number));
      halves.push_back(static_cast<std::uint32_t>(number >> 32));
    }
    const auto hashes = builder.CreateVector(m.hashes);
    const auto numbers = builder.CreateVector(halves);
    return wire::CreateDesyncAnswer(builder, static_cast<std::uint8_t>(m.level), m.tick.number,
                                    m.block, m.body.value, hashes, numbers)
        .Union();
  }
  flatbuffers::Offset<void> operator()(const DesyncReport& m) {
    const auto words = builder.CreateString(to_wire_text(m.text, max_text_bytes));
    return wire::CreateDesyncReport(builder, m.tick.number, m.body.value, words).Union();
  }
};

wire::LockstepContent content_type(const LockstepMessage& message) {
  constexpr std::array<wire::LockstepContent, std::variant_size_v<LockstepMessage>> types{
      wire::LockstepContent::LockstepRequest, wire::LockstepContent::DesyncQuestion,
      wire::LockstepContent::DesyncAnswer, wire::LockstepContent::DesyncReport};
  return types[message.index()];
}

using DecodedLockstep = base::Result<LockstepMessage, DecodeError>;

template <typename M>
DecodedLockstep checked_lockstep(M message) {
  if (const auto fault = check(message)) return *fault;
  return LockstepMessage(std::move(message));
}

template <typename List>
std::vector<std::uint32_t> read_list(const List* list) {
  if (list == nullptr) return {};
  return {list->begin(), list->end()};
}

DecodedLockstep read(const wire::DesyncQuestion& source) {
  return checked_lockstep(DesyncQuestion{static_cast<DesyncLevel>(source.level()),
                                         {source.tick()},
                                         source.block(),
                                         read_list(source.hashes())});
}

DecodedLockstep read(const wire::DesyncAnswer& source) {
  DesyncAnswer answer{static_cast<DesyncLevel>(source.level()),
                      {source.tick()},
                      source.block(),
                      {source.body()},
                      read_list(source.hashes()),
                      {}};
  const std::vector<std::uint32_t> halves = read_list(source.number_halves());
  if (halves.size() % 2 != 0) return DecodeError::OutOfRange;
  for (std::size_t i = 0; i < halves.size(); i += 2)
    answer.numbers.push_back(std::uint64_t{halves[i + 1]} << 32 | halves[i]);
  return checked_lockstep(std::move(answer));
}

DecodedLockstep read(const wire::DesyncReport& source) {
  if (source.text() == nullptr) return DecodeError::Malformed;
  const std::string_view words(source.text()->c_str(), source.text()->size());
  if (!is_wire_text(words, max_text_bytes)) return DecodeError::OutOfRange;
  return checked_lockstep(DesyncReport{{source.tick()}, {source.body()}, std::string(words)});
}

}  // namespace

EncodedFrames encode_frames(const InputFrames& message) {
  constexpr std::size_t head_bytes = 60;  // FlatBuffers' overhead around the frames
  JOSTLE_ASSERT(!message.frames.empty());
  base::ByteWriter writer;
  std::vector<std::byte> taken;
  std::uint16_t count = 0;
  for (const state::TickCommands& frame : message.frames) {
    write_frame(writer, frame, count == 0 ? nullptr : &message.frames[count - 1U]);
    const bool fits = writer.size() + head_bytes <= max_state_message_bytes;
    if (count > 0 && (!fits || count == max_frames_per_message)) break;
    taken = writer.bytes();
    ++count;
  }
  return {finish_frames(message, count, taken), count};
}

base::Result<InputFrames, DecodeError> decode_frames(std::span<const std::byte> bytes) {
  if (bytes.size() > max_state_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source =
      detail::verified_root<wire::InputFrames>(aligned, bytes.size(), detail::frames_identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->head() == nullptr || source->frames() == nullptr) return DecodeError::Malformed;
  const wire::FramesHead& head = *source->head();
  if (head.count() == 0 || head.count() > max_frames_per_message || head.first() == 0)
    return DecodeError::OutOfRange;
  InputFrames message;
  message.input_ack = {head.input_ack()};
  message.input_margin_ticks = head.input_margin_ticks();
  message.server_send_us = head.server_send_us();
  base::ByteReader reader(
      std::as_bytes(std::span(source->frames()->data(), source->frames()->size())));
  state::Tick tick{head.first()};
  for (int i = 0; i < head.count(); ++i, tick = tick + 1) {
    auto frame = read_frame(reader, tick, i == 0 ? nullptr : &message.frames.back());
    if (!frame) return DecodeError::Malformed;
    message.frames.push_back(*std::move(frame));
  }
  if (!reader.at_end()) return DecodeError::Malformed;
  return message;
}

std::vector<std::byte> encode_lockstep(const LockstepMessage& message) {
  std::visit([](const auto& m) { JOSTLE_ASSERT(!check(m)); }, message);
  FlatBufferBuilder builder;
  const auto content = std::visit(ContentWriter{builder}, message);
  builder.Finish(wire::CreateLockstepMessage(builder, content_type(message), content),
                 detail::lockstep_identifier);
  return detail::to_bytes(builder);
}

bool is_lockstep(std::span<const std::byte> bytes) {
  constexpr std::size_t identifier_end = 8;
  return bytes.size() >= identifier_end &&
         flatbuffers::BufferHasIdentifier(bytes.data(), detail::lockstep_identifier);
}

base::Result<LockstepMessage, DecodeError> decode_lockstep(std::span<const std::byte> bytes) {
  if (bytes.size() > max_control_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source = detail::verified_root<wire::LockstepMessage>(
      aligned, bytes.size(), detail::lockstep_identifier, {3, 2});
  if (source == nullptr) return DecodeError::Malformed;
  if (source->content() == nullptr) return DecodeError::Malformed;
  switch (source->content_type()) {
    case wire::LockstepContent::LockstepRequest:
      return checked_lockstep(LockstepRequest{source->content_as_LockstepRequest()->engine_hash()});
    case wire::LockstepContent::DesyncQuestion:
      return read(*source->content_as_DesyncQuestion());
    case wire::LockstepContent::DesyncAnswer:
      return read(*source->content_as_DesyncAnswer());
    case wire::LockstepContent::DesyncReport:
      return read(*source->content_as_DesyncReport());
    case wire::LockstepContent::NONE:
      break;
  }
  return DecodeError::Malformed;
}

}  // namespace jostle::protocol
