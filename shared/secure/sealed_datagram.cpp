#include "shared/secure/sealed_datagram.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"
#include "shared/base/planted.h"
#include "shared/secure/handshake_wire.h"

#include <algorithm>
#include <limits>

namespace jostle::secure {
namespace {

template <typename U>
void put(std::span<std::byte> out, U value) {
  for (std::size_t i = 0; i < sizeof(U); ++i)
    out[i] = static_cast<std::byte>((value >> (8 * i)) & 0xFFU);
}

}  // namespace

std::optional<std::uint32_t> session_of(std::span<const std::byte> datagram) {
  if (datagram.size() < sealed_overhead_bytes) return std::nullopt;
  base::ByteReader reader(datagram.first(sealed_head_bytes));
  if (reader.u8() != static_cast<std::uint8_t>(DatagramType::Sealed)) return std::nullopt;
  return reader.u32();
}

void DatagramEncryptor::seal(std::span<std::byte> datagram) {
  JOSTLE_ASSERT(datagram.size() >= sealed_overhead_bytes);
  // The number cannot overflow: at a million datagrams per second it lasts for half a million
  // years.
  JOSTLE_ASSERT(next_number_ != std::numeric_limits<std::uint64_t>::max());
  const std::uint64_t number = next_number_++;
  datagram[0] = static_cast<std::byte>(DatagramType::Sealed);
  put(datagram.subspan(1, 4), session_);
  put(datagram.subspan(5, 8), number);
  crypto::aead_encrypt(key_, number, datagram.first(sealed_head_bytes),
                       datagram.subspan(sealed_head_bytes));
}

DatagramDecryptor::Opened DatagramDecryptor::open(std::span<std::byte> datagram) {
  JOSTLE_ASSERT(datagram.size() >= sealed_overhead_bytes);
  const auto head = datagram.first(sealed_head_bytes);
  base::ByteReader reader(head.subspan(5));
  const std::uint64_t number = reader.u64();
  // Check the number before the decryption, so that a replayed datagram costs no cryptography.
  const bool is_new = window_.is_new(number);
  if (!is_new && !base::is_planted("replay-window-off")) return {.verdict = Verdict::Replayed};
  const auto sealed = datagram.subspan(sealed_head_bytes);
  if (!crypto::aead_decrypt(key_, number, head, sealed)) return {.verdict = Verdict::Forged};
  const bool is_newest = number > window_.newest();
  if (is_new) window_.note(number);
  return {.verdict = Verdict::Opened,
          .text = sealed.first(sealed.size() - crypto::aead_tag_bytes),
          .is_newest = is_newest};
}

std::array<std::byte, sealed_head_bytes> no_session_hint(std::span<const std::byte> datagram) {
  std::array<std::byte, sealed_head_bytes> hint{};
  std::copy_n(datagram.begin(), hint.size(), hint.begin());
  hint[0] = static_cast<std::byte>(DatagramType::NoSession);
  return hint;
}

std::optional<NoSession> decode_no_session(std::span<const std::byte> datagram) {
  if (datagram.size() != sealed_head_bytes) return std::nullopt;
  base::ByteReader reader(datagram);
  if (reader.u8() != static_cast<std::uint8_t>(DatagramType::NoSession)) return std::nullopt;
  NoSession hint;
  hint.session = reader.u32();
  hint.number = reader.u64();
  return hint;
}

}  // namespace jostle::secure
