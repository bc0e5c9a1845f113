#pragma once

#include "shared/net/enet_firewall.h"

#include <cstdint>
#include <vector>

namespace jostle::net {

/// Builds datagrams of ENet's protocol by hand, as a malicious client could.
class EnetBytes {
 public:
  EnetBytes& u8(unsigned value) {
    bytes_.push_back(static_cast<std::byte>(value));
    return *this;
  }
  EnetBytes& u16(unsigned value) { return u8(value >> 8).u8(value & 0xFFU); }
  EnetBytes& u32(std::uint32_t value) { return u16(value >> 16).u16(value & 0xFFFFU); }
  EnetBytes& fill(std::size_t count) {
    bytes_.insert(bytes_.end(), count, std::byte{0x5A});
    return *this;
  }

  /// Writes the header with peer number, session 1 and sent time.
  EnetBytes& header(unsigned peer) { return u16(0x8000U | 0x1000U | peer).u16(4'242); }
  EnetBytes& header_without_time(unsigned peer) { return u16(0x1000U | peer); }
  EnetBytes& header_from_unknown() { return u16(0x8FFF).u16(4'242); }
  EnetBytes& command(unsigned code, unsigned channel, unsigned sequence) {
    return u8(code).u8(channel).u16(sequence);
  }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Parameters of a CONNECT or VERIFY_CONNECT. The defaults are those that this project sends.
struct ConnectTerms {
  unsigned peer = 0;
  unsigned incoming_session = 0xFF;
  unsigned outgoing_session = 0xFF;
  std::uint32_t mtu = 1'168;
  std::uint32_t window = 65'536;
  std::uint32_t channels = 4;
  std::uint32_t incoming_bandwidth = 0;
  std::uint32_t outgoing_bandwidth = 0;
  std::uint32_t throttle_interval = 5'000;
  std::uint32_t throttle_acceleration = 32;
  std::uint32_t throttle_deceleration = 0;
  std::uint32_t id = 0x12345678;
};

inline void write_terms(EnetBytes& out, const ConnectTerms& terms) {
  out.u16(terms.peer).u8(terms.incoming_session).u8(terms.outgoing_session);
  out.u32(terms.mtu).u32(terms.window).u32(terms.channels);
  out.u32(terms.incoming_bandwidth).u32(terms.outgoing_bandwidth);
  out.u32(terms.throttle_interval).u32(terms.throttle_acceleration);
  out.u32(terms.throttle_deceleration).u32(terms.id);
}

inline std::vector<std::byte> connect_datagram(const ConnectTerms& terms) {
  EnetBytes out;
  out.header_from_unknown().command(0x82, 0xFF, 1);
  write_terms(out, terms);
  return out.u32(0).take();
}

inline std::vector<std::byte> verify_datagram(ConnectTerms terms) {
  if (terms.incoming_session == 0xFF) terms.incoming_session = 1;
  if (terms.outgoing_session == 0xFF) terms.outgoing_session = 2;
  EnetBytes out;
  out.header(0).command(0x83, 0xFF, 1);
  write_terms(out, terms);
  return out.take();
}

struct FragmentFields {
  unsigned channel = 2;
  unsigned sequence = 100;
  unsigned start = 100;
  unsigned length = 1'140;
  std::uint32_t count = 15;
  std::uint32_t number = 0;
  std::uint32_t total = 16'384;
  std::uint32_t offset = 0;
  std::size_t payload = 1'140;
};

inline std::vector<std::byte> fragment_datagram(const FragmentFields& f) {
  EnetBytes out;
  out.header(3).command(0x88, f.channel, f.sequence).u16(f.start).u16(f.length);
  return out.u32(f.count).u32(f.number).u32(f.total).u32(f.offset).fill(f.payload).take();
}

}  // namespace jostle::net
