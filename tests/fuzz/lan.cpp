// Fuzzes the datagrams of LAN discovery: arbitrary bytes, valid datagrams with some bytes changed,
// and arbitrary texts in them.
#include "shared/base/assert.h"
#include "shared/base/printable.h"
#include "shared/lan/lan_wire.h"
#include "tests/fuzz/fuzz_input.h"

#include <algorithm>
#include <string_view>

namespace jostle::lan::fuzz_lan {
namespace {

using fuzz::FuzzInput;
using Bytes = std::vector<std::byte>;

/// Checks that accepted bytes are the only encoding of their contents, and that the texts are
/// printable.
void decode_both(std::span<const std::byte> bytes) {
  const auto probe = decode_probe(bytes);
  if (probe) JOSTLE_ASSERT(std::ranges::equal(encode(*probe), bytes));
  if (!probe) JOSTLE_ASSERT(!describe(probe.error()).empty());
  const auto answer = decode_answer(bytes);
  if (!answer) {
    JOSTLE_ASSERT(!describe(answer.error()).empty());
    return;
  }
  JOSTLE_ASSERT(!probe);
  JOSTLE_ASSERT(std::ranges::equal(encode(*answer), bytes));
  JOSTLE_ASSERT(base::printable(answer->facts.name) == answer->facts.name);
  JOSTLE_ASSERT(base::printable(answer->facts.scene) == answer->facts.scene);
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Encodes an answer with arbitrary names, and checks that it can be decoded.
Bytes answer_of(FuzzInput& input) {
  DiscoveryResponse answer{.nonce = input.u64(), .instance = input.u64(), .facts = {}};
  ServerInfo& facts = answer.facts;
  facts.port = std::max<std::uint16_t>(input.u16(), 1);
  facts.access = static_cast<secure::AccessMode>(input.choice(3));
  facts.players = input.u16();
  facts.name = fitted(text_of(input.block()), max_name_bytes);
  facts.scene = fitted(text_of(input.block()), max_scene_bytes);
  const Bytes bytes = encode(answer);
  const auto again = decode_answer(bytes);
  JOSTLE_ASSERT(again && again->facts.name == facts.name && again->facts.scene == facts.scene);
  return bytes;
}

void change(Bytes& bytes, FuzzInput& input) {
  for (int i = 0; i < 4 && !input.is_empty(); ++i)
    bytes[input.u16() % bytes.size()] = static_cast<std::byte>(input.u8());
}

}  // namespace

JOSTLE_FUZZ_TARGET(lan, data, size) {
  fuzz::FuzzInput input(data, size);
  switch (input.choice(4)) {
    case 0: {
      std::vector<std::byte> bytes = answer_of(input);
      change(bytes, input);
      decode_both(bytes);
      break;
    }
    case 1: {
      std::vector<std::byte> bytes = encode(DiscoveryRequest{.nonce = input.u64()});
      change(bytes, input);
      decode_both(bytes);
      break;
    }
    default:
      decode_both(fuzz::copy_of(input.rest()));
      break;
  }
  return 0;
}

}  // namespace jostle::lan::fuzz_lan
