#include "protocol/input_codec.h"

#include "protocol/detail/checks.h"
#include "protocol/detail/identifiers.h"
#include "protocol/detail/message_bytes.h"
#include "protocol/detail/verified_root.h"
#include "protocol/limits.h"
#include "protocol/schema/input_generated.h"
#include "protocol/text.h"
#include "shared/base/assert.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <optional>

namespace jostle::protocol {
namespace {

/// Maximum number of tables: the root, and one join for each possible player id.
constexpr flatbuffers::uoffset_t max_join_tables = 1 + 0x1'0000;

enum class CommandKind : std::uint8_t { Join = 0, Leave = 1, Control = 2, Input = 3 };

wire::Vec3 to_wire(const math::Vec3& v) {
  return {v.x, v.y, v.z};
}
math::Vec3 from_wire(const wire::Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

/// Inputs, their actions and their custom bytes as the flat lists of a message.
struct InputLists {
  std::vector<wire::Input> inputs;
  std::vector<wire::Action> actions;
  std::vector<std::uint8_t> custom;

  void add(const state::PlayerInput& input) {
    inputs.emplace_back(input.tick.number, input.move_x, input.move_z, input.buttons,
                        static_cast<std::uint8_t>(input.actions.size()),
                        static_cast<std::uint8_t>(input.custom.size()));
    for (const state::Action& action : input.actions) {
      actions.emplace_back(static_cast<std::uint32_t>(action.kind), action.body.value,
                           to_wire(action.point), to_wire(action.vector));
    }
    for (const std::byte byte : input.custom)
      custom.push_back(std::to_integer<std::uint8_t>(byte));
  }
};

template <typename T>
using Structs = flatbuffers::Vector<const T*>;

// Empty lists are omitted to save bytes in every packet.
template <typename T>
flatbuffers::Offset<Structs<T>> write_structs(flatbuffers::FlatBufferBuilder& builder,
                                              const std::vector<T>& list) {
  if (list.empty()) return {};
  return builder.CreateVectorOfStructs(list);
}
template <typename T>
flatbuffers::Offset<flatbuffers::Vector<T>> write_list(flatbuffers::FlatBufferBuilder& builder,
                                                       const std::vector<T>& list) {
  if (list.empty()) return {};
  return builder.CreateVector(list);
}

/// A reader of the inputs in the lists of a verified message. The pointers may be null.
class InputSource {
 public:
  InputSource(const Structs<wire::Input>* inputs, const Structs<wire::Action>* actions,
              const flatbuffers::Vector<std::uint8_t>* custom)
      : inputs_(inputs), actions_(actions), custom_(custom) {}

  std::uint32_t input_count() const { return inputs_ == nullptr ? 0 : inputs_->size(); }

  /// Returns the next input; null if the lists are too short or if one of the input's counts
  /// exceeds its limit. Kinds of actions are not checked here.
  std::optional<state::PlayerInput> take() {
    if (next_input_ >= input_count()) return {};
    const wire::Input& source = *inputs_->Get(next_input_++);
    if (source.action_count() > state::max_actions_per_input ||
        source.custom_count() > state::max_custom_bytes ||
        source.action_count() > action_count() - next_action_ ||
        source.custom_count() > custom_count() - next_custom_)
      return {};
    state::PlayerInput input;
    input.tick = {source.tick()};
    input.move_x = source.move_x();
    input.move_z = source.move_z();
    input.buttons = source.buttons();
    for (int i = 0; i < source.action_count(); ++i) {
      const wire::Action& action = *actions_->Get(next_action_++);
      // Clamp, so that larger values do not wrap around to a valid kind.
      const auto kind = static_cast<std::uint8_t>(std::min<std::uint32_t>(action.kind(), 255));
      input.actions.push_back({static_cast<state::ActionKind>(kind),
                               {action.body()},
                               from_wire(action.point()),
                               from_wire(action.vector())});
    }
    for (int i = 0; i < source.custom_count(); ++i)
      input.custom.push_back(std::byte{custom_->Get(next_custom_++)});
    return input;
  }

  bool at_end() const {
    return next_input_ == input_count() && next_action_ == action_count() &&
           next_custom_ == custom_count();
  }

 private:
  std::uint32_t action_count() const { return actions_ == nullptr ? 0 : actions_->size(); }
  std::uint32_t custom_count() const { return custom_ == nullptr ? 0 : custom_->size(); }

  const Structs<wire::Input>* inputs_;
  const Structs<wire::Action>* actions_;
  const flatbuffers::Vector<std::uint8_t>* custom_;
  std::uint32_t next_input_ = 0, next_action_ = 0, next_custom_ = 0;
};

/// A reader of the commands in the lists of a verified message, whose pointers may be null.
class CommandSource {
 public:
  explicit CommandSource(const wire::TickCommands& source)
      : source_(source), inputs_(source.inputs(), source.actions(), source.custom()) {}

  std::optional<state::Command> take(std::uint8_t kind) {
    switch (static_cast<CommandKind>(kind)) {
      case CommandKind::Join:
        return take_join();
      case CommandKind::Leave:
        if (source_.leaves() == nullptr || next_leave_ >= source_.leaves()->size()) return {};
        return state::LeaveCommand{{source_.leaves()->Get(next_leave_++)}};
      case CommandKind::Control:
        return take_control();
      case CommandKind::Input:
        return take_input();
    }
    return {};
  }

  bool at_end() const {
    const auto size = [](const auto* list) { return list == nullptr ? 0 : list->size(); };
    return next_join_ == size(source_.joins()) && next_leave_ == size(source_.leaves()) &&
           next_control_ == size(source_.controls()) &&
           next_player_ == size(source_.input_players()) && inputs_.at_end();
  }

 private:
  std::optional<state::Command> take_join() {
    if (source_.joins() == nullptr || next_join_ >= source_.joins()->size()) return {};
    const wire::Join& join = *source_.joins()->Get(next_join_++);
    if (join.name() == nullptr) return {};
    const std::string_view name(join.name()->c_str(), join.name()->size());
    if (!is_wire_text(name, max_name_bytes)) return {};
    return state::JoinCommand{{join.player()}, std::string(name)};
  }
  std::optional<state::Command> take_control() {
    if (source_.controls() == nullptr || next_control_ >= source_.controls()->size()) return {};
    const wire::ControlCommand& control = *source_.controls()->Get(next_control_++);
    if (control.kind() >= state::control_kind_count) return {};
    return state::ControlCommand{static_cast<state::ControlKind>(control.kind()), control.count()};
  }
  std::optional<state::Command> take_input() {
    if (source_.input_players() == nullptr || next_player_ >= source_.input_players()->size())
      return {};
    std::optional<state::PlayerInput> input = inputs_.take();
    if (!input) return {};
    return state::InputCommand{{source_.input_players()->Get(next_player_++)}, std::move(*input)};
  }

  const wire::TickCommands& source_;
  InputSource inputs_;
  std::uint32_t next_join_ = 0, next_leave_ = 0, next_control_ = 0, next_player_ = 0;
};

std::vector<std::byte> encode_newest(const InputPacket& packet, std::size_t skipped) {
  InputLists lists;
  for (std::size_t i = skipped; i < packet.inputs.size(); ++i)
    lists.add(packet.inputs[i]);
  std::vector<wire::PartAck> partial;
  for (const PartAck& ack : packet.ack.partial) {
    partial.emplace_back(ack.tick.number, static_cast<std::uint32_t>(ack.parts),
                         static_cast<std::uint32_t>(ack.parts >> 32));
  }
  const wire::AckHead head(packet.ack.newest.number, packet.ack.history);
  std::optional<wire::FrameReport> frames;
  if (const auto& sent = packet.frames) {
    frames.emplace(sent->newest.number, sent->hashed.number, static_cast<std::uint32_t>(sent->hash),
                   static_cast<std::uint32_t>(sent->hash >> 32));
  }

  flatbuffers::FlatBufferBuilder builder(max_client_message_bytes);
  const auto custom = write_list(builder, lists.custom);
  const auto actions = write_structs(builder, lists.actions);
  const auto inputs = write_structs(builder, lists.inputs);
  const auto partials = write_structs(builder, partial);
  builder.Finish(wire::CreateInputPacket(builder, &head, partials, inputs, actions, custom,
                                         frames ? &*frames : nullptr),
                 detail::packet_identifier);
  return detail::to_bytes(builder);
}

}  // namespace

std::vector<std::byte> encode_input(const InputPacket& packet) {
  const std::size_t count = packet.inputs.size();
  std::size_t skipped = count > max_inputs_per_packet ? count - max_inputs_per_packet : 0;
  for (std::size_t i = 0; i < count; ++i) {
    JOSTLE_ASSERT(i == 0 || packet.inputs[i - 1].tick < packet.inputs[i].tick);
    JOSTLE_ASSERT(!detail::check(packet.inputs[i]));
  }
  JOSTLE_ASSERT(!detail::check(packet.ack));
  std::vector<std::byte> bytes = encode_newest(packet, skipped);
  while (bytes.size() > max_client_message_bytes)
    bytes = encode_newest(packet, ++skipped);
  return bytes;
}

base::Result<InputPacket, DecodeError> decode_input(std::span<const std::byte> bytes) {
  if (bytes.size() > max_client_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(bytes);
  const auto* source =
      detail::verified_root<wire::InputPacket>(message, bytes.size(), detail::packet_identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->ack() == nullptr) return DecodeError::Malformed;

  InputPacket packet;
  packet.ack.newest = {source->ack()->newest()};
  packet.ack.history = source->ack()->history();
  if (source->partial() != nullptr) {
    if (source->partial()->size() > max_partial_acks) return DecodeError::OutOfRange;
    for (const wire::PartAck* ack : *source->partial()) {
      packet.ack.partial.push_back(
          {{ack->tick()}, std::uint64_t{ack->parts_high()} << 32 | ack->parts_low()});
    }
  }
  InputSource inputs(source->inputs(), source->actions(), source->custom());
  if (inputs.input_count() > max_inputs_per_packet) return DecodeError::OutOfRange;
  for (std::uint32_t i = 0; i < inputs.input_count(); ++i) {
    std::optional<state::PlayerInput> input = inputs.take();
    if (!input) return DecodeError::OutOfRange;
    packet.inputs.push_back(std::move(*input));
  }
  if (!inputs.at_end()) return DecodeError::Malformed;
  if (const wire::FrameReport* const sent = source->frames()) {
    packet.frames = FrameReport{{sent->newest()},
                                {sent->hashed()},
                                std::uint64_t{sent->hash_high()} << 32 | sent->hash_low()};
  }
  if (const auto fault = detail::check(packet)) return *fault;
  return packet;
}

std::vector<std::byte> encode_commands(const state::TickCommands& commands) {
  JOSTLE_ASSERT(!detail::check(commands));
  flatbuffers::FlatBufferBuilder builder;
  std::vector<std::uint8_t> kinds;
  std::vector<flatbuffers::Offset<wire::Join>> joins;
  std::vector<std::uint16_t> leaves, input_players;
  std::vector<wire::ControlCommand> controls;
  InputLists lists;
  for (const state::Command& command : commands.commands) {
    const auto add_kind = [&](CommandKind kind) {
      kinds.push_back(static_cast<std::uint8_t>(kind));
    };
    if (const auto* join = std::get_if<state::JoinCommand>(&command)) {
      JOSTLE_ASSERT(is_wire_text(join->name, max_name_bytes));
      add_kind(CommandKind::Join);
      joins.push_back(
          wire::CreateJoin(builder, join->player.value, builder.CreateString(join->name)));
    } else if (const auto* leave = std::get_if<state::LeaveCommand>(&command)) {
      add_kind(CommandKind::Leave);
      leaves.push_back(leave->player.value);
    } else if (const auto* control = std::get_if<state::ControlCommand>(&command)) {
      add_kind(CommandKind::Control);
      controls.emplace_back(static_cast<std::uint32_t>(control->kind), control->count);
    } else if (const auto* input = std::get_if<state::InputCommand>(&command)) {
      add_kind(CommandKind::Input);
      input_players.push_back(input->player.value);
      lists.add(input->input);
    }
  }
  const auto kinds_at = write_list(builder, kinds);
  const auto joins_at = write_list(builder, joins);
  const auto leaves_at = write_list(builder, leaves);
  const auto controls_at = write_structs(builder, controls);
  const auto players_at = write_list(builder, input_players);
  const auto inputs_at = write_structs(builder, lists.inputs);
  const auto actions_at = write_structs(builder, lists.actions);
  const auto custom_at = write_list(builder, lists.custom);
  builder.Finish(
      wire::CreateTickCommands(builder, commands.tick.number, kinds_at, joins_at, leaves_at,
                               controls_at, players_at, inputs_at, actions_at, custom_at),
      detail::commands_identifier);
  JOSTLE_ASSERT(builder.GetSize() <= max_commands_bytes);
  return detail::to_bytes(builder);
}

bool is_commands(std::span<const std::byte> bytes) {
  constexpr std::size_t identifier_end = 8;
  return bytes.size() >= identifier_end &&
         flatbuffers::BufferHasIdentifier(bytes.data(), detail::commands_identifier);
}

base::Result<state::TickCommands, DecodeError> decode_commands(std::span<const std::byte> bytes) {
  if (bytes.size() > max_commands_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(bytes);
  const auto* root = detail::verified_root<wire::TickCommands>(
      message, bytes.size(), detail::commands_identifier, {3, max_join_tables});
  if (root == nullptr) return DecodeError::Malformed;
  const auto& source = *root;

  state::TickCommands commands;
  commands.tick = {source.tick()};
  CommandSource list(source);
  if (source.kinds() != nullptr) {
    for (const std::uint8_t kind : *source.kinds()) {
      std::optional<state::Command> command = list.take(kind);
      if (!command) return DecodeError::OutOfRange;
      commands.commands.push_back(std::move(*command));
    }
  }
  if (!list.at_end()) return DecodeError::Malformed;
  if (const auto fault = detail::check(commands)) return *fault;
  return commands;
}

}  // namespace jostle::protocol
