// Fuzzes everything that the gate reads before the server checks it: the messages of viewers, the
// frames of the Unix socket in both directions, and the texts of HTTP requests.
#include "shared/base/assert.h"
#include "shared/gate_link/entry.h"
#include "shared/gate_link/frames.h"
#include "shared/http/host_check.h"
#include "shared/http/request.h"
#include "shared/http/static_files.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/read_again.h"

#include "gate/viewer.h"
#include <algorithm>
#include <string_view>

namespace jostle::gate_link::fuzz_gate_framing {
namespace {

using fuzz::FuzzInput;
using Bytes = std::vector<std::byte>;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void read_messages(std::span<const std::byte> bytes) {
  fuzz::reads_again(bytes, decode_entry_request, encode_entry_request);
  if (const auto identity = decode_entry_answer(bytes))
    JOSTLE_ASSERT(std::ranges::equal(encode_entry_answer(*identity), bytes));
  if (const auto message = decode_viewer_message(bytes)) {
    JOSTLE_ASSERT(message->bytes.size() + 1 == bytes.size());
    JOSTLE_ASSERT(bytes.size() <= max_viewer_message_bytes);
  }
  if (const auto messages = decode_gate_message(bytes)) {
    // A viewer reads the same messages that the gate has encoded.
    http::SendQueue::Batch batch;
    for (const ViewerMessage& message : *messages) {
      batch.channel = static_cast<std::uint8_t>(message.channel);
      batch.messages.emplace_back(message.bytes.begin(), message.bytes.end());
    }
    if (!batch.messages.empty()) {
      const auto again = decode_gate_message(gate::encode_batch(batch));
      JOSTLE_ASSERT(again && again->size() == messages->size());
    }
  }
}

/// Reads a stream of frames that arrives in two pieces. Each frame must be encoded again as it was.
template <typename Decode>
void read_stream(std::span<const std::byte> bytes, std::size_t cut, Decode decode) {
  FrameBuffer buffer;
  cut = std::min(cut, bytes.size());
  for (const auto piece : {bytes.first(cut), bytes.subspan(cut)}) {
    buffer.add(piece);
    while (const auto content = buffer.next()) {
      JOSTLE_ASSERT(!content->empty() && content->size() <= max_frame_bytes);
      const auto frame = decode(*content);
      if (!frame) continue;
      Bytes again;
      append_frame(again, *frame);
      JOSTLE_ASSERT(std::ranges::equal(std::span(again).subspan(4), *content));
    }
  }
}

void read_request(FuzzInput& input) {
  const Bytes first = fuzz::copy_of(input.block()), second = fuzz::copy_of(input.rest());
  const std::string path = http::decode_path(text_of(first));
  JOSTLE_ASSERT(path.empty() || path.front() == '/');
  JOSTLE_ASSERT(path != "/.." && path.find("/../") == std::string::npos && !path.ends_with("/.."));
  const http::HostCheck check({.hosts = {"play.example"}, .origins = {"https://friend.example"}});
  (void)check.accepts_host(text_of(first));
  // A page of a name that is not listed never opens a WebSocket.
  if (check.accepts_origin("https://evil.example", text_of(first)))
    JOSTLE_ASSERT(!check.accepts_host(text_of(first)));
  (void)check.accepts_origin(text_of(first), text_of(second));
  (void)http::accepts_coding(text_of(first), "gzip");
  (void)http::has_content_hash(text_of(first));
  const net::Ip proxy = net::loopback_ip;
  const net::Address other{*net::parse_ip("10.0.0.1"), 1};
  JOSTLE_ASSERT(http::client_address(other, text_of(first), std::span(&proxy, 1)) == other);
  (void)http::client_address({proxy, 1}, text_of(first), std::span(&proxy, 1));
}

/// A socket that takes everything at once.
class OpenSocket final : public http::WebSocket {
 public:
  void wake() override { is_woken = true; }
  bool ping(std::span<const std::byte> payload) override {
    JOSTLE_ASSERT(payload.size() <= 125);
    last_ping = fuzz::copy_of(payload);
    return true;
  }
  void close(std::uint16_t, const std::string&) override { is_closed = true; }
  std::int64_t sending_us() const override { return 0; }
  bool is_woken = false, is_closed = false;
  Bytes last_ping;
};

/// The server of the viewer. It checks that nothing reaches it that it must not see.
class Watcher final : public gate::ViewerOwner {
 public:
  void entered(gate::Viewer&, const EntryRequest& request) override {
    JOSTLE_ASSERT(!has_entered && request.token_text.size() <= max_token_text_bytes);
    has_entered = true;
  }
  void received(gate::Viewer& viewer, const ViewerMessage& message) override {
    JOSTLE_ASSERT(has_entered && viewer.is_admitted() && !has_left);
    JOSTLE_ASSERT(!message.bytes.empty() && message.bytes.size() < max_viewer_message_bytes);
  }
  void acknowledged(gate::Viewer&, std::uint64_t total, std::uint32_t) override {
    JOSTLE_ASSERT(total <= sent && total >= known);
    known = total;
  }
  void left(gate::Viewer&, net::DisconnectReason) override {
    JOSTLE_ASSERT(!has_left);
    has_left = true;
  }
  bool has_entered = false, has_left = false;
  std::uint64_t sent = 0, known = 0;
};

void play_viewer(FuzzInput& input) {
  Watcher watcher;
  OpenSocket socket;
  gate::Viewer viewer({1}, {net::loopback_ip, 1}, watcher, {});
  viewer.opened(socket);
  while (!input.is_empty()) {
    switch (input.choice(8)) {
      case 0:
        viewer.received(fuzz::copy_of(input.block()));
        break;
      case 1: {
        Bytes entry = encode_entry_request({});
        viewer.received(entry);
        break;
      }
      case 2:
        if (watcher.has_entered) viewer.admit({});
        break;
      case 3: {
        const auto channel = static_cast<net::Channel>(input.choice(net::channel_count));
        const Bytes message = fuzz::copy_of(input.bytes(1 + input.u8()));
        if (message.empty()) break;
        if (channel == net::Channel::Control || channel == net::Channel::Bulk)
          watcher.sent += message.size();
        viewer.send(channel, input.u8(), message);
        break;
      }
      case 4:
        if (const auto message = viewer.next_message())
          JOSTLE_ASSERT(decode_gate_message(*message) || decode_entry_answer(*message));
        break;
      case 5:
        viewer.pong(input.boolean() ? socket.last_ping : fuzz::copy_of(input.bytes(8)));
        break;
      case 6:
        viewer.watch();
        break;
      default:
        if (input.choice(16) == 0) viewer.close(net::DisconnectReason::Requested, input.boolean());
        break;
    }
  }
  viewer.closed(1'006, "");
  JOSTLE_ASSERT(watcher.has_left);
}

}  // namespace

JOSTLE_FUZZ_TARGET(gate_framing, data, size) {
  FuzzInput input(data, size);
  switch (input.choice(5)) {
    case 0:
      read_messages(fuzz::copy_of(input.rest()));
      break;
    case 1: {
      const std::size_t cut = input.u16();
      read_stream(fuzz::copy_of(input.rest()), cut, decode_gate_frame);
      break;
    }
    case 2: {
      const std::size_t cut = input.u16();
      read_stream(fuzz::copy_of(input.rest()), cut, decode_server_frame);
      break;
    }
    case 3:
      read_request(input);
      break;
    default:
      play_viewer(input);
      break;
  }
  return 0;
}

}  // namespace jostle::gate_link::fuzz_gate_framing
