// Fuzzes the firewall. Every accepted datagram must belong to the protocol that two EnetTransports
// speak, according to a second parser of ENet's protocol that shares no code with the firewall.
#include "shared/net/enet_firewall.h"

#include "shared/base/assert.h"
#include "shared/net/traffic_breakdown.h"
#include "tests/fuzz/fuzz_input.h"

#include <algorithm>

namespace jostle::net::fuzz_enet_firewall {
namespace {

using Bytes = std::span<const std::byte>;

std::uint32_t number(Bytes bytes, std::size_t at, std::size_t size) {
  JOSTLE_ASSERT(at + size <= bytes.size());
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

bool is_reliable(std::uint32_t channel) {
  return channel == 0 || channel == 2;
}

/// Checks the fields of CONNECT (48 bytes) or VERIFY_CONNECT (44 bytes). Only the parameters of
/// this project are allowed.
void check_terms(Bytes command, bool is_connect) {
  JOSTLE_ASSERT(number(command, 4, 2) < 0xFFF);
  for (const std::size_t at : {6U, 7U})
    JOSTLE_ASSERT(number(command, at, 1) <= 3 || (is_connect && number(command, at, 1) == 0xFF));
  JOSTLE_ASSERT(number(command, 8, 4) == 1'168);
  JOSTLE_ASSERT(number(command, 12, 4) >= 4'096 && number(command, 12, 4) <= 65'536);
  JOSTLE_ASSERT(number(command, 16, 4) == 4);
  JOSTLE_ASSERT(number(command, 20, 4) == 0 && number(command, 24, 4) == 0);
  JOSTLE_ASSERT(number(command, 28, 4) == 5'000 && number(command, 32, 4) == 32);
  JOSTLE_ASSERT(number(command, 36, 4) == 0);
}

/// Checks the fields that ENet trusts. ENet allocates `total` bytes and writes the payload at
/// `offset`.
void check_fragment(Bytes command, Bytes payload) {
  const std::uint32_t count = number(command, 8, 4), index = number(command, 12, 4);
  const std::uint32_t total = number(command, 16, 4), offset = number(command, 20, 4);
  JOSTLE_ASSERT(is_reliable(number(command, 1, 1)));
  JOSTLE_ASSERT(count >= 2 && count <= 16 && index < count && total <= 16'384);
  JOSTLE_ASSERT(offset == index * 1'140 && !payload.empty() && offset + payload.size() <= total);
  JOSTLE_ASSERT(index + 1 == count ? offset + payload.size() == total : payload.size() == 1'140);
  JOSTLE_ASSERT(number(command, 2, 2) == ((number(command, 4, 2) + index) & 0xFFFFU));
}

struct Reading {
  std::size_t commands = 0, messages = 0;
  std::size_t acknowledge_bytes = 0, message_bytes = 0;
};

/// Checks the command at the start of `rest`. Returns its length, including the payload.
std::size_t check_command(Bytes rest, bool has_time, Reading& reading) {
  constexpr std::size_t lengths[16] = {0, 8, 48, 44, 8, 4, 6, 0, 24, 8, 12, 0, 0, 0, 0, 0};
  const std::uint32_t code = number(rest, 0, 1) & 0x0FU, flags = number(rest, 0, 1) & 0xF0U;
  const std::uint32_t channel = number(rest, 1, 1);
  const std::size_t length = lengths[code];
  JOSTLE_ASSERT(length > 0 && length <= rest.size());
  const Bytes command = rest.first(length);
  // If a command requests an acknowledgement, ENet echoes the sent time of the header. It reads the
  // time even if the header has none.
  if ((flags & 0x80U) != 0) JOSTLE_ASSERT(has_time);
  std::size_t payload_bytes = 0;
  switch (code) {
    case 1:
      JOSTLE_ASSERT(flags == 0 && number(command, 2, 2) == number(command, 4, 2));
      JOSTLE_ASSERT(channel == 0xFF || is_reliable(channel));
      reading.acknowledge_bytes += length;
      break;
    case 2:
    case 3:
      JOSTLE_ASSERT(flags == 0x80 && channel == 0xFF);
      check_terms(command, code == 2);
      JOSTLE_ASSERT(reading.commands == 0 && rest.size() == length);
      break;
    case 6:
    case 8:
      JOSTLE_ASSERT(flags == 0x80 && is_reliable(channel));
      payload_bytes = number(command, code == 6 ? 4 : 6, 2);
      JOSTLE_ASSERT(payload_bytes <= 1'140);
      break;
    case 9:
      JOSTLE_ASSERT(flags == 0x40 && (channel == 1 || channel == 3));
      payload_bytes = number(command, 6, 2);
      JOSTLE_ASSERT(payload_bytes <= max_unreliable_bytes);
      break;
    case 10:
      JOSTLE_ASSERT(flags == 0x80 && channel == 0xFF);
      JOSTLE_ASSERT(number(command, 4, 4) == 0 && number(command, 8, 4) == 0);
      break;
    default:
      JOSTLE_ASSERT(code == 4 || code == 5);
      JOSTLE_ASSERT(channel == 0xFF && (flags == 0x80 || (code == 4 && flags == 0x40)));
  }
  JOSTLE_ASSERT(payload_bytes <= rest.size() - length);
  if (code == 8) check_fragment(command, rest.subspan(length, payload_bytes));
  reading.message_bytes += payload_bytes;
  if (payload_bytes > 0 && (code != 8 || number(command, 12, 4) == 0)) ++reading.messages;
  ++reading.commands;
  return length + payload_bytes;
}

Reading check_accepted(Bytes datagram) {
  JOSTLE_ASSERT(datagram.size() <= 1'168);
  const std::uint32_t word = number(datagram, 0, 2);
  JOSTLE_ASSERT((word & 0x4000U) == 0);  // the compression flag
  const bool has_time = (word & 0x8000U) != 0, is_from_unknown = (word & 0xFFFU) == 0xFFF;
  std::size_t at = has_time ? 4 : 2;
  JOSTLE_ASSERT(at < datagram.size());
  const bool is_connect = (number(datagram, at, 1) & 0x0FU) == 2;
  JOSTLE_ASSERT(is_from_unknown == is_connect);
  JOSTLE_ASSERT(connect_id(datagram).has_value() == is_connect);
  Reading reading;
  while (at < datagram.size())
    at += check_command(datagram.subspan(at), has_time, reading);
  JOSTLE_ASSERT(at == datagram.size() && reading.commands <= 32);
  return reading;
}

/// Checks that TrafficBreakdown counts every byte once.
void check_ledger(Bytes datagram, const Reading& reading) {
  TrafficBreakdown ledger;
  ledger.add(datagram);
  JOSTLE_ASSERT(ledger.refused_bytes == 0 && ledger.datagrams == 1);
  JOSTLE_ASSERT(ledger.total_bytes() == ledger.ip_bytes + ledger.seal_bytes + datagram.size());
  JOSTLE_ASSERT(ledger.message_bytes() == reading.message_bytes);
  JOSTLE_ASSERT(ledger.acknowledge_bytes == reading.acknowledge_bytes);
  std::uint64_t messages = 0;
  for (const TrafficBreakdown::Kind& kind : ledger.kinds)
    messages += kind.messages;
  JOSTLE_ASSERT(messages == reading.messages);
  std::uint64_t listed = 0;
  for (const TrafficLine& line : lines_of(ledger))
    listed += line.bytes;
  JOSTLE_ASSERT(listed == ledger.total_bytes());
}

}  // namespace

JOSTLE_FUZZ_TARGET(enet_firewall, data, size) {
  const std::vector<std::byte> datagram = fuzz::copy_of(std::as_bytes(std::span(data, size)));
  const DatagramVerdict verdict = inspect(datagram);
  JOSTLE_ASSERT(verdict == inspect(datagram) && verdict <= DatagramVerdict::BadFragment);
  if (verdict == DatagramVerdict::Accepted) check_ledger(datagram, check_accepted(datagram));
  return 0;
}

}  // namespace jostle::net::fuzz_enet_firewall
