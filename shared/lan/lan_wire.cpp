#include "shared/lan/lan_wire.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"
#include "shared/base/printable.h"

#include <algorithm>
#include <array>
#include <optional>

namespace jostle::lan {
namespace {

constexpr std::array<std::byte, 4> magic{std::byte{'j'}, std::byte{'l'}, std::byte{'a'},
                                         std::byte{'n'}};
constexpr std::uint8_t layout = 1;
enum class Kind : std::uint8_t { DiscoveryRequest = 1, DiscoveryResponse = 2 };

void put_head(base::ByteWriter& writer, Kind kind) {
  writer.raw(magic);
  writer.u8(static_cast<std::uint8_t>(kind));
  writer.u8(layout);
}

/// Returns the error in the first six bytes of a message that should be of this `kind`, or nothing.
std::optional<DecodeError> head_fault(base::ByteReader& reader, Kind kind) {
  if (!std::ranges::equal(reader.raw(magic.size()), magic)) return DecodeError::NotOurs;
  const std::uint8_t received = reader.u8(), layout_in_message = reader.u8();
  if (layout_in_message != layout) return DecodeError::OtherLayout;
  if (received != static_cast<std::uint8_t>(kind)) return DecodeError::OtherKind;
  return std::nullopt;
}

bool may_stand_in_a_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = base::printable_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string read_text(base::ByteReader& reader, std::size_t bytes) {
  const auto part = reader.raw(bytes);
  return {reinterpret_cast<const char*>(part.data()), part.size()};
}

bool is_good(const ServerInfo& facts) {
  return facts.port != 0 && facts.access <= secure::AccessMode::Token &&
         facts.name.size() <= max_name_bytes && facts.scene.size() <= max_scene_bytes &&
         may_stand_in_a_line(facts.name) && may_stand_in_a_line(facts.scene);
}

}  // namespace

bool are_compatible(const ProtocolVersion& a, const ProtocolVersion& b) {
  return a.sealing == b.sealing && a.major == b.major && a.schema == b.schema &&
         a.priors == b.priors;
}

std::string_view describe(DecodeError fault) {
  switch (fault) {
    case DecodeError::WrongLength:
      return "unexpected length";
    case DecodeError::NotOurs:
      return "does not begin with 'jlan'";
    case DecodeError::OtherKind:
      return "a question where an answer is expected, or the reverse";
    case DecodeError::OtherLayout:
      return "unsupported version of the layout";
    case DecodeError::NotZero:
      return "a reserved byte is not zero";
    case DecodeError::NoPort:
      return "the port is 0";
    case DecodeError::UnknownAccess:
      return "unknown access mode";
    case DecodeError::BadText:
      return "a text is too long or not printable";
  }
  return "unknown fault";
}

std::string fitted(std::string_view text, std::size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    const std::size_t bytes = base::printable_bytes(text);
    const std::string part =
        bytes == 0 ? base::escape_of(text[0]) : std::string(text.substr(0, bytes));
    if (out.size() + part.size() > max_bytes) break;
    out += part;
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

std::vector<std::byte> encode(const DiscoveryRequest& probe) {
  base::ByteWriter writer;
  put_head(writer, Kind::DiscoveryRequest);
  writer.u16(0);
  writer.u64(probe.nonce);
  std::vector<std::byte> bytes = writer.take();
  bytes.resize(probe_bytes);
  return bytes;
}

std::vector<std::byte> encode(const DiscoveryResponse& answer) {
  const ServerInfo& facts = answer.facts;
  JOSTLE_ASSERT(is_good(facts));
  base::ByteWriter writer;
  put_head(writer, Kind::DiscoveryResponse);
  writer.u16(facts.port);
  writer.u64(answer.nonce);
  writer.u64(answer.instance);
  writer.u16(facts.protocol_version.sealing);
  writer.u16(facts.protocol_version.major);
  writer.u16(facts.protocol_version.minor);
  writer.u8(static_cast<std::uint8_t>(facts.access));
  writer.u8(static_cast<std::uint8_t>(facts.name.size()));
  writer.u64(facts.protocol_version.schema);
  writer.u64(facts.protocol_version.priors);
  writer.u16(facts.players);
  writer.u16(facts.places);
  writer.raw(facts.key);
  writer.u8(static_cast<std::uint8_t>(facts.scene.size()));
  JOSTLE_ASSERT(writer.size() == answer_head_bytes);
  writer.raw(std::as_bytes(std::span(facts.name)));
  writer.raw(std::as_bytes(std::span(facts.scene)));
  return writer.take();
}

base::Result<DiscoveryRequest, DecodeError> decode_probe(std::span<const std::byte> bytes) {
  if (bytes.size() != probe_bytes) return DecodeError::WrongLength;
  base::ByteReader reader(bytes);
  if (const auto fault = head_fault(reader, Kind::DiscoveryRequest)) return *fault;
  if (reader.u16() != 0) return DecodeError::NotZero;
  const DiscoveryRequest probe{reader.u64()};
  const auto rest = reader.raw(reader.remaining());
  if (std::ranges::any_of(rest, [](std::byte one) { return one != std::byte{0}; }))
    return DecodeError::NotZero;
  return probe;
}

base::Result<DiscoveryResponse, DecodeError> decode_answer(std::span<const std::byte> bytes) {
  if (bytes.size() < answer_head_bytes || bytes.size() > max_answer_bytes)
    return DecodeError::WrongLength;
  base::ByteReader reader(bytes);
  if (const auto fault = head_fault(reader, Kind::DiscoveryResponse)) return *fault;
  DiscoveryResponse answer;
  ServerInfo& facts = answer.facts;
  facts.port = reader.u16();
  answer.nonce = reader.u64();
  answer.instance = reader.u64();
  facts.protocol_version.sealing = reader.u16();
  facts.protocol_version.major = reader.u16();
  facts.protocol_version.minor = reader.u16();
  const std::uint8_t access = reader.u8();
  const std::size_t name_bytes = reader.u8();
  facts.protocol_version.schema = reader.u64();
  facts.protocol_version.priors = reader.u64();
  facts.players = reader.u16();
  facts.places = reader.u16();
  std::ranges::copy(reader.raw(facts.key.size()), facts.key.begin());
  const std::size_t scene_bytes = reader.u8();
  if (facts.port == 0) return DecodeError::NoPort;
  if (access > static_cast<std::uint8_t>(secure::AccessMode::Token))
    return DecodeError::UnknownAccess;
  facts.access = static_cast<secure::AccessMode>(access);
  if (name_bytes > max_name_bytes || scene_bytes > max_scene_bytes) return DecodeError::BadText;
  if (reader.remaining() != name_bytes + scene_bytes) return DecodeError::WrongLength;
  facts.name = read_text(reader, name_bytes);
  facts.scene = read_text(reader, scene_bytes);
  if (!may_stand_in_a_line(facts.name) || !may_stand_in_a_line(facts.scene))
    return DecodeError::BadText;
  return answer;
}

}  // namespace jostle::lan
