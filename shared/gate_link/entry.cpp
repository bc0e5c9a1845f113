#include "shared/gate_link/entry.h"

#include "shared/base/bytes.h"
#include "shared/crypto/blake2b.h"

#include <algorithm>
#include <string_view>

namespace jostle::gate_link {
namespace {

constexpr std::string_view viewer_key_domain = "jostle viewer 1";
constexpr std::uint16_t reason_codes = 4'000, refusal_codes = 4'100;
// Close codes of RFC 6455: a normal end, and a page that the user leaves.
constexpr std::uint16_t normal_code = 1'000, going_away_code = 1'001;

}  // namespace

std::vector<std::byte> encode_entry_request(const EntryRequest& request) {
  base::ByteWriter writer;
  writer.u8(std::to_integer<std::uint8_t>(entry_mark));
  writer.u8(entry_version);
  writer.raw(request.secret);
  writer.raw(std::as_bytes(std::span(request.token_text)));
  return writer.take();
}

std::optional<EntryRequest> decode_entry_request(std::span<const std::byte> bytes) {
  if (bytes.size() > max_entry_bytes) return std::nullopt;
  base::ByteReader reader(bytes);
  const bool is_entry = std::byte{reader.u8()} == entry_mark && reader.u8() == entry_version;
  EntryRequest request;
  reader.read(request.secret);
  if (!is_entry || !reader.ok()) return std::nullopt;
  const auto text = reader.raw(reader.remaining());
  request.token_text.assign(reinterpret_cast<const char*>(text.data()), text.size());
  return request;
}

crypto::PublicKey viewer_key(const ViewerSecret& secret) {
  const crypto::Digest digest =
      crypto::blake2b({std::as_bytes(std::span(viewer_key_domain)), secret});
  crypto::PublicKey key{};
  std::copy_n(digest.begin(), key.size(), key.begin());
  return key;
}

std::vector<std::byte> encode_entry_answer(const net::PeerIdentity& identity) {
  base::ByteWriter writer;
  writer.u8(std::to_integer<std::uint8_t>(entry_mark));
  writer.u8(entry_version);
  writer.u8(static_cast<std::uint8_t>(identity.role));
  writer.u64(identity.client);
  writer.raw(identity.key);
  return writer.take();
}

std::optional<net::PeerIdentity> decode_entry_answer(std::span<const std::byte> bytes) {
  base::ByteReader reader(bytes);
  const bool is_entry = std::byte{reader.u8()} == entry_mark && reader.u8() == entry_version;
  const std::uint8_t role = reader.u8();
  net::PeerIdentity identity;
  identity.client = reader.u64();
  reader.read(identity.key);
  if (!is_entry || !reader.at_end() || role > static_cast<std::uint8_t>(secure::Role::Operator))
    return std::nullopt;
  identity.role = static_cast<secure::Role>(role);
  return identity;
}

std::optional<ViewerMessage> decode_viewer_message(std::span<const std::byte> bytes) {
  if (bytes.size() < 2 || bytes.size() > max_viewer_message_bytes) return std::nullopt;
  const auto channel = std::to_integer<std::size_t>(bytes.front());
  if (channel >= net::channel_count) return std::nullopt;
  return ViewerMessage{static_cast<net::Channel>(channel), bytes.subspan(1)};
}

std::optional<std::vector<ViewerMessage>> decode_gate_message(std::span<const std::byte> bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const auto mark = std::to_integer<std::size_t>(bytes.front());
  if (mark < net::channel_count)
    return std::vector<ViewerMessage>{{static_cast<net::Channel>(mark), bytes.subspan(1)}};
  const std::size_t channel = mark - std::to_integer<std::size_t>(group_mark);
  if (mark < std::to_integer<std::size_t>(group_mark) || channel >= net::channel_count)
    return std::nullopt;
  std::vector<ViewerMessage> messages;
  base::ByteReader reader(bytes.subspan(1));
  while (reader.remaining() > 0) {
    const auto content = reader.raw(reader.u16());
    if (!reader.ok() || content.empty()) return std::nullopt;
    messages.push_back({static_cast<net::Channel>(channel), content});
  }
  return messages;
}

std::uint16_t close_code(net::DisconnectReason reason, secure::Refusal refusal) {
  if (reason == net::DisconnectReason::Refused)
    return static_cast<std::uint16_t>(refusal_codes + static_cast<std::uint16_t>(refusal));
  return static_cast<std::uint16_t>(reason_codes + static_cast<std::uint16_t>(reason));
}

CloseReason close_reason(std::uint16_t code) {
  if (code == normal_code || code == going_away_code) return {net::DisconnectReason::Requested};
  constexpr auto last_reason = static_cast<std::uint16_t>(net::DisconnectReason::TokenRevoked);
  constexpr auto last_refusal = static_cast<std::uint16_t>(secure::Refusal::Unreadable);
  constexpr auto refused = static_cast<std::uint16_t>(net::DisconnectReason::Refused);
  if (code > reason_codes && code <= reason_codes + last_reason && code != reason_codes + refused)
    return {static_cast<net::DisconnectReason>(code - reason_codes)};
  if (code > refusal_codes && code <= refusal_codes + last_refusal)
    return {net::DisconnectReason::Refused, static_cast<secure::Refusal>(code - refusal_codes)};
  return {net::DisconnectReason::TimedOut};
}

}  // namespace jostle::gate_link
