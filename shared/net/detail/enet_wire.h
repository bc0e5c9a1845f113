#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// The wire format of ENet 1.3.17: a header of 2 or 4 bytes, followed by commands. All numbers are
// big-endian.

namespace jostle::net::detail {

inline constexpr std::uint16_t peer_mask = 0x0FFF;
inline constexpr std::uint16_t no_peer = 0x0FFF;  // the sender does not know its peer number yet
inline constexpr std::uint16_t session_mask = 0x3000;
inline constexpr std::uint16_t compressed_flag = 0x4000;
inline constexpr std::uint16_t sent_time_flag = 0x8000;

inline constexpr std::uint8_t command_mask = 0x0F;
inline constexpr std::uint8_t acknowledge_flag = 0x80;
inline constexpr std::uint8_t unsequenced_flag = 0x40;
inline constexpr std::uint8_t flag_mask = 0xF0;
inline constexpr std::uint8_t no_channel = 0xFF;

enum Command : std::uint8_t {
  Acknowledge = 1,
  Connect = 2,
  VerifyConnect = 3,
  Disconnect = 4,
  Ping = 5,
  SendReliable = 6,
  SendUnreliable = 7,
  SendFragment = 8,
  SendUnsequenced = 9,
  BandwidthLimit = 10,
  ThrottleConfigure = 11,
  SendUnreliableFragment = 12,
};

/// Size of each command without its payload; 0 if the command does not exist.
inline constexpr std::size_t command_bytes[16] = {0,  8, 48, 44, 8,  4, 6, 8,
                                                  24, 8, 12, 16, 24, 0, 0, 0};

/// A view of bytes that reads big-endian fields. The caller must have checked the length.
struct Fields {
  std::span<const std::byte> bytes;

  std::uint8_t u8(std::size_t at) const { return static_cast<std::uint8_t>(bytes[at]); }
  std::uint16_t u16(std::size_t at) const {
    return static_cast<std::uint16_t>((u8(at) << 8) | u8(at + 1));
  }
  std::uint32_t u32(std::size_t at) const {
    return (std::uint32_t{u16(at)} << 16) | std::uint32_t{u16(at + 2)};
  }
};

/// Returns the size of the header before the first command. `first_word` is the datagram's first 16
/// bits.
inline std::size_t header_bytes(std::uint16_t first_word) {
  return (first_word & sent_time_flag) != 0 ? 4 : 2;
}

/// Returns the size of the payload that follows a command's fixed part.
inline std::size_t payload_bytes(std::uint8_t command, const Fields& fields) {
  switch (command) {
    case SendReliable:
      return fields.u16(4);
    case SendUnsequenced:
    case SendFragment:
      return fields.u16(6);
    default:
      return 0;
  }
}

}  // namespace jostle::net::detail
