#include "shared/net/traffic_breakdown.h"

#include "shared/net/detail/enet_wire.h"
#include "shared/secure/sealed_datagram.h"

#include <algorithm>
#include <cstring>

namespace jostle::net {
namespace {

constexpr std::size_t ip_datagram_bytes = 20 + 8;
constexpr std::array<char, 4> no_letters{'.', '.', '.', '.'};
constexpr std::size_t letters_at = 4;

std::array<char, 4> letters_of(std::span<const std::byte> payload, bool has_beginning) {
  if (!has_beginning || payload.size() < letters_at + 4) return no_letters;
  std::array<char, 4> letters{};
  std::memcpy(letters.data(), payload.data() + letters_at, letters.size());
  const bool is_readable =
      std::all_of(letters.begin(), letters.end(), [](char c) { return c >= '0' && c <= 'z'; });
  return is_readable ? letters : no_letters;
}

}  // namespace

void TrafficBreakdown::add(std::span<const std::byte> enet_datagram) {
  ++datagrams;
  ip_bytes += ip_datagram_bytes;
  seal_bytes += secure::sealed_overhead_bytes;
  const std::size_t head = detail::header_bytes(detail::Fields{enet_datagram}.u16(0));
  frame_bytes += head;
  for (std::span<const std::byte> rest = enet_datagram.subspan(head); !rest.empty();) {
    const detail::Fields fields{rest};
    const std::uint8_t command = fields.u8(0) & detail::command_mask;
    const std::size_t fixed = std::min(detail::command_bytes[command], rest.size());
    if (fixed == 0) {
      refused_bytes += rest.size();
      return;
    }
    const std::size_t payload =
        std::min(detail::payload_bytes(command, fields), rest.size() - fixed);
    const bool is_fragment = command == detail::SendFragment;
    if (command == detail::Acknowledge) {
      acknowledge_bytes += fixed;
    } else if (payload == 0) {
      connection_bytes += fixed;
    } else {
      frame_bytes += fixed;
      add_message(rest.subspan(fixed, payload), !is_fragment || fields.u32(12) == 0);
    }
    rest = rest.subspan(fixed + payload);
  }
}

void TrafficBreakdown::add_message(std::span<const std::byte> payload, bool has_beginning) {
  const std::array<char, 4> letters = letters_of(payload, has_beginning);
  const auto is_free_or_same = [&](const Kind& kind) {
    return kind.bytes == 0 || kind.letters == letters;
  };
  auto kind = std::find_if(kinds.begin(), kinds.end(), is_free_or_same);
  // Peers may send any identifier, so a message for which no entry is free is counted in the last
  // one.
  if (kind == kinds.end()) --kind;
  if (kind->bytes == 0) kind->letters = letters;
  kind->messages += has_beginning ? 1 : 0;
  kind->bytes += payload.size();
}

void TrafficBreakdown::add_handshake(std::size_t bytes) {
  ++datagrams;
  ip_bytes += ip_datagram_bytes;
  handshake_bytes += bytes;
}

void TrafficBreakdown::add_refused(std::size_t bytes) {
  ++datagrams;
  ip_bytes += ip_datagram_bytes;
  refused_bytes += bytes;
}

std::uint64_t TrafficBreakdown::message_bytes() const {
  std::uint64_t sum = 0;
  for (const Kind& kind : kinds)
    sum += kind.bytes;
  return sum;
}

std::uint64_t TrafficBreakdown::total_bytes() const {
  return ip_bytes + seal_bytes + handshake_bytes + frame_bytes + acknowledge_bytes +
         connection_bytes + refused_bytes + message_bytes();
}

TrafficBreakdown operator-(const TrafficBreakdown& later, const TrafficBreakdown& earlier) {
  TrafficBreakdown between = later;
  between.datagrams -= earlier.datagrams;
  between.ip_bytes -= earlier.ip_bytes;
  between.seal_bytes -= earlier.seal_bytes;
  between.handshake_bytes -= earlier.handshake_bytes;
  between.frame_bytes -= earlier.frame_bytes;
  between.acknowledge_bytes -= earlier.acknowledge_bytes;
  between.connection_bytes -= earlier.connection_bytes;
  between.refused_bytes -= earlier.refused_bytes;
  // Kinds keep their indices for the life of a breakdown.
  for (std::size_t i = 0; i < between.kinds.size(); ++i) {
    between.kinds[i].messages -= earlier.kinds[i].messages;
    between.kinds[i].bytes -= earlier.kinds[i].bytes;
  }
  return between;
}

std::vector<TrafficLine> lines_of(const TrafficBreakdown& ledger) {
  std::vector<TrafficLine> lines;
  for (const TrafficBreakdown::Kind& kind : ledger.kinds) {
    if (kind.bytes > 0)
      lines.push_back({std::string(kind.letters.data(), 4), kind.bytes, kind.messages});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const TrafficLine& a, const TrafficLine& b) { return a.bytes > b.bytes; });
  const std::pair<const char*, std::uint64_t> layers[] = {
      {"ENet frames", ledger.frame_bytes},
      {"ENet acknowledgements", ledger.acknowledge_bytes},
      {"ENet connections", ledger.connection_bytes},
      {"sealing", ledger.seal_bytes},
      {"handshakes", ledger.handshake_bytes},
      {"IP and UDP", ledger.ip_bytes},
      {"refused", ledger.refused_bytes}};
  for (const auto& [name, bytes] : layers) {
    if (bytes > 0) lines.push_back({name, bytes, 0});
  }
  return lines;
}

}  // namespace jostle::net
