#include "shared/gate_link/frames.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace jostle::gate_link {
namespace {

/// Kinds of frames on the wire.
enum class FrameKind : std::uint8_t {
  GateHello = 1,
  ViewerConnect = 2,
  ViewerGone = 3,
  ViewerAcknowledged = 4,
  Message = 5,
  GateWatch = 6,
  ViewerHandedOver = 7,
  ServerHello = 16,
  ViewerAdmitted = 17,
  CloseViewer = 18,
  EndOfGroup = 19,
};
/// The first bytes of both hellos, so that a connection to another program's socket is noticed.
constexpr std::uint32_t hello_magic = 0x31'54'47'4A;  // "JGT1"
constexpr std::size_t length_bytes = 4;

/// Writes a frame in place: the length is set when the frame is complete.
class FrameWriter {
 public:
  FrameWriter(std::vector<std::byte>& out, FrameKind kind) : out_(out), start_(out.size()) {
    number(std::uint32_t{0});
    number(static_cast<std::uint8_t>(kind));
  }
  ~FrameWriter() {
    const std::size_t length = out_.size() - start_ - length_bytes;
    JOSTLE_ASSERT(length <= max_frame_bytes);
    for (std::size_t i = 0; i < length_bytes; ++i)
      out_[start_ + i] = static_cast<std::byte>(length >> (8 * i));
  }
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  template <typename Number>
  void number(Number value) {
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      out_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i)));
  }
  void raw(std::span<const std::byte> bytes) {
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }
  void text(std::string_view words) {
    raw(std::as_bytes(std::span(words.substr(0, max_frame_text_bytes))));
  }

 private:
  std::vector<std::byte>& out_;
  std::size_t start_;
};

std::string rest_of(base::ByteReader& reader) {
  if (reader.remaining() > max_frame_text_bytes) reader.fail();
  const auto bytes = reader.raw(reader.ok() ? reader.remaining() : 0);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends the frames of the gate.
struct GateFrameAppender {
  std::vector<std::byte>& out;
  void operator()(const GateHello& hello) const {
    FrameWriter writer(out, FrameKind::GateHello);
    writer.number(hello_magic);
    writer.number(hello.version);
    writer.text(hello.url);
  }
  void operator()(const ViewerConnect& connect) const {
    FrameWriter writer(out, FrameKind::ViewerConnect);
    writer.number(connect.viewer.value);
    for (const std::uint8_t byte : connect.address.ip.bytes())
      writer.number(byte);
    writer.number(connect.address.port);
    writer.raw(encode_entry_request(connect.request));
  }
  void operator()(const ViewerGone& gone) const {
    FrameWriter writer(out, FrameKind::ViewerGone);
    writer.number(gone.viewer.value);
    writer.number(static_cast<std::uint8_t>(gone.reason));
  }
  void operator()(const ViewerAcknowledged& acknowledged) const {
    FrameWriter writer(out, FrameKind::ViewerAcknowledged);
    writer.number(acknowledged.viewer.value);
    writer.number(acknowledged.reliable_bytes);
    writer.number(acknowledged.round_trip_us);
  }
  void operator()(const GateWatch& watch) const {
    FrameWriter(out, FrameKind::GateWatch).number(watch.viewer.value);
  }
  void operator()(const ViewerHandedOver& viewer) const {
    FrameWriter(out, FrameKind::ViewerHandedOver).number(viewer.viewer.value);
  }
  void operator()(const LinkMessage& message) const {
    FrameWriter writer(out, FrameKind::Message);
    writer.number(message.viewer.value);
    writer.number(static_cast<std::uint8_t>(message.channel));
    writer.raw(message.bytes);
  }
};

/// Appends the frames of the server.
struct ServerFrameAppender {
  std::vector<std::byte>& out;
  void operator()(const ServerHello& hello) const {
    FrameWriter writer(out, FrameKind::ServerHello);
    writer.number(hello_magic);
    writer.number(hello.version);
  }
  void operator()(const ViewerAdmitted& admitted) const {
    FrameWriter writer(out, FrameKind::ViewerAdmitted);
    writer.number(admitted.viewer.value);
    writer.raw(encode_entry_answer(admitted.identity));
  }
  void operator()(const CloseViewer& close) const {
    FrameWriter writer(out, FrameKind::CloseViewer);
    writer.number(close.viewer.value);
    writer.number(close.code);
    writer.number(static_cast<std::uint8_t>(close.is_immediate ? 1 : 0));
    writer.text(close.text);
  }
  void operator()(const EndOfGroup&) const { const FrameWriter writer(out, FrameKind::EndOfGroup); }
  void operator()(const LinkMessage& message) const { GateFrameAppender{out}(message); }
};

std::optional<LinkMessage> read_message(base::ByteReader& reader) {
  LinkMessage message;
  message.viewer.value = reader.u32();
  const std::uint8_t channel = reader.u8();
  if (!reader.ok() || channel >= net::channel_count || reader.remaining() == 0) return std::nullopt;
  message.channel = static_cast<net::Channel>(channel);
  message.bytes = reader.raw(reader.remaining());
  return message;
}

std::optional<ViewerConnect> read_connect(base::ByteReader& reader) {
  ViewerConnect connect;
  connect.viewer.value = reader.u32();
  net::Ip::Bytes ip{};
  for (std::uint8_t& byte : ip)
    byte = reader.u8();
  connect.address = {net::Ip(ip), reader.u16()};
  if (!reader.ok()) return std::nullopt;
  auto request = decode_entry_request(reader.raw(reader.remaining()));
  if (!request) return std::nullopt;
  connect.request = *std::move(request);
  return connect;
}

template <typename Frame>
std::optional<Frame> if_whole(const base::ByteReader& reader, Frame frame) {
  return reader.at_end() ? std::optional<Frame>(std::move(frame)) : std::nullopt;
}

}  // namespace

void append_frame(std::vector<std::byte>& out, const GateFrame& frame) {
  std::visit(GateFrameAppender{out}, frame);
}

void append_frame(std::vector<std::byte>& out, const ServerFrame& frame) {
  std::visit(ServerFrameAppender{out}, frame);
}

std::optional<GateFrame> decode_gate_frame(std::span<const std::byte> bytes) {
  base::ByteReader reader(bytes);
  switch (static_cast<FrameKind>(reader.u8())) {
    case FrameKind::GateHello: {
      GateHello hello;
      if (reader.u32() != hello_magic) return std::nullopt;
      hello.version = reader.u16();
      hello.url = rest_of(reader);
      return if_whole(reader, GateFrame(std::move(hello)));
    }
    case FrameKind::ViewerConnect:
      if (auto connect = read_connect(reader)) return *std::move(connect);
      return std::nullopt;
    case FrameKind::ViewerGone: {
      ViewerGone gone;
      gone.viewer.value = reader.u32();
      const std::uint8_t reason = reader.u8();
      if (reason > static_cast<std::uint8_t>(net::DisconnectReason::TokenRevoked))
        return std::nullopt;
      gone.reason = static_cast<net::DisconnectReason>(reason);
      return if_whole(reader, GateFrame(gone));
    }
    case FrameKind::ViewerAcknowledged: {
      ViewerAcknowledged acknowledged;
      acknowledged.viewer.value = reader.u32();
      acknowledged.reliable_bytes = reader.u64();
      acknowledged.round_trip_us = reader.u32();
      return if_whole(reader, GateFrame(acknowledged));
    }
    case FrameKind::GateWatch: {
      const GateWatch watch{{reader.u32()}};
      return if_whole(reader, GateFrame(watch));
    }
    case FrameKind::ViewerHandedOver: {
      const ViewerHandedOver handed_over{{reader.u32()}};
      return if_whole(reader, GateFrame(handed_over));
    }
    case FrameKind::Message:
      if (const auto message = read_message(reader)) return *message;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<ServerFrame> decode_server_frame(std::span<const std::byte> bytes) {
  base::ByteReader reader(bytes);
  switch (static_cast<FrameKind>(reader.u8())) {
    case FrameKind::ServerHello: {
      ServerHello hello;
      if (reader.u32() != hello_magic) return std::nullopt;
      hello.version = reader.u16();
      return if_whole(reader, ServerFrame(hello));
    }
    case FrameKind::ViewerAdmitted: {
      ViewerAdmitted admitted;
      admitted.viewer.value = reader.u32();
      if (!reader.ok()) return std::nullopt;
      const auto identity = decode_entry_answer(reader.raw(reader.remaining()));
      if (!identity) return std::nullopt;
      admitted.identity = *identity;
      return admitted;
    }
    case FrameKind::CloseViewer: {
      CloseViewer close;
      close.viewer.value = reader.u32();
      close.code = reader.u16();
      close.is_immediate = reader.boolean();
      close.text = rest_of(reader);
      return if_whole(reader, ServerFrame(std::move(close)));
    }
    case FrameKind::EndOfGroup:
      return if_whole(reader, ServerFrame(EndOfGroup{}));
    case FrameKind::Message:
      if (const auto message = read_message(reader)) return *message;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

void FrameBuffer::add(std::span<const std::byte> bytes) {
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(read_));
  read_ = 0;
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

std::optional<std::span<const std::byte>> FrameBuffer::next() {
  const std::span<const std::byte> rest = std::span(bytes_).subspan(read_);
  if (is_broken_ || rest.size() < length_bytes) return std::nullopt;
  const auto length = base::load_little_endian<std::uint32_t>(rest.data());
  if (length == 0 || length > max_frame_bytes) {
    is_broken_ = true;
    return std::nullopt;
  }
  if (rest.size() - length_bytes < length) return std::nullopt;
  read_ += length_bytes + length;
  return rest.subspan(length_bytes, length);
}

}  // namespace jostle::gate_link
