#include "shared/secure/handshake_wire.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"

#include <algorithm>
#include <string_view>

namespace jostle::secure {
namespace {

void put_type(base::ByteWriter& writer, DatagramType type) {
  writer.u8(static_cast<std::uint8_t>(type));
}

/// Returns a reader that is positioned after the type byte, or nothing if `bytes` does not have
/// this length and type.
std::optional<base::ByteReader> reader_of(std::span<const std::byte> bytes, DatagramType type,
                                          std::size_t length) {
  if (bytes.size() != length) return std::nullopt;
  base::ByteReader reader(bytes);
  if (reader.u8() != static_cast<std::uint8_t>(type)) return std::nullopt;
  return reader;
}

void put(base::ByteWriter& writer, const CookieStamp& stamp) {
  writer.u32(stamp.slot);
  writer.raw(stamp.mac);
}

CookieStamp read_stamp(base::ByteReader& reader) {
  CookieStamp stamp;
  stamp.slot = reader.u32();
  reader.read(stamp.mac);
  return stamp;
}

std::vector<std::byte> padded(base::ByteWriter& writer, std::size_t length) {
  JOSTLE_ASSERT(writer.size() <= length);
  std::vector<std::byte> bytes = writer.take();
  bytes.resize(length);
  return bytes;
}

}  // namespace

std::string_view describe(AccessMode mode) {
  switch (mode) {
    case AccessMode::Open:
      return "open";
    case AccessMode::SharedKey:
      return "shared key";
    case AccessMode::Token:
      return "token";
  }
  return "unknown mode";
}

std::vector<std::byte> encode(const Hello& hello) {
  base::ByteWriter writer;
  put_type(writer, DatagramType::Hello);
  writer.u16(hello.version);
  writer.u64(hello.nonce);
  return padded(writer, hello_bytes);
}

std::vector<std::byte> encode(const Cookie& cookie) {
  base::ByteWriter writer;
  put_type(writer, DatagramType::Cookie);
  writer.u16(cookie.version);
  writer.u8(static_cast<std::uint8_t>(cookie.mode));
  writer.u64(cookie.nonce);
  put(writer, cookie.stamp);
  writer.raw(cookie.server);
  return padded(writer, cookie_bytes);
}

std::vector<std::byte> encode(const Auth& auth) {
  base::ByteWriter writer;
  put_type(writer, DatagramType::Auth);
  writer.u16(auth.version);
  writer.u64(auth.nonce);
  put(writer, auth.stamp);
  writer.raw(auth.message);
  JOSTLE_ASSERT(writer.size() == auth_bytes);
  return writer.take();
}

std::vector<std::byte> encode(const Accept& accept) {
  base::ByteWriter writer;
  put_type(writer, DatagramType::Accept);
  writer.u64(accept.nonce);
  writer.raw(accept.message);
  JOSTLE_ASSERT(writer.size() == accept_bytes);
  return writer.take();
}

std::vector<std::byte> encode_auth_text(std::span<const std::byte> token) {
  JOSTLE_ASSERT(2 + token.size() <= auth_text_bytes);
  base::ByteWriter writer;
  writer.u16(static_cast<std::uint16_t>(token.size()));
  writer.raw(token);
  return padded(writer, auth_text_bytes);
}

std::vector<std::byte> encode(const AcceptText& text) {
  base::ByteWriter writer;
  writer.u8(static_cast<std::uint8_t>(text.admission));
  writer.u8(static_cast<std::uint8_t>(text.role));
  writer.u32(text.session);
  writer.u64(text.client);
  return padded(writer, accept_text_bytes);
}

std::optional<Hello> decode_hello(std::span<const std::byte> bytes) {
  auto reader = reader_of(bytes, DatagramType::Hello, hello_bytes);
  if (!reader) return std::nullopt;
  Hello hello;
  hello.version = reader->u16();
  hello.nonce = reader->u64();
  return hello;
}

std::optional<Cookie> decode_cookie(std::span<const std::byte> bytes) {
  auto reader = reader_of(bytes, DatagramType::Cookie, cookie_bytes);
  if (!reader) return std::nullopt;
  Cookie cookie;
  cookie.version = reader->u16();
  const std::uint8_t mode = reader->u8();
  if (mode > static_cast<std::uint8_t>(AccessMode::Token)) return std::nullopt;
  cookie.mode = static_cast<AccessMode>(mode);
  cookie.nonce = reader->u64();
  cookie.stamp = read_stamp(*reader);
  reader->read(cookie.server);
  return cookie;
}

std::optional<Auth> decode_auth(std::span<const std::byte> bytes) {
  auto reader = reader_of(bytes, DatagramType::Auth, auth_bytes);
  if (!reader) return std::nullopt;
  Auth auth;
  auth.version = reader->u16();
  auth.nonce = reader->u64();
  auth.stamp = read_stamp(*reader);
  auth.message = reader->raw(reader->remaining());
  return auth;
}

std::optional<Accept> decode_accept(std::span<const std::byte> bytes) {
  auto reader = reader_of(bytes, DatagramType::Accept, accept_bytes);
  if (!reader) return std::nullopt;
  Accept accept;
  accept.nonce = reader->u64();
  accept.message = reader->raw(reader->remaining());
  return accept;
}

std::optional<std::span<const std::byte>> decode_auth_text(std::span<const std::byte> text) {
  if (text.size() != auth_text_bytes) return std::nullopt;
  base::ByteReader reader(text);
  const auto token = reader.raw(reader.u16());
  if (!reader.ok()) return std::nullopt;
  return token;
}

std::optional<AcceptText> decode_accept_text(std::span<const std::byte> bytes) {
  if (bytes.size() != accept_text_bytes) return std::nullopt;
  base::ByteReader reader(bytes);
  AcceptText text;
  const std::uint8_t admission = reader.u8(), role = reader.u8();
  if (admission >= admission_count || role > static_cast<std::uint8_t>(Role::Operator))
    return std::nullopt;
  text.admission = static_cast<Admission>(admission);
  text.role = static_cast<Role>(role);
  text.session = reader.u32();
  text.client = reader.u64();
  return text;
}

std::vector<std::byte> prologue_of(AccessMode mode, std::uint64_t nonce, const CookieStamp& stamp) {
  constexpr std::string_view name = "jostle sealed datagrams";
  base::ByteWriter writer;
  writer.raw(std::as_bytes(std::span(name)));
  writer.u16(handshake_version);
  writer.u8(static_cast<std::uint8_t>(mode));
  writer.u64(nonce);
  put(writer, stamp);
  return writer.take();
}

}  // namespace jostle::secure
