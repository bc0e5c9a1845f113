#include "shared/gate_link/entry.h"

#include "protocol/limits.h"
#include "shared/gate_link/frames.h"

#include <gtest/gtest.h>

namespace jostle::gate_link {
namespace {

static_assert(max_viewer_message_bytes == protocol::max_client_message_bytes + 1);
static_assert(secure::token_bytes * 4 / 3 + 32 < max_token_text_bytes);

EntryRequest example_request() {
  EntryRequest request{.token_text = "jostle-token-1.abc"};
  request.secret[3] = std::byte{5};
  return request;
}

TEST(Entry, IsReadAsItWasWritten) {
  EXPECT_EQ(decode_entry_request(encode_entry_request(example_request())), example_request());
  net::PeerIdentity identity{.role = secure::Role::Operator, .client = 77};
  identity.key[1] = std::byte{9};
  const auto read = decode_entry_answer(encode_entry_answer(identity));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->role, identity.role);
  EXPECT_EQ(read->client, identity.client);
  EXPECT_EQ(read->key, identity.key);
}

TEST(Entry, IsRefusedIfTruncatedTooLongOrOfAnotherVersion) {
  std::vector<std::byte> bytes = encode_entry_request(example_request());
  EXPECT_FALSE(decode_entry_request(std::span(bytes).first(33)));
  bytes[1] = std::byte{2};
  EXPECT_FALSE(decode_entry_request(bytes));
  EXPECT_FALSE(decode_entry_request(
      encode_entry_request({.token_text = std::string(max_token_text_bytes + 1, 'a')})));
}

TEST(Entry, GivesEachSecretAnotherKey) {
  EXPECT_NE(viewer_key({}), viewer_key(example_request().secret));
}

TEST(ViewerMessage, HasAKnownChannelAndContentWithinTheLimit) {
  std::vector<std::byte> bytes(max_viewer_message_bytes, std::byte{1});
  const auto message = decode_viewer_message(bytes);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->channel, net::Channel::State);
  EXPECT_EQ(message->bytes.size(), protocol::max_client_message_bytes);
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(decode_viewer_message(bytes));
  EXPECT_FALSE(decode_viewer_message(std::span(bytes).first(1)));
  bytes[0] = std::byte{4};
  EXPECT_FALSE(decode_viewer_message(std::span(bytes).first(9)));
}

TEST(CloseCode, SurvivesTheWayToTheViewer) {
  for (int i = 1; i <= 10; ++i) {
    const auto reason = static_cast<net::DisconnectReason>(i);
    if (reason == net::DisconnectReason::Refused) continue;
    EXPECT_EQ(close_reason(close_code(reason)).reason, reason);
  }
  for (int i = 1; i <= 12; ++i) {
    const auto refusal = static_cast<secure::Refusal>(i);
    const CloseReason read = close_reason(close_code(net::DisconnectReason::Refused, refusal));
    EXPECT_EQ(read.reason, net::DisconnectReason::Refused);
    EXPECT_EQ(read.refusal, refusal);
  }
  EXPECT_EQ(close_reason(1'001).reason, net::DisconnectReason::Requested);
  for (const std::uint16_t code : {1'006, 4'000, 4'009, 4'011, 4'100, 4'200, 0, 65'535})
    EXPECT_EQ(close_reason(code).reason, net::DisconnectReason::TimedOut) << code;
}

TEST(FrameBuffer, FindsFramesInAStreamThatArrivesInPieces) {
  std::vector<std::byte> stream;
  const std::vector<std::byte> content(300, std::byte{7});
  append_frame(stream, GateFrame(GateHello{.url = "http://127.0.0.1/"}));
  append_frame(stream, GateFrame(LinkMessage{ViewerId{4}, net::Channel::Bulk, content}));
  append_frame(stream, GateFrame(GateWatch{ViewerId{5}}));
  append_frame(stream, GateFrame(ViewerHandedOver{ViewerId{6}}));
  FrameBuffer buffer;
  std::vector<std::size_t> kinds;
  for (const std::byte byte : stream) {
    buffer.add(std::span(&byte, 1));
    while (const auto bytes = buffer.next()) {
      const auto frame = decode_gate_frame(*bytes);
      ASSERT_TRUE(frame);
      kinds.push_back(frame->index());
      if (std::holds_alternative<GateWatch>(*frame)) {
        EXPECT_EQ(std::get<GateWatch>(*frame).viewer, ViewerId{5});
      } else if (std::holds_alternative<ViewerHandedOver>(*frame)) {
        EXPECT_EQ(std::get<ViewerHandedOver>(*frame).viewer, ViewerId{6});
      } else if (const auto* const message = std::get_if<LinkMessage>(&*frame)) {
        EXPECT_EQ(message->viewer, ViewerId{4});
        EXPECT_TRUE(std::equal(content.begin(), content.end(), message->bytes.begin(),
                               message->bytes.end()));
      }
    }
  }
  EXPECT_EQ(kinds, (std::vector<std::size_t>{0, 6, 4, 5}));
  EXPECT_FALSE(buffer.is_broken());
}

TEST(FrameBuffer, BreaksOffAtAnImpossibleLength) {
  for (const std::uint32_t length : {0U, static_cast<std::uint32_t>(max_frame_bytes) + 1}) {
    FrameBuffer buffer;
    std::vector<std::byte> bytes(8);
    for (std::size_t i = 0; i < 4; ++i)
      bytes[i] = static_cast<std::byte>(length >> (8 * i));
    buffer.add(bytes);
    EXPECT_FALSE(buffer.next());
    EXPECT_TRUE(buffer.is_broken());
  }
}

}  // namespace
}  // namespace jostle::gate_link
