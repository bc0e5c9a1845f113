// Fuzzes the decoders of a server for its clients' messages, on each channel. The first byte
// selects the decoder.
#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/read_again.h"

#include <algorithm>
#include <cmath>

namespace jostle::protocol::fuzz_client_to_server {
namespace {

using Bytes = std::span<const std::byte>;

void read_control(Bytes bytes) {
  const auto decode = [](Bytes message) {
    return decode_control(message, max_client_message_bytes);
  };
  const auto message = decode(bytes);
  if (!message) return;
  JOSTLE_ASSERT(bytes.size() <= max_client_message_bytes);
  // Fields may share bytes in the input, but not in the encoder's output. The output may therefore
  // be longer than the input, so the limit is larger.
  const auto again = decode_control(encode_control(*message), max_control_message_bytes);
  JOSTLE_ASSERT(again.has_value() && *again == *message);
}

void check_input(const state::PlayerInput& input) {
  JOSTLE_ASSERT(std::isfinite(input.move_x) && std::isfinite(input.move_z));
  JOSTLE_ASSERT(std::hypot(input.move_x, input.move_z) <= max_move_length + 1e-6f);
  JOSTLE_ASSERT(input.actions.size() <= state::max_actions_per_input);
  JOSTLE_ASSERT(input.custom.size() <= state::max_custom_bytes);
  for (const state::Action& action : input.actions) {
    JOSTLE_ASSERT(math::is_finite(action.point) && math::is_finite(action.vector));
    JOSTLE_ASSERT(static_cast<std::uint8_t>(action.kind) < state::action_kind_count);
  }
}

void read_input(Bytes bytes) {
  const auto packet = decode_input(bytes);
  if (!packet) return;
  JOSTLE_ASSERT(packet->inputs.size() <= max_inputs_per_packet);
  JOSTLE_ASSERT(packet->ack.partial.size() <= max_partial_acks);
  for (std::size_t i = 0; i < packet->inputs.size(); ++i) {
    check_input(packet->inputs[i]);
    JOSTLE_ASSERT(i == 0 || packet->inputs[i - 1].tick < packet->inputs[i].tick);
  }
  // The encoder omits the oldest inputs if they do not fit.
  const std::vector<std::byte> encoded = encode_input(*packet);
  JOSTLE_ASSERT(encoded.size() <= max_client_message_bytes);
  const auto again = decode_input(encoded);
  JOSTLE_ASSERT(again.has_value() && again->ack == packet->ack && again->frames == packet->frames);
  JOSTLE_ASSERT(again->inputs.size() <= packet->inputs.size());
  JOSTLE_ASSERT(std::equal(again->inputs.rbegin(), again->inputs.rend(), packet->inputs.rbegin()));
}

void read_commands(Bytes bytes) {
  const bool is_accepted = fuzz::reads_again(bytes, decode_commands, encode_commands);
  if (is_accepted) JOSTLE_ASSERT(is_commands(bytes));
}

}  // namespace

JOSTLE_FUZZ_TARGET(client_to_server, data, size) {
  fuzz::FuzzInput input(data, size);
  const std::size_t kind = input.choice(5);
  const std::vector<std::byte> bytes = fuzz::copy_of(input.rest());
  switch (kind) {
    case 0:
      read_control(bytes);
      break;
    case 1:
      read_input(bytes);
      break;
    case 2:
      fuzz::reads_again(bytes, decode_ping, encode_ping);
      break;
    case 3:
      read_commands(bytes);
      break;
    case 4: {
      const bool is_accepted = fuzz::reads_again(bytes, decode_lockstep, encode_lockstep);
      if (is_accepted) JOSTLE_ASSERT(is_lockstep(bytes));
      break;
    }
  }
  return 0;
}

}  // namespace jostle::protocol::fuzz_client_to_server
