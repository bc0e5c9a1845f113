#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::net {

/// Where every byte on the wire goes: headers of each layer, and the messages by kind. What is sent
/// twice is counted twice.
struct ByteLedger {
  /// Messages are told apart by the four letters that a FlatBuffer bears at its fifth byte. The
  /// rest of a message in several datagrams, and what bears no letters, is "....".
  struct Kind {
    std::array<char, 4> letters{};
    std::uint64_t messages = 0, bytes = 0;

    bool operator==(const Kind&) const = default;
  };
  static constexpr std::size_t most_kinds = 16;

  std::uint64_t datagrams = 0;
  std::uint64_t ip_bytes = 0;            // IPv4 and UDP, 28 B a datagram
  std::uint64_t seal_bytes = 0;          // ours: head and tag of sealed datagrams
  std::uint64_t handshake_bytes = 0;     // ours: before a session stands
  std::uint64_t frame_bytes = 0;         // ENet's head of a datagram, and of each message
  std::uint64_t acknowledge_bytes = 0;   // ENet's own acknowledgements
  std::uint64_t connection_bytes = 0;    // connects, pings, farewells
  std::uint64_t refused_bytes = 0;       // of datagrams that nobody reads, without IP and UDP
  std::array<Kind, most_kinds> kinds{};  // in order of appearance; unused ones at the end

  /// What was sealed in a datagram; the firewall lets it through.
  void add(std::span<const std::byte> enet_datagram);
  void add_handshake(std::size_t bytes);
  /// One that it does not, with all that stands in it.
  void add_refused(std::size_t bytes);

  std::uint64_t message_bytes() const;
  /// All of it.
  std::uint64_t total_bytes() const;

  bool operator==(const ByteLedger&) const = default;

 private:
  void add_message(std::span<const std::byte> payload, bool has_beginning);
};

/// What came in between, kind by kind.
ByteLedger operator-(const ByteLedger& later, const ByteLedger& earlier);

struct LedgerLine {
  std::string name;  // "JSN2", "IP and UDP"
  std::uint64_t bytes = 0, messages = 0;
};
/// For people and files: messages by size, then the layers from the inside out; what is 0 is left
/// out.
std::vector<LedgerLine> lines_of(const ByteLedger& ledger);

}  // namespace jostle::net
