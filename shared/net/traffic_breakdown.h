#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::net {

/// Counts of all bytes on the wire: the overhead of each layer, and messages by kind.
/// Retransmissions are counted each time.
struct TrafficBreakdown {
  /// Counts for one kind of message. Kinds are distinguished by the FlatBuffers file identifier,
  /// which is four letters at byte 4. Messages without one, and all fragments but the first, are
  /// counted as "....".
  struct Kind {
    std::array<char, 4> letters{};
    std::uint64_t messages = 0, bytes = 0;

    bool operator==(const Kind&) const = default;
  };
  static constexpr std::size_t most_kinds = 16;

  std::uint64_t datagrams = 0;
  std::uint64_t ip_bytes = 0;           // IPv4 and UDP headers, 28 B per datagram
  std::uint64_t seal_bytes = 0;         // header and tag of sealed datagrams
  std::uint64_t handshake_bytes = 0;    // handshake datagrams
  std::uint64_t frame_bytes = 0;        // ENet's headers of datagrams and of messages
  std::uint64_t acknowledge_bytes = 0;  // ENet's acknowledgements
  std::uint64_t connection_bytes = 0;   // ENet's connects, pings and disconnects
  std::uint64_t refused_bytes = 0;      // datagrams that were rejected, without IP and UDP headers
  // kinds in order of first use; unused entries are at the end
  std::array<Kind, most_kinds> kinds{};

  /// Counts the plaintext of a sealed datagram that the firewall has accepted.
  void add(std::span<const std::byte> enet_datagram);
  /// Counts a datagram of the handshake.
  void add_handshake(std::size_t bytes);
  /// Counts a rejected datagram as a whole.
  void add_refused(std::size_t bytes);

  /// Returns the bytes of all messages.
  std::uint64_t message_bytes() const;
  /// Returns the bytes of all categories.
  std::uint64_t total_bytes() const;

  bool operator==(const TrafficBreakdown&) const = default;

 private:
  void add_message(std::span<const std::byte> payload, bool has_beginning);
};

/// Returns the counts that were added between two readings of the same breakdown.
TrafficBreakdown operator-(const TrafficBreakdown& later, const TrafficBreakdown& earlier);

/// One row of a breakdown's table.
struct TrafficLine {
  // the identifier of a message kind, such as "JSN2", or the name of a layer, such as "IP and UDP"
  std::string name;
  std::uint64_t bytes = 0, messages = 0;
};
/// Returns a breakdown as a table for display: message kinds by descending bytes, then the layers
/// from the innermost outwards. Categories without bytes are omitted.
std::vector<TrafficLine> lines_of(const TrafficBreakdown& ledger);

}  // namespace jostle::net
