#include "shared/net/enet_firewall.h"

#include "shared/net/detail/enet_wire.h"

#include <algorithm>
#include <cstring>

namespace jostle::net {
namespace {

using namespace detail;

constexpr std::uint8_t unknown_session = 0xFF;
constexpr std::uint8_t max_session = 3;
constexpr std::uint32_t min_window_bytes = 4'096;
constexpr std::uint32_t max_window_bytes = 65'536;

bool carries_reliable(std::uint8_t channel) {
  return channel == static_cast<std::uint8_t>(Channel::Control) ||
         channel == static_cast<std::uint8_t>(Channel::Bulk);
}

bool carries_unsequenced(std::uint8_t channel) {
  return channel == static_cast<std::uint8_t>(Channel::State) ||
         channel == static_cast<std::uint8_t>(Channel::Time);
}

bool are_flags_right(std::uint8_t command, std::uint8_t flags) {
  switch (command) {
    case Acknowledge:
      return flags == 0;
    // A disconnect requests an acknowledgement if it comes from Transport::disconnect(), and is
    // unsequenced if it comes from drop().
    case Disconnect:
      return flags == acknowledge_flag || flags == unsequenced_flag;
    case SendUnsequenced:
      return flags == unsequenced_flag;
    default:
      return flags == acknowledge_flag;
  }
}

bool is_channel_right(std::uint8_t command, std::uint8_t channel) {
  switch (command) {
    case Acknowledge:
      return channel == no_channel || carries_reliable(channel);
    case SendReliable:
    case SendFragment:
      return carries_reliable(channel);
    case SendUnsequenced:
      return carries_unsequenced(channel);
    default:
      return channel == no_channel;
  }
}

/// Returns true if a CONNECT or VERIFY_CONNECT has the parameters that this project sends. The two
/// commands share their layout up to the connect id.
bool are_terms_ours(const Fields& command, bool is_connect) {
  const auto is_session = [is_connect](std::uint8_t session) {
    // ENet ors the session of a VERIFY_CONNECT into its header flags without masking it, so only a
    // CONNECT may have 0xFF, which stands for an unknown session.
    return session <= max_session || (is_connect && session == unknown_session);
  };
  const std::uint32_t window_bytes = command.u32(12);
  return command.u16(4) < no_peer && is_session(command.u8(6)) && is_session(command.u8(7)) &&
         command.u32(8) == enet_mtu_bytes && window_bytes >= min_window_bytes &&
         window_bytes <= max_window_bytes && command.u32(16) == channel_count &&
         command.u32(20) == 0 && command.u32(24) == 0 &&  // bandwidths: unlimited
         command.u32(28) == throttle_interval_ms && command.u32(32) == throttle_acceleration &&
         command.u32(36) == throttle_deceleration;
}

/// Returns true if all fields of a fragment agree. As the MTU is fixed, they all follow from the
/// message's length and the fragment's number.
bool is_fragment_consistent(const Fields& command) {
  const std::uint16_t sequence = command.u16(2);
  const std::uint16_t start_sequence = command.u16(4);
  const std::uint32_t length = command.u16(6);
  const std::uint32_t count = command.u32(8);
  const std::uint32_t number = command.u32(12);
  const std::uint32_t total = command.u32(16);
  const std::uint32_t offset = command.u32(20);
  if (total > max_reliable_bytes || total <= enet_fragment_bytes) return false;
  if (count > max_fragments || number >= count) return false;
  if (count != (total + enet_fragment_bytes - 1) / enet_fragment_bytes) return false;
  if (offset != number * enet_fragment_bytes) return false;
  if (length != std::min<std::uint32_t>(enet_fragment_bytes, total - offset)) return false;
  return sequence == static_cast<std::uint16_t>(start_sequence + number);
}

DatagramVerdict inspect_command(std::uint8_t command, const Fields& fields) {
  switch (command) {
    case Acknowledge:
      return fields.u16(2) == fields.u16(4) ? DatagramVerdict::Accepted
                                            : DatagramVerdict::BadAcknowledgement;
    case Connect:
    case VerifyConnect:
      return are_terms_ours(fields, command == Connect) ? DatagramVerdict::Accepted
                                                        : DatagramVerdict::BadConnect;
    case BandwidthLimit:
      return fields.u32(4) == 0 && fields.u32(8) == 0 ? DatagramVerdict::Accepted
                                                      : DatagramVerdict::BadBandwidth;
    case SendReliable:
      return payload_bytes(command, fields) <= enet_fragment_bytes ? DatagramVerdict::Accepted
                                                                   : DatagramVerdict::BadLength;
    case SendUnsequenced:
      return payload_bytes(command, fields) <= max_unreliable_bytes ? DatagramVerdict::Accepted
                                                                    : DatagramVerdict::BadLength;
    case SendFragment:
      return is_fragment_consistent(fields) ? DatagramVerdict::Accepted
                                            : DatagramVerdict::BadFragment;
    default:
      return DatagramVerdict::Accepted;
  }
}

struct Header {
  std::size_t bytes = 0;
  bool has_sent_time = false;
  bool is_from_unknown = false;
};

/// Checks that the command is a CONNECT if and only if the sender has no peer number yet, and that
/// a CONNECT or VERIFY_CONNECT is alone in its datagram.
DatagramVerdict inspect_peer(const Header& header, std::uint8_t command,
                             std::size_t commands_before, std::size_t bytes_after) {
  if (header.is_from_unknown != (command == Connect)) return DatagramVerdict::BadPeer;
  const bool comes_alone = command == Connect || command == VerifyConnect;
  if (comes_alone && (commands_before != 0 || bytes_after != 0)) return DatagramVerdict::BadConnect;
  return DatagramVerdict::Accepted;
}

/// Inspects the command at the start of `rest`. If it is accepted, `used` is its length with
/// payload.
DatagramVerdict inspect_next(const Header& header, std::span<const std::byte> rest,
                             std::size_t commands_before, std::size_t& used) {
  const Fields fields{rest};
  const std::uint8_t command = fields.u8(0) & command_mask;
  const std::uint8_t flags = fields.u8(0) & flag_mask;
  if (command_bytes[command] == 0) return DatagramVerdict::UnknownCommand;
  if (command == SendUnreliable || command == SendUnreliableFragment ||
      command == ThrottleConfigure) {
    return DatagramVerdict::ForbiddenCommand;
  }
  if (!are_flags_right(command, flags)) return DatagramVerdict::BadFlags;
  // An acknowledgement echoes the sent time, so the header must contain it.
  if ((flags & acknowledge_flag) != 0 && !header.has_sent_time) return DatagramVerdict::BadFlags;
  if (rest.size() < command_bytes[command]) return DatagramVerdict::TooShort;
  if (!is_channel_right(command, fields.u8(1))) return DatagramVerdict::BadChannel;

  DatagramVerdict verdict = inspect_command(command, fields);
  if (verdict != DatagramVerdict::Accepted) return verdict;
  used = command_bytes[command] + payload_bytes(command, fields);
  if (used > rest.size()) return DatagramVerdict::BadLength;
  return inspect_peer(header, command, commands_before, rest.size() - used);
}

}  // namespace

DatagramVerdict inspect(std::span<const std::byte> datagram) {
  if (datagram.size() > enet_mtu_bytes) return DatagramVerdict::TooLong;
  if (datagram.size() < 2) return DatagramVerdict::TooShort;

  const std::uint16_t word = Fields{datagram}.u16(0);
  if ((word & compressed_flag) != 0) return DatagramVerdict::Compressed;
  Header header;
  header.has_sent_time = (word & sent_time_flag) != 0;
  header.bytes = header_bytes(word);
  header.is_from_unknown = (word & peer_mask) == no_peer;
  if (header.is_from_unknown && (word & session_mask) != 0) return DatagramVerdict::BadPeer;
  if (datagram.size() < header.bytes) return DatagramVerdict::TooShort;

  std::span<const std::byte> rest = datagram.subspan(header.bytes);
  if (rest.empty()) return DatagramVerdict::Empty;
  for (std::size_t commands = 0; !rest.empty(); ++commands) {
    if (commands == max_commands_per_datagram) return DatagramVerdict::TooManyCommands;
    std::size_t used = 0;
    const DatagramVerdict verdict = inspect_next(header, rest, commands, used);
    if (verdict != DatagramVerdict::Accepted) return verdict;
    rest = rest.subspan(used);
  }
  return DatagramVerdict::Accepted;
}

std::optional<std::uint32_t> connect_id(std::span<const std::byte> accepted_datagram) {
  // CONNECT is acknowledged, so the header contains the sent time.
  constexpr std::size_t header_bytes = 4;
  constexpr std::size_t id_offset = header_bytes + 40;
  if (accepted_datagram.size() != header_bytes + command_bytes[Connect]) return std::nullopt;
  const Fields fields{accepted_datagram};
  if ((fields.u16(0) & peer_mask) != no_peer) return std::nullopt;
  std::uint32_t id = 0;
  std::memcpy(&id, accepted_datagram.data() + id_offset, sizeof(id));
  return id;
}

std::string_view describe(DatagramVerdict verdict) {
  switch (verdict) {
    case DatagramVerdict::Accepted:
      return "accepted";
    case DatagramVerdict::Empty:
      return "no command";
    case DatagramVerdict::TooShort:
      return "too short";
    case DatagramVerdict::TooLong:
      return "too long";
    case DatagramVerdict::Compressed:
      return "compressed";
    case DatagramVerdict::BadPeer:
      return "invalid peer number or session";
    case DatagramVerdict::TooManyCommands:
      return "too many commands";
    case DatagramVerdict::UnknownCommand:
      return "unknown command";
    case DatagramVerdict::ForbiddenCommand:
      return "forbidden command";
    case DatagramVerdict::BadFlags:
      return "wrong command flags";
    case DatagramVerdict::BadChannel:
      return "wrong channel";
    case DatagramVerdict::BadConnect:
      return "unexpected connect parameters";
    case DatagramVerdict::BadBandwidth:
      return "bandwidth limit set";
    case DatagramVerdict::BadAcknowledgement:
      return "inconsistent acknowledgement";
    case DatagramVerdict::BadLength:
      return "wrong payload length";
    case DatagramVerdict::BadFragment:
      return "inconsistent fragment";
    case DatagramVerdict::NotAccepting:
      return "connect to a host that accepts no connections";
    case DatagramVerdict::ConnectLimit:
      return "second connect in a session";
    case DatagramVerdict::Handshake:
      return "handshake";
    case DatagramVerdict::BadSource:
      return "source port 0";
    case DatagramVerdict::NotSealed:
      return "not a datagram of this protocol";
    case DatagramVerdict::BadHandshake:
      return "invalid handshake, or too many";
    case DatagramVerdict::BadCookie:
      return "invalid cookie";
    case DatagramVerdict::AddressLimit:
      return "too many handshakes from one address";
    case DatagramVerdict::Unexpected:
      return "unexpected answer";
    case DatagramVerdict::UnknownSession:
      return "unknown session";
    case DatagramVerdict::Forged:
      return "forged";
    case DatagramVerdict::Replayed:
      return "replayed";
    case DatagramVerdict::OverBudget:
      return "over the session's rate limit";
    case DatagramVerdict::NoRoom:
      return "too many handshakes are waiting";
  }
  return "unknown verdict";
}

}  // namespace jostle::net
